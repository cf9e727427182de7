import type { alertsDelete, alertsRotateSecret, ListedAlertRule } from '../../../contract/console/alerts.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { useChange } from '../../kit/use-change.tsx';
import { words } from './words.ts';

interface RotateDialogProps {
  rule: ListedAlertRule;
  onClose(): void;
  onDone(name: string, secret: string | null): void;
}

export function RotateDialog({ rule, onClose, onDone }: RotateDialogProps) {
  const say = useWords(words);
  const notices = useNotices();
  const rotate = useChange<typeof alertsRotateSecret>('/alerts/rotate-secret', {
    onAnswer: (answer) => {
      if (answer.kind === 'not_found') notices.refused(say.notFound);
      onDone(rule.name, answer.kind === 'rotated' ? answer.secret : null);
    },
  });
  return (
    <ConfirmDialog
      opened
      danger
      onClose={onClose}
      title={say.rotateQuestion(rule.name)}
      confirmLabel={say.rotateConfirm}
      isRunning={rotate.isRunning}
      onConfirm={() => void rotate.run({ alert_rule_id: rule.alert_rule_id })}
    >
      {say.rotateEffect}
    </ConfirmDialog>
  );
}

export function RemoveDialog({ rule, onClose }: { rule: ListedAlertRule; onClose(): void }) {
  const say = useWords(words);
  const notices = useNotices();
  const remove = useChange<typeof alertsDelete>('/alerts/delete', {
    onAnswer: (answer) => {
      if (answer.kind === 'deleted') notices.done(say.removed(rule.name));
      else notices.refused(say.notFound);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened
      danger
      onClose={onClose}
      title={say.removeQuestion(rule.name)}
      confirmLabel={say.removeConfirm}
      isRunning={remove.isRunning}
      onConfirm={() => void remove.run({ alert_rule_id: rule.alert_rule_id })}
    >
      {say.removeEffect}
    </ConfirmDialog>
  );
}
