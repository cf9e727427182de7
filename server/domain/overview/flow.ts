import { taipeiDay, taipeiInstant } from '../../platform/clock.ts';
import { lowestTraceIdAt } from '../../platform/ids.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type OrderChannel, type OrderStatus, orderChannels, orderStatuses } from '../orders/order.ts';
import { everyAccount } from '../partners/every-account.ts';
import type { Counted } from './attention-queries.ts';
import {
  countCalls,
  countCreated,
  countQueuedCallbacks,
  countShipped,
  countStates,
  type MinuteOfCalls,
  readCallbackLags,
  type Span,
  statesCountedMax,
} from './flow-queries.ts';

export interface FlowHour {
  from: string;
  created: Record<OrderChannel, number>;
  shipped: number;
  callbackMedianSeconds: number | null;
  callbackWorstSeconds: number | null;
}

export interface FlowMinute {
  from: string;
  calls: number;
  isEstimate: boolean;
}

export interface Flow {
  day: string;
  hours: FlowHour[];
  states: { status: OrderStatus; count: number; isMore: boolean }[];
  minutes: FlowMinute[];
  callbacksWaiting: Counted;
}

const hourMs = 3_600_000;
const minuteMs = 60_000;
const minutesShown = 60;
/** Past spans hardly change, so they are counted again only after this time. */
const pastKeptMs = 60 * minuteMs;
/** Counting a busy day for the first time takes a while; this keeps each statement short. */
const hoursAtOnce = 4;
/** After this time everything that belongs to a span is visible. */
const settledAfterMs = 30_000;

/** Today so far, by hour, and the last hour, by minute. */
export function makeFlow(
  database: Database,
  { exceptContract }: { exceptContract: string },
): (now: Date) => Promise<Flow> {
  const hoursOf = rememberPast(hourMs, async (spans) => {
    const hours: FlowHour[] = [];
    for (let first = 0; first < spans.length; first += hoursAtOnce) {
      hours.push(...(await countHours(database, spans.slice(first, first + hoursAtOnce))));
    }
    return hours;
  });
  const minutesIn = rememberPast(minuteMs, async (spans) =>
    minutesOf(
      spans,
      await database.read(noAccounts, (sql) => countCalls(sql, spans.map(withTraceIds), exceptContract)),
    ),
  );

  return async (now) => {
    const day = taipeiDay(now);
    const dayFrom = new Date(`${day}T00:00:00+08:00`);
    const hourSpans = spansFrom(dayFrom, hourMs, Math.floor((now.getTime() - dayFrom.getTime()) / hourMs) + 1);
    const firstMinute = new Date(Math.floor(now.getTime() / minuteMs - minutesShown) * minuteMs);
    const [hours, [states, callbacksWaiting], minutes] = await Promise.all([
      hoursOf(hourSpans, now),
      database.read(noAccounts, async (sql) => {
        const { own, accounts } = await everyAccount(sql);
        return await Promise.all([
          countStates(own, accounts, taipeiInstant(dayFrom), orderStatuses),
          countQueuedCallbacks(own, accounts),
        ]);
      }),
      minutesIn(spansFrom(firstMinute, minuteMs, minutesShown), now),
    ]);
    const capped = ({ status, count }: (typeof states)[number]) => ({
      status,
      count: Math.min(count, statesCountedMax),
      isMore: count > statesCountedMax,
    });
    return { day, hours, states: states.map(capped), minutes, callbacksWaiting };
  };
}

/**
 * Counts only the spans that have not been counted recently: among many of the same length, the current one and the
 * last.
 */
function rememberPast<Counted extends { from: string }>(
  lengthMs: number,
  count: (spans: Span[]) => Promise<Counted[]>,
) {
  const past = new Map<string, { counted: Counted; atMs: number }>();

  return async (spans: Span[], now: Date): Promise<Counted[]> => {
    const nowMs = now.getTime();
    for (const [from, { atMs }] of past) if (Math.abs(nowMs - atMs) > pastKeptMs) past.delete(from);
    const missing = spans.filter(({ from }) => !past.has(from));
    const counted = missing.length === 0 ? [] : await count(missing);
    const isSettled = ({ from }: Counted) => nowMs - Date.parse(from) > lengthMs + settledAfterMs;
    for (const one of counted) if (isSettled(one)) past.set(one.from, { counted: one, atMs: nowMs });
    const byFrom = new Map(counted.map((one) => [one.from, one]));
    return spans.flatMap(({ from }) => byFrom.get(from) ?? past.get(from)?.counted ?? []);
  };
}

export function spansFrom(first: Date, lengthMs: number, count: number): Span[] {
  const at = (place: number) => taipeiInstant(new Date(first.getTime() + place * lengthMs));
  return Array.from({ length: count }, (_, place) => ({ from: at(place), to: at(place + 1) }));
}

function withTraceIds(span: Span) {
  return { ...span, firstId: lowestTraceIdAt(new Date(span.from)), endId: lowestTraceIdAt(new Date(span.to)) };
}

async function countHours(database: Database, spans: Span[]): Promise<FlowHour[]> {
  const [created, shipped, lags] = await database.read(noAccounts, async (sql) => {
    const { own, accounts } = await everyAccount(sql);
    return await Promise.all([
      countCreated(own, accounts, spans, orderChannels),
      countShipped(own, accounts, spans),
      readCallbackLags(own, accounts, spans),
    ]);
  });
  return spans.map(({ from }, index) => {
    const isHere = (row: { place: number }) => row.place === index + 1;
    const countOf = (channel: OrderChannel) =>
      created.find((row) => isHere(row) && row.channel === channel)?.count ?? 0;
    const lagsHere = lags.filter(isHere).map(({ seconds }) => seconds);
    const seconds = lagsHere.toSorted((one, other) => one - other);
    return {
      from,
      created: { warehouse: countOf('warehouse'), main: countOf('main'), logistics: countOf('logistics') },
      shipped: shipped.find(isHere)?.count ?? 0,
      callbackMedianSeconds: medianOf(seconds),
      callbackWorstSeconds: seconds.at(-1) ?? null,
    };
  });
}

/** null: there are none. */
function medianOf(sorted: number[]): number | null {
  if (sorted.length === 0) return null;
  const middle = (sorted.length - 1) / 2;
  return (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
}

/** Extrapolates to the whole minute if not all requests of a minute were counted. */
export function minutesOf(spans: Span[], counted: MinuteOfCalls[]): FlowMinute[] {
  return spans.map(({ from }, index) => {
    const { count = 0, withinSeconds = null } = counted.find((row) => row.place === index + 1) ?? {};
    if (withinSeconds === null || withinSeconds <= 0) return { from, calls: count, isEstimate: withinSeconds !== null };
    return { from, calls: Math.round((count * 60) / withinSeconds), isEstimate: true };
  });
}
