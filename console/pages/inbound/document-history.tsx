import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { InboundDetail, InboundReceiptUnits, InboundTimelineEntry } from '../../../contract/console/inbound-detail.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatDurationMs, formatNumber } from '../../kit/number.ts';
import { Section } from '../../kit/section.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { callbackTone, inboundTone, StatusBadge, type Tone } from '../../kit/status-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { Timeline, type TimelineEntry } from '../../kit/timeline.tsx';
import { AddNote } from './add-note.tsx';
import classes from './inbound.module.css';
import { words } from './words.ts';

/** Deliveries as they were counted, the newest first. */
export function DocumentReceipts({ document: shown }: { document: InboundDetail }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const lotText = ({ sku_id, stock_type, batch_id, expire_date, units }: InboundReceiptUnits) =>
    [`${formatNumber(units)} × ${sku_id}`, shared.stockType[stock_type], batch_id, expire_date ?? say.noExpiry]
      .filter((part) => part !== '')
      .join(' · ');
  return (
    <Section title={say.section.receipts} flush>
      {shown.receipts.length === 0 ? (
        <EmptyState title={say.noReceipts} hint={say.noReceiptsHint} />
      ) : (
        <ul className={classes.receipts}>
          {shown.receipts.map(({ at, actor, trace_id, receipt_no, good, bad, lot_count, units }) => (
            <li key={`${at} ${trace_id} ${actor}`} className={classes.receipt}>
              <div className={classes.receiptHead}>
                <strong>{say.draft.units(formatNumber(good + bad))}</strong>
                {receipt_no === null ? (
                  <span className={classes.small}>{say.noReceiptNo}</span>
                ) : (
                  <IdText value={receipt_no} label={say.receiptNo} copy={false} />
                )}
                <span className={classes.small}>
                  <Time at={at} /> · {actor}
                </span>
              </div>
              <div className={classes.receiptUnits}>
                {units.map((one) => (
                  <span key={lotText(one)}>{lotText(one)}</span>
                ))}
                {lot_count > units.length && <span>{`+ ${formatNumber(lot_count - units.length)}`}</span>}
              </div>
            </li>
          ))}
          {shown.has_older_receipts && (
            <li className={classes.receipt}>
              <Text size="sm">{say.olderReceipts}</Text>
            </li>
          )}
        </ul>
      )}
    </Section>
  );
}

/** An operator's own call says no more than who did it. */
function foreignCall(call: string | null): string | null {
  return call?.startsWith('/console/') ? null : call;
}

/** All that happened, the newest first, and what people wrote about it. */
export function DocumentTimeline({ document: shown }: { document: InboundDetail }) {
  const say = useWords(words);
  const mayAdd = useMay('staff');
  const shared = useWords(sharedWords);
  const receiptTitle = (good: number, bad: number) => {
    if (good + bad < 0) return say.event.retract(formatNumber(-good - bad));
    return bad === 0 ? say.draft.counting(formatNumber(good)) : say.event.receipt(formatNumber(good), formatNumber(bad));
  };
  const wordEntry = (entry: InboundTimelineEntry, place: number): TimelineEntry => {
    const key = `${place} ${entry.kind}`;
    switch (entry.kind) {
      case 'state': {
        const { at, event, to, actor, trace_id, call } = entry;
        const title = shared.inboundEvent[event as keyof typeof shared.inboundEvent] ?? event;
        return {
          key,
          at,
          tone: inboundTone[to as keyof typeof inboundTone] ?? 'done',
          title,
          actor,
          traceId: trace_id,
          details: foreignCall(call),
        };
      }
      case 'receipt': {
        const { at, good, bad, actor, trace_id, receipt_no, call } = entry;
        const title = receiptTitle(good, bad);
        return { key, at, tone: 'active', title, actor, traceId: trace_id, details: receipt_no ?? foreignCall(call) };
      }
      case 'request': {
        const { at, trace_id, endpoint, http_status, code, reason } = entry;
        const tone: Tone = http_status < 400 ? 'done' : 'failed';
        const title = `${say.event.request} ${endpoint}: ${http_status}`;
        return { key, at, tone, title, traceId: trace_id, details: [code, reason].filter(Boolean).join(' ') };
      }
      case 'callback': {
        const { at, callback_id, event, status, url } = entry;
        const title = (
          <Anchor component={Link} to={`/callbacks/${callback_id}`} inherit>
            {say.event.callback(event)}
          </Anchor>
        );
        const details = (
          <>
            <StatusBadge tone={callbackTone[status]}>{shared.callbackStatus[status]}</StatusBadge> {url}
          </>
        );
        return { key, at, tone: callbackTone[status], title, details };
      }
      case 'attempt': {
        const { at, event, attempt_no, http_status, error, duration_ms } = entry;
        const tone: Tone = http_status !== null && http_status < 300 ? 'done' : 'failed';
        const details = [http_status ?? say.event.noAnswer, formatDurationMs(duration_ms), error].filter(Boolean).join(' · ');
        return { key, at, tone, title: say.event.attempt(formatNumber(attempt_no), event), details };
      }
      case 'note': {
        const { at, actor, text } = entry;
        return { key, at, tone: 'active', title: say.note.by(actor), details: <span className={classes.noteText}>{text}</span> };
      }
      default:
        return entry satisfies never;
    }
  };
  return (
    <Section title={say.section.timeline}>
      {mayAdd && <AddNote inboundId={shown.inbound_id} />}
      <Timeline entries={shown.timeline.map(wordEntry).toReversed()} hasMore={shown.has_more_timeline} />
    </Section>
  );
}
