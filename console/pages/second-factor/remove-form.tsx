import { useState } from 'react';
import type { secondFactorRemove } from '../../../contract/console/second-factor.ts';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { useChange } from '../../kit/use-change.tsx';
import { ProofForm, type ProofMistakes } from './proof-form.tsx';
import { words } from './words.ts';

export function RemoveForm({ onClose }: { onClose(): void }) {
  const say = useWords(words);
  const notices = useNotices();
  const [mistakes, setMistakes] = useState<ProofMistakes>({});
  const remove = useChange<typeof secondFactorRemove>('/second-factor/remove', {
    onAnswer: (answer) => {
      switch (answer.kind) {
        case 'wrong_password':
          return setMistakes({ password: say.mistake.wrongPassword });
        case 'wrong_code':
          return setMistakes({ code: say.mistake.wrongCode });
        case 'too_many_codes':
          return setMistakes({ code: say.mistake.tooManyCodes(formatNumber(Math.ceil(answer.retry_after_s / 3600))) });
        case 'throttled':
          return setMistakes({ password: say.mistake.throttled(formatNumber(answer.retry_after_s)) });
        case 'removed':
          notices.done(say.removed);
          return onClose();
        case 'required':
        case 'not_enrolled':
          notices.refused(answer.kind === 'required' ? say.isRequired : say.notEnrolled);
          return onClose();
        default:
          return answer satisfies never;
      }
    },
  });
  return (
    <ProofForm
      needsCode
      submitLabel={say.remove}
      isRunning={remove.isRunning}
      mistakes={mistakes}
      onSubmit={(proof) => void remove.run(proof)}
      onCancel={onClose}
    />
  );
}
