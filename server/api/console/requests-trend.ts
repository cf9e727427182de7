import { requestsTrend } from '../../../contract/console/trends.ts';
import { countTail, listCallHours, readProgress } from '../../domain/trends/call-trend-queries.ts';
import { callsCounted } from '../../domain/trends/count-calls.ts';
import { taipeiInstant } from '../../platform/clock.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { accountIdsOf } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { rangeOf } from './request-range.ts';
import { totalOf } from './trends.ts';

const hourMs = 3_600_000;
const hoursShownMin = 24;
/** Lines of the log that were not counted yet. */
const tailMax = 20_000;

/** Calls by hour, as the job has counted them, and those since then from the log itself. */
export function requestsTrendCall({ directory, clock }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(requestsTrend, {
    role: 'read-only',
    audit: null,
    isList: true,
    async handle({ reads }, { account_no, ...range }) {
      const now = clock.now();
      const { from, to } = hoursOf(rangeOf(range, now), now);
      const accountIds = await accountIdsOf(directory, account_no === undefined ? undefined : [account_no]);
      const accounts = accountIds.map((accountId) => ({ accountId }));
      const counted = await reads.read(accountIds, (sql) => listCallHours(sql, accounts, { from, to }));
      const tail = await reads.read(noAccounts, async (sql) => {
        const until = (await readProgress(sql, callsCounted)) ?? from;
        const span = { from: until > from ? until : from, to };
        if (span.from >= span.to) return [];
        return await countTail(sql, span, { accountNo: account_no ?? null, exceptContract: 'console', limit: tailMax });
      });
      const byHour = Map.groupBy([...counted, ...tail], ({ hour }) => hour.getTime());
      const hours = Array.from({ length: (to.getTime() - from.getTime()) / hourMs }, (_, place) => {
        const hour = from.getTime() + place * hourMs;
        return { from: taipeiInstant(new Date(hour)), ...totalOf(byHour.get(hour) ?? []) };
      });
      return { hours, is_behind: (tail[0]?.lines ?? 0) === tailMax };
    },
  });
}

/** Whole hours; the last one may be the current one. */
function hoursOf({ from, to }: { from: Date; to: Date }, now: Date): { from: Date; to: Date } {
  const last = Math.ceil(Math.min(to.getTime(), now.getTime() + 1) / hourMs) * hourMs;
  const first = Math.min(Math.floor(from.getTime() / hourMs) * hourMs, last - hoursShownMin * hourMs);
  return { from: new Date(first), to: new Date(last) };
}
