import {
  type AttentionItem,
  type HomeAttention,
  type HomeFlow,
  homeAttention,
  homeFlow,
} from '../../../contract/console/home.ts';
import { readMessage } from '../../../messages/message.ts';
import { type Attention, lookForAttention } from '../../domain/overview/attention.ts';
import { pathOfAttention } from '../../domain/overview/attention-path.ts';
import { readFirstSteps } from '../../domain/overview/attention-queries.ts';
import { type Flow, makeFlow } from '../../domain/overview/flow.ts';
import { listAccounts } from '../../domain/partners/partner-queries.ts';
import { taipeiInstant } from '../../platform/clock.ts';
import { memoize } from '../../platform/limits/memoize.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';

export function homeEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [homeAttentionCall(parts), homeFlowCall(parts)];
}

/**
 * All open pages share one look per node. Pages are notified of each change twice, further apart than this, so that none keeps
 * an outdated response.
 */
const keptMs = 1500;

function homeAttentionCall({
  database,
  clock,
  backups,
}: Pick<ConsoleParts, 'database' | 'clock' | 'backups'>): ConsoleEndpoint {
  async function look(): Promise<HomeAttention> {
    const now = clock.now();
    const backup = (await backups?.()) ?? null;
    const [items, steps] = await Promise.all([
      lookForAttention(database, { now, backup }),
      database.read(noAccounts, async (sql) => {
        const accounts = await listAccounts(sql);
        return await readFirstSteps(sql.forAccounts(accounts.map(({ accountId }) => accountId)), accounts);
      }),
    ]);
    return {
      items: items.map((item) => toAttentionItem(item, now)),
      first_steps: { has_accounts: steps.hasAccounts, has_products: steps.hasProducts, has_orders: steps.hasOrders },
      at: taipeiInstant(now),
    };
  }
  const kept = memoize(look, { clock, keptMs });
  return consoleEndpoint(homeAttention, { role: 'read-only', audit: null, handle: kept });
}

function toAttentionItem({ isMore, ...item }: Attention, now: Date): AttentionItem {
  const examples = item.examples.map((example) => ({ ...example, detail: readMessage(example.detail) }));
  return { ...item, examples, is_more: isMore, path: pathOfAttention(item.kind, now) };
}

function homeFlowCall({ database, clock }: Pick<ConsoleParts, 'database' | 'clock'>): ConsoleEndpoint {
  const flowOf = makeFlow(database, { exceptContract: 'console' });
  async function look(): Promise<HomeFlow> {
    const now = clock.now();
    return toFlow(await flowOf(now), now);
  }
  const kept = memoize(look, { clock, keptMs });
  return consoleEndpoint(homeFlow, { role: 'read-only', audit: null, handle: kept });
}

function toFlow({ day, hours, states, minutes, callbacksWaiting }: Flow, now: Date): HomeFlow {
  const { count, isMore, since } = callbacksWaiting;
  return {
    day,
    hours: hours.map(({ from, created, shipped, callbackMedianSeconds, callbackWorstSeconds }) => ({
      from,
      ...created,
      shipped,
      callback_median_s: callbackMedianSeconds,
      callback_worst_s: callbackWorstSeconds,
    })),
    states: states.map(({ isMore: is_more, ...state }) => ({ ...state, is_more })),
    minutes: minutes.map(({ from, calls, isEstimate }) => ({ from, calls, is_estimate: isEstimate })),
    callbacks_waiting: { count, is_more: isMore, oldest_at: since },
    at: taipeiInstant(now),
  };
}
