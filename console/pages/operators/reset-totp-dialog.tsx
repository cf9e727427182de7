import type { operatorsResetTotp } from '../../../contract/console/operators.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { useChange } from '../../kit/use-change.tsx';
import { words } from './words.ts';

export function ResetTotpDialog({ username, onClose }: { username: string; onClose(): void }) {
  const say = useWords(words);
  const notices = useNotices();
  const reset = useChange<typeof operatorsResetTotp>('/operators/reset-totp', {
    onAnswer: (answer) => {
      if (answer.kind === 'reset') notices.done(say.totpWasReset(username));
      else notices.refused(answer.kind === 'own' ? say.own : say.totpNotUsed);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened
      danger
      onClose={onClose}
      title={say.resetTotpQuestion(username)}
      confirmLabel={say.resetTotpConfirm}
      isRunning={reset.isRunning}
      onConfirm={() => void reset.run({ username })}
    >
      {say.resetTotpEffect(username)}
    </ConfirmDialog>
  );
}
