import type { InboundDetail } from '../../../contract/console/inbound.ts';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import classes from './inbound.module.css';
import { missingAfter, type ReceiptDraft, sumOf } from './receipt-draft.ts';
import { words } from './words.ts';

/** The units of a receipt, and the units still missing after it. */
export function ReceiptSummary({ document: shown, draft }: { document: InboundDetail; draft: ReceiptDraft }) {
  const say = useWords(words);
  const entries = draft.entries.filter(({ good, bad }) => good + bad > 0);
  const { good, bad } = sumOf(entries);
  const missing = missingAfter(shown, draft);
  return (
    <>
      <strong>{say.draft.summary(formatNumber(good), formatNumber(bad))}</strong>
      <ul className={classes.summary}>
        {entries.map((entry) => (
          <li key={entry.key}>
            <span>
              {entry.skuId}{' '}
              <span className={classes.small}>
                {[entry.batchId || say.noBatch, entry.expireDate || say.noExpiry].join(' · ')}
              </span>
            </span>
            <span>{say.draft.summary(formatNumber(entry.good), formatNumber(entry.bad))}</span>
          </li>
        ))}
      </ul>
      {shown.can.receive && (missing > 0 ? say.draft.missingAfter(formatNumber(missing)) : say.draft.completeAfter)}
    </>
  );
}
