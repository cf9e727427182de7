import { taipeiDay } from '../../platform/clock.ts';
import { expiringWithinDays, failedWithinDays } from './attention.ts';
import type { AttentionKind } from './attention-kinds.ts';

/** The page of the console, with its query, that shows the occurrences and what can be done about them. */
export function pathOfAttention(kind: AttentionKind, now: Date): string {
  switch (kind) {
    case 'callbacks_failed':
      return `/callbacks?status=failed&created_from=${taipeiDay(now, -failedWithinDays)}`;
    case 'receivers_down':
      return '/callbacks?tab=receivers&state=on_hold,failing';
    case 'receivers_paused':
      return '/callbacks?tab=receivers&state=paused';
    case 'orders_awaiting_stock':
      return '/orders?status=awaiting_stock';
    case 'transfers_rejected':
      return '/orders?transfer=rejected';
    case 'waves_failing':
      return '/system?show=waves';
    case 'lots_expired':
      return `/stock?expires_to=${taipeiDay(now, -1)}&type=good`;
    case 'lots_expiring':
      return `/stock?expires_from=${taipeiDay(now)}&expires_to=${taipeiDay(now, expiringWithinDays)}`;
    case 'stock_audit':
      return '/stock';
    case 'signatures_failing':
      return '/requests?contract=warehouse&status=401';
    case 'tokens_failing':
      return '/requests?contract=main&endpoint=getToken';
    case 'jobs_failed':
    case 'backup_late':
      return '/system?show=jobs';
    case 'nodes_silent':
      return '/system?show=nodes';
    case 'alerts_failing':
      return '/alerts';
    default:
      return kind satisfies never;
  }
}
