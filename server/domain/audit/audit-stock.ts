import type { Message } from '../../../messages/message.ts';
import { outcome } from '../../../messages/outcome-texts.ts';
import type { Reader } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import type { InboundStatus } from '../inbound/inbound-document.ts';
import type { OrderStatus } from '../orders/order.ts';
import { type AccountName, listAccounts } from '../partners/partner-queries.ts';
import {
  type AuditedRange,
  type AuditedTable,
  compareBalances,
  compareInbounds,
  compareLocks,
  compareMoves,
  findLocksOfNobody,
  highestMoved,
  lastOfNext,
  type MovedTable,
} from './audit-queries.ts';
import type { Finding } from './finding.ts';
import { compareDeliveries, compareParcels } from './parcel-audit-queries.ts';
import { findBroken, nextRows, references } from './reference-queries.ts';

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
 * In these states an order holds all of its units. Before, it has none yet; while it is partially shipped, it holds the
 * rest; afterwards they have been shipped or released.
 */
export const holdingStates: OrderStatus[] = ['pending_warehouse_transfer', 'in_warehouse', 'picking', 'packed'];

/** In these states an inbound document has no units on hand: nothing has arrived, or everything was retracted. */
export const emptyStates: InboundStatus[] = ['expected', 'cancelled'];

const lotsAtOnce = 2000;
const ordersAtOnce = 10_000;
const inboundsAtOnce = 2000;
const stockChangesAtOnce = 2000;
const referencesAtOnce = 10_000;

/**
 * Checks, account by account, that every balance equals the sum of its movements, that every locked unit belongs to an
 * open order that needs it, that ordered units are shipped in parcels, short or held, that orders that were not
 * delivered are expected back, that inbound documents have received what fits their states, that units that left a warehouse in a move have reached the other one, and that no row refers to a row
 * that does not exist. It works in ranges of ids so that it holds up nobody. A concurrent change is consistent
 * before and after, so it never causes a finding.
 */
export async function auditStock(
  database: Reader,
  onProgress: (line: string) => void = () => {},
  isTooLate: () => boolean = () => false,
): Promise<AuditResult> {
  const audit: Audit = { lots: 0, orders: 0, inbounds: 0, references: 0, findings: [] };
  for (const account of await database.read(noAccounts, (sql) => listAccounts(sql))) {
    for (const part of [auditLots, auditOrders, auditInbounds, auditMoves, auditReferences]) {
      for await (const progress of part(database, account, audit)) {
        onProgress(progress);
        if (isTooLate()) return resultOf(audit, false);
      }
    }
  }
  return resultOf(audit, true);
}

/** The counts and findings so far. */
type Audit = Omit<AuditResult, 'isWhole'> & { references: number };

function resultOf({ lots, orders, inbounds, findings }: Audit, isWhole: boolean): AuditResult {
  return { lots, orders, inbounds, findings, isWhole };
}

async function* auditLots(database: Reader, account: AccountName, audit: Audit): AsyncGenerator<string> {
  for await (const range of ranges(database, account, 'lot', lotsAtOnce)) {
    const { count, findings } = await database.read([account.accountId], (sql) => compareBalances(sql, range));
    audit.lots += count;
    audit.findings.push(
      ...findings,
      ...(await database.read([account.accountId], (sql) => findLocksOfNobody(sql, range))),
    );
    yield `${audit.lots} lots compared with their movements`;
  }
}

async function* auditOrders(database: Reader, account: AccountName, audit: Audit): AsyncGenerator<string> {
  for await (const range of ranges(database, account, 'orders', ordersAtOnce)) {
    const { count, findings } = await database.read([account.accountId], (sql) =>
      compareLocks(sql, range, holdingStates),
    );
    audit.orders += count;
    audit.findings.push(
      ...findings,
      ...(await database.read([account.accountId], (sql) => compareParcels(sql, range))),
      ...(await database.read([account.accountId], (sql) => compareDeliveries(sql, range))),
    );
    yield `${audit.orders} orders compared with their locks`;
  }
}

async function* auditInbounds(database: Reader, account: AccountName, audit: Audit): AsyncGenerator<string> {
  for await (const range of ranges(database, account, 'inbound_document', inboundsAtOnce)) {
    const { count, findings } = await database.read([account.accountId], (sql) =>
      compareInbounds(sql, range, emptyStates),
    );
    audit.inbounds += count;
    audit.findings.push(...findings);
    yield `${audit.inbounds} inbound documents compared with their movements`;
  }
}

async function* auditMoves(database: Reader, account: AccountName, audit: Audit): AsyncGenerator<string> {
  for await (const range of rangesOfRows(database, account, 'stock_change', stockChangesAtOnce)) {
    audit.findings.push(...(await database.read([account.accountId], (sql) => compareMoves(sql, range))));
    yield `moves of ${account.accountNo} compared with their movements`;
  }
}

/** Most accounts have no rows in most tables, so all tables are asked at once for their first rows. */
async function* auditReferences(database: Reader, account: AccountName, audit: Audit): AsyncGenerator<string> {
  const firsts = await database.read([account.accountId], (sql) =>
    Promise.all(references.map((one) => nextRows(sql, account.accountId, one, 1, referencesAtOnce))),
  );
  for (const [index, reference] of references.entries()) {
    let [from, next] = [1, firsts[index]!];
    while (next.last !== null) {
      const range = { ...account, from, to: next.last };
      audit.findings.push(...(await database.read([account.accountId], (sql) => findBroken(sql, range, reference))));
      audit.references += next.rows;
      yield `${audit.references} rows compared with their references`;
      if (next.rows < referencesAtOnce) break;
      from = next.last + 1;
      next = await database.read([account.accountId], (sql) =>
        nextRows(sql, account.accountId, reference, from, referencesAtOnce),
      );
    }
  }
}

/**
 * Ranges of ids that together cover every row of an account, and every id that a movement refers to although the row
 * does not exist.
 */
async function* ranges(
  database: Reader,
  account: AccountName,
  table: MovedTable,
  atOnce: number,
): AsyncGenerator<AuditedRange> {
  const { accountId } = account;
  let from = 1;
  for await (const range of rangesOfRows(database, account, table, atOnce)) {
    yield range;
    from = range.to + 1;
  }
  const last = await database.read([accountId], (sql) => highestMoved(sql, accountId, table));
  if (last >= from) yield { ...account, from, to: last };
}

/** Ranges of ids that together cover every row of an account. */
async function* rangesOfRows(
  database: Reader,
  account: AccountName,
  table: AuditedTable,
  atOnce: number,
): AsyncGenerator<AuditedRange> {
  const { accountId } = account;
  let from = 1;
  for (;;) {
    const to = await database.read([accountId], (sql) => lastOfNext(sql, accountId, table, from, atOnce));
    if (to === null) return;
    yield { ...account, from, to };
    from = to + 1;
  }
}
