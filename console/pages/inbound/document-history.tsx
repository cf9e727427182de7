import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { CallbackEvent } from '../../../contract/console/callbacks.ts';
import type { InboundDetail, InboundReceiptUnits, InboundTimelineEntry } from '../../../contract/console/inbound.ts';
import type { Message } from '../../../messages/message.ts';
import type { SameWords } from '../../kit/define-words.ts';
import { EmptyState } from '../../kit/empty-state.tsx';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatDurationMs, formatNumber } from '../../kit/number.ts';
import { Section } from '../../kit/section.tsx';
import { ServerText } from '../../kit/server-text.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { callbackTone, inboundTone, StatusBadge, type Tone } from '../../kit/status-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { Timeline, type TimelineEntry } from '../../kit/timeline.tsx';
import { useActorName } from '../../kit/use-actor-name.ts';
import { AddNote } from './add-note.tsx';
import classes from './inbound.module.css';
import { useReasonName } from './return-reason-choice.tsx';
import { words } from './words.ts';

/** The receipts of a document, newest first. */
export function DocumentReceipts({ document: shown }: { document: InboundDetail }) {
  const say = useWords(words);
  const nameOf = useActorName();
  const shared = useWords(sharedWords);
  const reasonName = useReasonName();
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
          {shown.receipts.map(({ at, actor, trace_id, receipt_no, return_reason, good, bad, lot_count, units }) => (
            <li key={`${at} ${trace_id} ${actor}`} className={classes.receipt}>
              <div className={classes.receiptHead}>
                <strong>{say.draft.units(formatNumber(good + bad))}</strong>
                {receipt_no === null ? (
                  <span className={classes.small}>{say.noReceiptNo}</span>
                ) : (
                  <IdText value={receipt_no} label={say.receiptNo} copy={false} />
                )}
                <span className={classes.small}>
                  <Time at={at} /> · {actor && nameOf(actor)}
                </span>
                {return_reason !== null && <span>{reasonName(return_reason)}</span>}
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

/** Hides calls of the console: the actor already says who it was. */
function foreignCall(call: string | null): string | null {
  return call?.startsWith('/console/') ? null : call;
}

/** The history of a document, newest first, with a field for notes. */
export function DocumentTimeline({ document: shown }: { document: InboundDetail }) {
  const say = useWords(words);
  const mayAdd = useMay('staff');
  const formatEntry = useFormatEntry();
  return (
    <Section title={say.section.timeline}>
      {mayAdd && <AddNote inboundId={shown.inbound_id} />}
      <Timeline entries={shown.timeline.map(formatEntry).toReversed()} hasMore={shown.has_more_timeline} />
    </Section>
  );
}

function useFormatEntry(): (entry: InboundTimelineEntry, place: number) => TimelineEntry {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return (entry, place) => {
    const placed = { key: `${place} ${entry.kind}`, at: entry.at };
    switch (entry.kind) {
      case 'state': {
        const title = shared.inboundEvent[entry.event as keyof typeof shared.inboundEvent] ?? entry.event;
        const tone = inboundTone[entry.to as keyof typeof inboundTone] ?? 'done';
        const details = foreignCall(entry.call);
        return { ...placed, tone, title, actor: entry.actor, traceId: entry.trace_id, details };
      }
      case 'receipt': {
        const title = receiptTitle(entry.good, entry.bad, say);
        const details = entry.receipt_no ?? foreignCall(entry.call);
        return { ...placed, tone: 'active', title, actor: entry.actor, traceId: entry.trace_id, details };
      }
      case 'request': {
        const { trace_id, endpoint, http_status, code, reason } = entry;
        const tone: Tone = http_status < 400 ? 'done' : 'failed';
        const title = `${say.event.request} ${endpoint}: ${http_status}`;
        const details = (
          <>
            {code} {reason && <ServerText text={reason} />}
          </>
        );
        return { ...placed, tone, title, traceId: trace_id, details };
      }
      case 'callback': {
        const title = (
          <CallbackLink
            callbackId={entry.callback_id}
            text={say.event.callback(shared.event[entry.event as CallbackEvent])}
          />
        );
        const details = <CallbackState status={entry.status} url={entry.url} />;
        return { ...placed, tone: callbackTone[entry.status], title, details };
      }
      case 'attempt': {
        const { event, attempt_no, http_status, error, duration_ms } = entry;
        const tone: Tone = http_status !== null && http_status < 300 ? 'done' : 'failed';
        const title = say.event.attempt(formatNumber(attempt_no), shared.event[event as CallbackEvent]);
        const details = formatAttempt(http_status ?? say.event.noAnswer, duration_ms, error);
        return { ...placed, tone, title, details };
      }
      case 'note': {
        const details = <span className={classes.noteText}>{entry.text}</span>;
        return { ...placed, tone: 'active', title: say.note.by(entry.actor), details };
      }
      default:
        return entry satisfies never;
    }
  };
}

function receiptTitle(good: number, bad: number, say: SameWords<(typeof words)['en']>): string {
  if (good + bad < 0) return say.event.retract(formatNumber(-good - bad));
  if (bad === 0) return say.draft.counting(formatNumber(good));
  return say.event.receipt(formatNumber(good), formatNumber(bad));
}

function CallbackLink({ callbackId, text }: { callbackId: number; text: string }) {
  return (
    <Anchor component={Link} to={`/callbacks/${callbackId}`} inherit>
      {text}
    </Anchor>
  );
}

function CallbackState({ status, url }: { status: keyof typeof callbackTone; url: string }) {
  const shared = useWords(sharedWords);
  return (
    <>
      <StatusBadge tone={callbackTone[status]}>{shared.callbackStatus[status]}</StatusBadge> {url}
    </>
  );
}

function formatAttempt(answer: ReactNode, durationMs: number, error: Message | string | null): ReactNode {
  return (
    <>
      {answer} · {formatDurationMs(durationMs)}
      {error !== null && ' · '}
      {error !== null && <ServerText text={error} />}
    </>
  );
}
