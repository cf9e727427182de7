import { Anchor, Button, Textarea } from '@mantine/core';
import { Children, type FormEvent, type ReactNode, type Ref, useState } from 'react';
import { Link } from 'react-router';
import type { CallbackEvent } from '../../../contract/console/callbacks.ts';
import type { OrderDetail, OrderTimelineEntry, orderNoteAdd } from '../../../contract/console/orders.ts';
import { callName } from '../../kit/call-name.ts';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatDurationMs, formatNumber } from '../../kit/number.ts';
import { Section } from '../../kit/section.tsx';
import { ServerText } from '../../kit/server-text.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { callbackTone, orderTone, type Tone } from '../../kit/status-badge.tsx';
import { Timeline, type TimelineEntry } from '../../kit/timeline.tsx';
import { useActorName } from '../../kit/use-actor-name.ts';
import { useChange } from '../../kit/use-change.tsx';
import { changeWords } from './change-words.ts';
import { ChangedFields } from './order-changes.tsx';
import classes from './orders.module.css';
import { words } from './words.ts';

const noteLengthMax = 2000;

/** The history of an order, newest first, with a field for notes. */
export function OrderHistory({ order, noteField }: { order: OrderDetail; noteField: Ref<HTMLTextAreaElement> }) {
  const say = useWords(words);
  const formatEntry = useEntryWords();
  const mayChange = useMay('staff');
  return (
    <Section title={say.detail.history}>
      {mayChange && <NoteForm orderId={order.order_id} field={noteField} />}
      <Timeline entries={order.timeline.map(formatEntry).toReversed()} hasMore={order.has_more_timeline} />
    </Section>
  );
}

function NoteForm({ orderId, field }: { orderId: number; field: Ref<HTMLTextAreaElement> }) {
  const say = useWords(words);
  const notices = useNotices();
  const shared = useWords(sharedWords);
  const [text, setText] = useState('');
  const add = useChange<typeof orderNoteAdd>('/orders/note-add');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() === '' || add.isRunning) return;
    const answer = await add.run({ order_id: orderId, text: text.trim() });
    if (answer?.kind === 'too_many') notices.refused(say.detail.notesFull(formatNumber(answer.max)));
    if (answer?.kind !== 'added') return;
    setText('');
    notices.done(say.detail.noteAdded);
  };
  return (
    <form onSubmit={submit} className={classes.note}>
      <Textarea
        ref={field}
        aria-label={shared.noun.note}
        placeholder={say.detail.notePlaceholder}
        value={text}
        maxLength={noteLengthMax}
        autosize
        minRows={1}
        maxRows={8}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit(event);
        }}
      />
      <Button type="submit" variant="default" loading={add.isRunning} disabled={text.trim() === ''}>
        {say.detail.noteAdd}
      </Button>
    </form>
  );
}

function useEntryWords(): (entry: OrderTimelineEntry, place: number) => TimelineEntry {
  const { detail: say, transferStatus } = useWords(words);
  const formatChange = useChangeWords();
  const nameOf = useActorName();
  const shared = useWords(sharedWords);
  const formatDelivery = useDeliveryWords();
  return (entry, place) => {
    const placed = { key: String(place), at: entry.at };
    switch (entry.kind) {
      case 'state': {
        const events: Record<string, string> = shared.orderEvent;
        // Calls of the console are hidden: the actor already says who it was.
        const details =
          entry.call === null || entry.call.startsWith('console ')
            ? null
            : say.call(callName(entry.call, shared.channel));
        const title = events[entry.event] ?? shared.orderStatus[entry.to];
        return { ...placed, tone: orderTone[entry.to], title, actor: entry.actor, traceId: entry.trace_id, details };
      }
      case 'request': {
        const { http_status, code, reason } = entry;
        const tone: Tone = http_status < 400 ? 'waiting' : 'failed';
        const details = beside([`HTTP ${http_status}`, code, reason && <ServerText text={reason} />]);
        const title = say.request(callName(`${entry.contract} ${entry.endpoint}`, shared.channel));
        return { ...placed, tone, title, traceId: entry.trace_id, details };
      }
      case 'callback':
      case 'attempt':
        return { ...placed, ...formatDelivery(entry) };
      case 'transfer': {
        const { status, attempts, reason, note } = entry;
        const tries = attempts > 0 && say.tries(formatNumber(attempts));
        const details = beside([tries, reason && <ServerText text={reason} />, note]);
        return { ...placed, tone: transferTone[status], title: say.transfer(transferStatus[status]), details };
      }
      case 'note': {
        const details = <span className={classes.text}>{entry.text || say.noteErased}</span>;
        return { ...placed, tone: 'active', title: say.noteBy(nameOf(entry.actor)), details };
      }
      case 'change':
        return { ...placed, ...formatChange(entry) };
      default:
        return entry satisfies never;
    }
  };
}

type DeliveryEntry = OrderTimelineEntry & { kind: 'callback' | 'attempt' };

function useDeliveryWords(): (entry: DeliveryEntry) => Omit<TimelineEntry, 'key' | 'at'> {
  const { detail: say } = useWords(words);
  const shared = useWords(sharedWords);
  const callbackLink = (callbackId: number) => (
    <Anchor component={Link} to={`/callbacks/${callbackId}`} inherit underline="always">
      {say.openCallback}
    </Anchor>
  );
  return (entry) => {
    if (entry.kind === 'callback') {
      const details = (
        <>
          {shared.callbackStatus[entry.status]} · <span className={classes.text}>{entry.url}</span> ·{' '}
          {callbackLink(entry.callback_id)}
        </>
      );
      return {
        tone: callbackTone[entry.status],
        title: say.callback(shared.event[entry.event as CallbackEvent]),
        details,
      };
    }
    const { http_status, error, duration_ms, attempt_no, event } = entry;
    const tone: Tone = http_status !== null && http_status >= 200 && http_status < 300 ? 'done' : 'failed';
    const duration = formatDurationMs(duration_ms);
    const answer =
      http_status === null
        ? beside([error && <ServerText text={error} />, duration])
        : say.answered(String(http_status), duration);
    const details = beside([answer, callbackLink(entry.callback_id)]);
    return {
      tone,
      title: say.attempt(formatNumber(attempt_no), shared.event[event as CallbackEvent]),
      details,
    };
  };
}

type ChangeEntry = OrderTimelineEntry & { kind: 'change' };

function useChangeWords(): (entry: ChangeEntry) => Omit<TimelineEntry, 'key' | 'at'> {
  const say = useWords(changeWords);
  return (entry) => {
    const { change, state, actor, trace_id } = entry;
    const title = say.entry[change][state];
    return { tone: changeTone[state], title, actor, traceId: trace_id, details: <ChangeDetails entry={entry} /> };
  };
}

function ChangeDetails({ entry }: { entry: ChangeEntry }) {
  const { reason, answer } = entry;
  return (
    <>
      <ChangedFields entry={entry} />
      {beside([reason && <span className={classes.text}>{reason}</span>, answer && <ServerText text={answer} />])}
    </>
  );
}

const changeTone = { made: 'active', requested: 'waiting', refused: 'failed' } as const;
const transferTone = { waiting: 'waiting', sending: 'active', accepted: 'done', rejected: 'failed' } as const;

/** Joins the parts with a dot, without missing values. */
function beside(parts: ReactNode[]): ReactNode {
  return Children.toArray(parts.filter(Boolean).flatMap((part, place) => (place === 0 ? [part] : [' · ', part])));
}
