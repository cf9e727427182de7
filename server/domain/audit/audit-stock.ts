import type { Database } from '../../platform/database.ts';
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
  /** Not stopped before its end. */
  isWhole: boolean;
}

/** How much was looked at, for people. */
export function wordAudited({ lots, orders, inbounds }: Pick<AuditResult, 'lots' | 'orders' | 'inbounds'>): string {
  return `${lots} lots, ${orders} orders and ${inbounds} inbound documents`;
}

/** While an order is in one of these states its units are locked; before, it has none yet, and afterwards they are gone or free. */
export const holdingStates: OrderStatus[] = ['pending_warehouse_transfer', 'in_warehouse', 'picking', 'packed'];

/** While an inbound document is in one of these states nothing has arrived, or all of it was taken back. */
export const emptyStates: InboundStatus[] = ['expected', 'cancelled'];

const lotsAtOnce = 2000;
const ordersAtOnce = 10_000;
const inboundsAtOnce = 2000;

/**
 * Proves that every balance equals the sum of its movements, that every lock belongs to an order that is alive and owed it, and
 * that inbound documents have brought what fits their states. In ranges, so that it disturbs nobody; what changes meanwhile is right before and after, so it is no finding.
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

/** Ranges of ids that together cover every row, and every id that a movement names although there is no such row. */
async function* ranges(database: Database, table: AuditedTable, atOnce: number): AsyncGenerator<[from: number, to: number]> {
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
