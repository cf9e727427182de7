import type { Message } from '../../../messages/message.ts';
import { outcome } from '../../../messages/outcome-texts.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { InboundStatus } from '../inbound/inbound-document.ts';
import type { OrderStatus } from '../orders/order.ts';
import {
  type AuditedTable,
  compareBalances,
  compareInbounds,
  compareLocks,
  findLocksOfNobody,
  highestMoved,
  lastOfNext,
} from './audit-queries.ts';
import type { Finding } from './finding.ts';

export interface AuditResult {
  lots: number;
  orders: number;
  inbounds: number;
  findings: Finding[];
  /** False if the audit was stopped before its end. */
  isWhole: boolean;
}

export function describeAudited({
  lots,
  orders,
  inbounds,
}: Pick<AuditResult, 'lots' | 'orders' | 'inbounds'>): Message {
  return outcome('audited_counts', { lots, orders, inbounds });
}

/**
 * In these states an order holds locked units. Before, it has none yet; afterwards they have been shipped or released.
 */
export const holdingStates: OrderStatus[] = ['pending_warehouse_transfer', 'in_warehouse', 'picking', 'packed'];

/** In these states an inbound document has no units on hand: nothing has arrived, or everything was retracted. */
export const emptyStates: InboundStatus[] = ['expected', 'cancelled'];

const lotsAtOnce = 2000;
const ordersAtOnce = 10_000;
const inboundsAtOnce = 2000;

/**
 * Checks that every balance equals the sum of its movements, that every locked unit belongs to an open order that needs
 * it, and that inbound documents have received what fits their states. It works in ranges of ids so that it holds up
 * nobody. A concurrent change is consistent before and after, so it never causes a finding.
 */
export async function auditStock(
  database: Database,
  onProgress: (line: string) => void = () => {},
  isTooLate: () => boolean = () => false,
): Promise<AuditResult> {
  const result: AuditResult = { lots: 0, orders: 0, inbounds: 0, findings: [], isWhole: true };
  for await (const [from, to] of ranges(database, 'lot', lotsAtOnce)) {
    if (isTooLate()) return { ...result, isWhole: false };
    const { count, findings } = await database.read((sql) => compareBalances(sql, from, to));
    result.lots += count;
    result.findings.push(...findings, ...(await database.read((sql) => findLocksOfNobody(sql, from, to))));
    onProgress(`${result.lots} lots compared with their movements`);
  }
  for await (const [from, to] of ranges(database, 'orders', ordersAtOnce)) {
    if (isTooLate()) return { ...result, isWhole: false };
    const { count, findings } = await database.read((sql) => compareLocks(sql, from, to, holdingStates));
    result.orders += count;
    result.findings.push(...findings);
    onProgress(`${result.orders} orders compared with their locks`);
  }
  for await (const [from, to] of ranges(database, 'inbound_document', inboundsAtOnce)) {
    if (isTooLate()) return { ...result, isWhole: false };
    const { count, findings } = await database.read((sql) => compareInbounds(sql, from, to, emptyStates));
    result.inbounds += count;
    result.findings.push(...findings);
    onProgress(`${result.inbounds} inbound documents compared with their movements`);
  }
  return result;
}

/**
 * Ranges of ids that together cover every row, and every id that a movement refers to although the row does not exist.
 */
async function* ranges(
  database: Database,
  table: AuditedTable,
  atOnce: number,
): AsyncGenerator<[from: number, to: number]> {
  let from = 1;
  for (;;) {
    const to = await database.read((sql) => lastOfNext(sql, table, from, atOnce));
    if (to === null) break;
    yield [from, to];
    from = to + 1;
  }
  const last = await database.read((sql) => highestMoved(sql, table));
  if (last >= from) yield [from, last];
}
