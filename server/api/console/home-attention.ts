import { type AttentionItem, type AttentionKind, type HomeAttention, homeAttention } from '../../../contract/console/home-attention.ts';
import { type Attention, expiringWithinDays, failedWithinDays, lookForAttention } from '../../domain/operators/attention.ts';
import { readFirstSteps } from '../../domain/operators/attention-queries.ts';
import { taipeiDay, taipeiInstant } from '../../platform/clock.ts';
import { keepAnswer } from '../../platform/kept-answer.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';

/** However many pages are open, a node looks once. Pages are told of a change twice, more than this apart: so none stays with what is old. */
const keptMs = 1500;
const names = { signedContract: 'warehouse', tokenEndpoint: '/api/v1/token/getToken' };

export function homeAttentionCall({ database, clock }: Pick<ConsoleParts, 'database' | 'clock'>): ConsoleEndpoint {
  async function look(): Promise<HomeAttention> {
    const now = clock.now();
    const [items, steps] = await Promise.all([lookForAttention(database, { now, ...names }), database.read(readFirstSteps)]);
    return {
      items: items.map((item) => wordItem(item, now)),
      first_steps: { has_accounts: steps.hasAccounts, has_products: steps.hasProducts, has_orders: steps.hasOrders },
      at: taipeiInstant(now),
    };
  }
  const kept = keepAnswer(look, { clock, keptMs });
  return consoleEndpoint(homeAttention, { role: 'read-only', audit: null, handle: kept });
}

function wordItem({ isMore, ...item }: Attention, now: Date): AttentionItem {
  return { ...item, is_more: isMore, path: pathOf(item.kind, now) };
}

/** Where it can be seen, and something done about it. */
function pathOf(kind: AttentionKind, now: Date): string {
  switch (kind) {
    case 'callbacks_failed':
      return `/callbacks?status=failed&created_from=${taipeiDay(now, -failedWithinDays)}`;
    case 'receivers_down':
      return '/callbacks?tab=receivers&state=left_alone,failing';
    case 'receivers_paused':
      return '/callbacks?tab=receivers&state=paused';
    case 'orders_awaiting_stock':
      return '/orders?status=awaiting_stock';
    case 'transfers_rejected':
      return '/orders?transfer=rejected';
    case 'waves_failing':
      return '/system?show=waves';
    case 'lots_expired':
      return `/stock?expires_to=${taipeiDay(now, -1)}`;
    case 'lots_expiring':
      return `/stock?expires_from=${taipeiDay(now)}&expires_to=${taipeiDay(now, expiringWithinDays)}`;
    case 'stock_audit':
      return '/stock';
    case 'signatures_failing':
      return '/requests?contract=warehouse&status=401';
    case 'tokens_failing':
      return '/requests?contract=main&endpoint=getToken';
    case 'jobs_failed':
      return '/system?show=jobs';
    case 'nodes_silent':
      return '/system?show=nodes';
    default:
      return kind satisfies never;
  }
}
