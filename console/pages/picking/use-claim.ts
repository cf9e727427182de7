import { useNavigate } from 'react-router';
import type { BodyOf } from '../../../contract/console/console-call.ts';
import type { pickingClaim } from '../../../contract/console/picking.ts';
import { useWords } from '../../kit/language.tsx';
import { newUuid } from '../../kit/new-uuid.ts';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { useChange } from '../../kit/use-change.tsx';
import { words } from './words.ts';

type Selection = Omit<BodyOf<typeof pickingClaim>, 'claim_id'>;

/** Claims orders and opens their batch. */
export function useClaim(): { claim(selection: Selection): void; isRunning: boolean } {
  const say = useWords(words);
  const notices = useNotices();
  const navigate = useNavigate();
  const { run, isRunning } = useChange<typeof pickingClaim>('/picking/claim', {
    onAnswer(answer) {
      if (answer.kind === 'nothing') return notices.refused(say.claimNothing);
      if (answer.kind === 'not_manual') return notices.refused(say.claimNotManual);
      if (answer.left_out.length > 0) notices.refused(say.leftOut(formatNumber(answer.left_out.length)));
      void navigate(`/picking/${answer.batch_id}`);
    },
  });
  return { claim: (selection) => void run({ ...selection, claim_id: newUuid() }), isRunning };
}
