import { Alert } from '@mantine/core';
import type { ReceiptMistake } from '../../../contract/console/inbound.ts';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { sharedWords } from '../../kit/shared-words.ts';
import type { Refusal } from './use-receipt.ts';
import { words } from './words.ts';

/** The reasons why the server rejected a receipt. Nothing of it was recorded. */
export function ReceiptRefusal({ refusal }: { refusal: Refusal }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const textsOf = (): string[] => {
    switch (refusal.kind) {
      case 'conflict':
        return [say.draft.conflict];
      case 'too_late':
        return [say.draft.tooLate(shared.inboundStatus[refusal.status])];
      case 'too_many_portions':
        return [say.draft.tooManyPortions];
      case 'refused':
        return refusal.mistakes.map(formatMistake);
      default:
        return refusal satisfies never;
    }
  };
  const formatMistake = (mistake: ReceiptMistake): string => {
    switch (mistake.kind) {
      case 'not_announced':
        return say.draft.notAnnounced(mistake.sku_id);
      case 'too_many':
        return say.draft.refusedTooMany(mistake.sku_id, formatNumber(mistake.still_accepted));
      case 'overfull':
        return say.draft.overfull(mistake.sku_id);
      default:
        return mistake satisfies never;
    }
  };
  return (
    <Alert color="red" title={say.draft.refusedTitle} role="alert">
      {textsOf().map((text) => (
        <div key={text}>{text}</div>
      ))}
    </Alert>
  );
}
