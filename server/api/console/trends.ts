import {
  type CallbackDay,
  type CallCounts,
  type OrderTrendCounts,
  receiversMax,
  trendDaysDefault,
  trendDaysMax,
  trendsCallbacks,
  trendsCalls,
  trendsOrders,
  trendsStock,
} from '../../../contract/console/trends.ts';
import { rejection } from '../../../messages/rejection-texts.ts';
import { sumCallbackDays, sumCallbacks } from '../../domain/callbacks/callback-trend-queries.ts';
import { latencyWithin } from '../../domain/callbacks/latency.ts';
import { findLastCalls, readProgress, sumCallDays, sumCalls } from '../../domain/trends/call-trend-queries.ts';
import { ordersCounted } from '../../domain/trends/count-orders.ts';
import { sumExpiringUnits } from '../../domain/trends/expiry-queries.ts';
import type { OrderCounts } from '../../domain/trends/order-counts.ts';
import { listWarehousesWithoutCutOff } from '../../domain/trends/order-trend-queries.ts';
import { daysOf, readOrderTrends } from '../../domain/trends/read-order-trends.ts';
import { taipeiDay, taipeiInstant } from '../../platform/clock.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { accountIdsOf, accountNosOf, mistakeAt } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { isOwn, ownOf } from './own-warehouses.ts';

/** Counts over days: orders, stock by expiry, callbacks and calls. */
export function trendEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [trendsOrdersCall(parts), trendsStockCall(parts), trendsCallbacksCall(parts), trendsCallsCall(parts)];
}

function trendsOrdersCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(trendsOrders, {
    role: 'read-only',
    warehouses: 'own',
    audit: null,
    isList: true,
    async handle(caller, asked) {
      const { warehouse_no, carrier } = asked;
      const { from, to } = daysAsked(asked, parts.clock.now());
      const accountIds = await accountsAsked(parts, asked);
      const filter = { from, to, warehouseNos: ownOf(caller, warehouse_no ?? null), carriers: carrier ?? null };
      const sums = await readOrderTrends(caller.reads, accountIds, filter, parts.clock.now());
      const [countedAt, withoutCutOff] = await caller.reads.read(noAccounts, (sql) =>
        Promise.all([readProgress(sql, ordersCounted), listWarehousesWithoutCutOff(sql)]),
      );
      const accountNoOf = accountNosOf(parts.directory);
      return {
        days: sums.days.map(({ day, backlog, ...counts }) => ({ day, ...toCounts(counts), backlog })),
        by_warehouse: byShipped(sums.byWarehouse, (warehouse_no) => ({ warehouse_no })),
        by_account: byShipped(sums.byAccount, (accountId) => ({ account_no: accountNoOf(accountId) })),
        by_carrier: byShipped(sums.byCarrier, (carrier) => ({ carrier })),
        backlog: sums.backlog,
        carriers: sums.carriers,
        without_cut_off: withoutCutOff.filter((warehouseNo) => isOwn(caller, warehouseNo)),
        counted_at: countedAt && taipeiInstant(countedAt),
        next_cursor: null,
      };
    },
  });
}

function toCounts({ open: _, ...counts }: OrderCounts): OrderTrendCounts {
  return counts;
}

/** The most orders first. */
function byShipped<Key, Name>(sums: Map<Key, OrderCounts>, nameOf: (key: Key) => Name): (Name & OrderTrendCounts)[] {
  return [...sums]
    .sort(([, one], [, other]) => other.shipped - one.shipped || other.created - one.created)
    .map(([key, counts]) => ({ ...nameOf(key), ...toCounts(counts) }));
}

/** The days that are asked for, or the last ones. */
function daysAsked(asked: { from?: string; to?: string }, now: Date): { from: string; to: string } {
  const to = asked.to ?? taipeiDay(now);
  const from = asked.from ?? taipeiDay(new Date(`${to}T00:00:00+08:00`), 1 - trendDaysDefault);
  if (from > to) throw mistakeAt('from', rejection('range_reversed'));
  if (Date.parse(to) - Date.parse(from) >= trendDaysMax * 86_400_000)
    throw mistakeAt('from', rejection('range_too_long', { days: trendDaysMax }));
  return { from, to };
}

/** Those that are named, or all production accounts. */
async function accountsAsked(
  { directory }: ConsoleParts,
  { accounts, test_accounts }: { accounts?: string[]; test_accounts?: boolean },
): Promise<number[]> {
  const accountIds = await accountIdsOf(directory, accounts);
  if (accounts !== undefined || test_accounts) return accountIds;
  const known = [...directory.known().values()];
  const ofProduction = new Set(
    known.filter(({ environment }) => environment === 'production').map(({ accountId }) => accountId),
  );
  return accountIds.filter((accountId) => ofProduction.has(accountId));
}

const monthsShown = 13;
/** The limit for each account. */
const lotsReadMax = 20_000;

function trendsStockCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(trendsStock, {
    role: 'read-only',
    warehouses: 'own',
    audit: null,
    isList: true,
    async handle(caller, { warehouse_no, ...which }) {
      const accountIds = await accountsAsked(parts, which);
      const today = taipeiDay(parts.clock.now());
      const months = Array.from({ length: monthsShown + 1 }, (_, place) => monthLater(today, place));
      const asked = { today, before: `${months.at(-1)}-01`, warehouseNos: ownOf(caller, warehouse_no ?? null) };
      const found = await caller.reads.read(accountIds, (sql) =>
        sumExpiringUnits(
          sql,
          accountIds.map((accountId) => ({ accountId })),
          asked,
          lotsReadMax,
        ),
      );
      const unitsOf = (month: string, type: 'good' | 'bad') =>
        found.months
          .filter((row) => row.month === month && row.stockType === type)
          .reduce((sum, { units }) => sum + units, 0);
      return {
        months: ['expired', ...months.slice(0, -1)].map((month) => ({
          month,
          good: unitsOf(month, 'good'),
          bad: unitsOf(month, 'bad'),
        })),
        complete_until: found.completeUntil,
      };
    },
  });
}

/** The month of a day, or a later one: 2026-11. */
function monthLater(day: string, months: number): string {
  const first = new Date(`${day.slice(0, 7)}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() + months);
  return first.toISOString().slice(0, 7);
}

/** The instants between two days in Taipei, both included. */
function spanOf({ from, to }: { from: string; to: string }): { from: Date; to: Date } {
  return {
    from: new Date(`${from}T00:00:00+08:00`),
    to: new Date(Date.parse(`${to}T00:00:00+08:00`) + 86_400_000),
  };
}

function trendsCallbacksCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(trendsCallbacks, {
    role: 'read-only',
    audit: null,
    isList: true,
    async handle({ reads }, asked) {
      const { from, to } = daysAsked(asked, parts.clock.now());
      const accountIds = await accountsAsked(parts, asked);
      const accounts = accountIds.map((accountId) => ({ accountId }));
      const span = spanOf({ from, to });
      const [found, days] = await reads.read(accountIds, (sql) =>
        Promise.all([
          sumCallbacks(sql, accounts, span, receiversMax + 1),
          sumCallbackDays(sql, accounts, { ...span, receiverId: asked.receiver_id ?? null }),
        ]),
      );
      const byDay = Map.groupBy(days, ({ day }) => day);
      const sorted = found.toSorted((one, other) => other.failed - one.failed || other.attempts - one.attempts);
      const accountNoOf = accountNosOf(parts.directory);
      return {
        days: daysOf({ from, to }, taipeiDay(parts.clock.now())).map((day) => callbackDayOf(day, byDay.get(day) ?? [])),
        rows: sorted
          .slice(0, receiversMax)
          .map(({ accountId, receiverId, address, attempts, failed, delivered, givenUp, latency }) => ({
            account_no: accountNoOf(accountId),
            receiver_id: receiverId,
            ...{ address, attempts, failed, delivered },
            given_up: givenUp,
            p50_ms: latencyWithin(latency, 0.5),
            p95_ms: latencyWithin(latency, 0.95),
          })),
        has_more: found.length > receiversMax,
        next_cursor: null,
      };
    },
  });
}

/** Adds up the same day of several accounts. */
function callbackDayOf(day: string, sums: Awaited<ReturnType<typeof sumCallbackDays>>): CallbackDay {
  const total = (countOf: (sum: (typeof sums)[number]) => number) => sums.reduce((all, sum) => all + countOf(sum), 0);
  const latency = (sums[0]?.latency ?? []).map((_, place) => total((sum) => sum.latency[place]!));
  return {
    day,
    attempts: total(({ attempts }) => attempts),
    failed: total(({ failed }) => failed),
    p50_ms: latencyWithin(latency, 0.5),
    p95_ms: latencyWithin(latency, 0.95),
  };
}

function trendsCallsCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(trendsCalls, {
    role: 'read-only',
    audit: null,
    isList: true,
    async handle({ reads }, asked) {
      const { from, to } = daysAsked(asked, parts.clock.now());
      const accountIds = await accountsAsked(parts, asked);
      const accounts = accountIds.map((accountId) => ({ accountId }));
      const span = spanOf({ from, to });
      const [sums, days, last] = await reads.read(accountIds, (sql) =>
        Promise.all([sumCalls(sql, accounts, span), sumCallDays(sql, accounts, span), findLastCalls(sql, accounts)]),
      );
      const byDay = Map.groupBy(days, ({ day }) => day);
      const lastOf = new Map(last.map(({ accountId, lastCallAt }) => [accountId, lastCallAt]));
      const accountNoOf = accountNosOf(parts.directory);
      return {
        days: daysOf({ from, to }, taipeiDay(parts.clock.now())).map((day) => ({
          day,
          ...totalOf(byDay.get(day) ?? []),
        })),
        rows: sums
          .toSorted((one, other) => other.calls - one.calls)
          .map(({ accountId, calls, refused, failed, durationMs }) => ({
            account_no: accountNoOf(accountId),
            ...{ calls, refused, failed },
            average_ms: calls === 0 ? null : durationMs / calls,
            last_call_at: lastOf.has(accountId) ? taipeiInstant(lastOf.get(accountId)!) : null,
          })),
        next_cursor: null,
      };
    },
  });
}

export function totalOf(counts: readonly CallCounts[]): CallCounts {
  const total = { calls: 0, refused: 0, failed: 0 };
  for (const one of counts) {
    total.calls += one.calls;
    total.refused += one.refused;
    total.failed += one.failed;
  }
  return total;
}
