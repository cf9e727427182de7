import type { InboundStatus } from '../../../contract/console/inbound.ts';
import type { OrderStatus } from '../../../contract/console/orders.ts';
import type { RequestDocument } from '../../../contract/console/requests.ts';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { Section } from '../../kit/section.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { inboundTone, orderTone, StatusBadge } from '../../kit/status-badge.tsx';
import classes from './requests.module.css';
import { words } from './words.ts';

export function TouchedDocuments({ documents }: { documents: RequestDocument[] }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (
    <Section title={say.sectionDocuments} flush>
      <ul className={classes.rows}>
        {documents.map((document) => {
          const isOrder = document.type === 'order';
          const events: Record<string, string> = isOrder ? shared.orderEvent : shared.inboundEvent;
          return (
            <li key={`${document.type}-${document.document_id}`}>
              <span>{shared.documentType[document.type]}</span>
              <IdText
                value={document.partner_number}
                label={shared.noun.number}
                to={isOrder ? `/orders/${document.document_id}` : `/inbound/${document.document_id}`}
              />
              {isOrder ? (
                <StatusBadge tone={orderTone[document.status as OrderStatus]}>
                  {shared.orderStatus[document.status as OrderStatus]}
                </StatusBadge>
              ) : (
                <StatusBadge tone={inboundTone[document.status as InboundStatus]}>
                  {shared.inboundStatus[document.status as InboundStatus]}
                </StatusBadge>
              )}
              <span className={classes.meta}>
                {document.done.length === 0
                  ? say.onlyNamed
                  : document.done.map(({ event }) => events[event] ?? event).join(' → ')}
              </span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
