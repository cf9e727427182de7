import type { Attention } from '../server/domain/overview/attention.ts';
import type { AttentionKind } from '../server/domain/overview/attention-kinds.ts';
import { pathOfAttention } from '../server/domain/overview/attention-path.ts';

/** Something that needs a person, in words, with the command or the page that helps. */
export interface StatusItem {
  kind: AttentionKind | 'not_running' | 'not_ready' | 'out_of_reach' | 'disk_low';
  severity: 'critical' | 'warning';
  what: string;
  /** A command, or the address of a page. */
  next: string;
}

interface Texts {
  one: string;
  many: string;
  /** null: the console's page is the only place. */
  command: string | null;
}

const texts: Record<AttentionKind, Texts> = {
  stock_audit: { one: 'stock does not match', many: 'balances do not match', command: 'lading audit' },
  jobs_failed: { one: 'background job failed', many: 'background jobs failed', command: null },
  backup_late: { one: 'backup is overdue', many: 'backups are overdue', command: 'lading backup' },
  waves_failing: {
    one: 'warehouse accepts no orders',
    many: 'warehouses accept no orders',
    command: 'lading transfer schedule',
  },
  transfers_rejected: {
    one: 'order was rejected by its warehouse',
    many: 'orders were rejected by their warehouse',
    command: 'lading transfer list --status rejected',
  },
  lots_expired: { one: 'lot is expired and still good', many: 'lots are expired and still good', command: null },
  nodes_silent: { one: 'process has stopped responding', many: 'processes have stopped responding', command: null },
  receivers_down: {
    one: 'receiver does not accept callbacks',
    many: 'receivers do not accept callbacks',
    command: null,
  },
  callbacks_failed: {
    one: 'callback failed',
    many: 'callbacks failed',
    command: 'lading callbacks list --status failed',
  },
  receivers_paused: { one: 'receiver is paused', many: 'receivers are paused', command: null },
  orders_awaiting_stock: { one: 'order waits for stock', many: 'orders wait for stock', command: null },
  signatures_failing: {
    one: 'account sends wrong signatures',
    many: 'accounts send wrong signatures',
    command: null,
  },
  tokens_failing: { one: 'client is refused tokens', many: 'clients are refused tokens', command: null },
  alerts_failing: { one: 'alert rule cannot send', many: 'alert rules cannot send', command: null },
  lots_expiring: { one: 'lot expires within 30 days', many: 'lots expire within 30 days', command: null },
};

/** The items that need a person, the most urgent first. */
export function itemsNeedingAttention(items: Attention[], { now, consoleUrl }: { now: Date; consoleUrl: string }) {
  return items.flatMap((item): StatusItem[] => {
    const { kind, severity } = item;
    if (severity === 'fine') return [];
    return [
      { kind, severity, what: describe(item), next: texts[kind].command ?? consoleUrl + pathOfAttention(kind, now) },
    ];
  });
}

function describe({ kind, count, isMore, examples }: Attention): string {
  // The audit also warns if it has found nothing, because it has not run for a day.
  if (kind === 'stock_audit' && count === 0) return 'the stock has not been audited for a day';
  const { one, many } = texts[kind];
  const [first] = examples;
  const example = first === undefined ? '' : ` (${first.name}${count > 1 ? ', …' : ''})`;
  return `${isMore ? `more than ${count}` : count} ${count === 1 && !isMore ? one : many}${example}`;
}
