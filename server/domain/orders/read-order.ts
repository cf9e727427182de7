import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts, type Sql } from '../../platform/postgres/sql.ts';
import {
  findCallbacksWithAttempts,
  type NotifiedAttempt,
  type NotifiedCallback,
} from '../callbacks/document-callback-queries.ts';
import { type DocumentNote, findNotes } from '../documents/note-queries.ts';
import type { AccountDirectory } from '../partners/account-directory.ts';
import { sellableFrom } from '../partners/tenant.ts';
import { findRequestsAbout, type LoggedRequest } from '../requests/document-request-queries.ts';
import { explainedMax, explainOthers, explainTaken, type LineLot, type PassedOverLots } from './explain-lots.ts';
import type { OrderKey } from './order.ts';
import {
  type DetailLine,
  findDetailLines,
  findLotsSince,
  findOrderFacts,
  findOrdersById,
  findTakenLots,
  type OrderFacts,
  type TakenLot,
} from './order-detail-queries.ts';
import { findOrderHistory, findRecipient, type OrderHistory } from './order-history-queries.ts';
import type { Recipient } from './recipient.ts';

/** Everything that is known about an order, and the lots it was allocated from. */
export interface OrderInDetail {
  history: OrderHistory;
  facts: OrderFacts;
  recipient: Recipient | null;
  lines: (DetailLine & { lots: LineLot[] })[];
  taken: TakenLot[];
  /** When its units were allocated; null: they were not. */
  takenAt: string | null;
  /** By the rule that is valid today. */
  sellableFrom: string | null;
  others: PassedOverLots;
  notes: DocumentNote[];
  callbacks: NotifiedCallback[];
  attempts: NotifiedAttempt[];
  calls: LoggedRequest[];
  /** There are more requests or attempts than these. */
  hasMoreEntries: boolean;
}

/** null: there is no such order, or it has been purged. */
export async function readOrder(
  database: Database,
  directory: AccountDirectory,
  orderId: number,
  now: Date,
): Promise<OrderInDetail | null> {
  const [found] = await database.read(noAccounts, (sql) => findOrdersById(sql, [orderId]));
  if (!found) return null;
  const key = { accountId: found.account_id, orderId };
  const document = { accountId: found.account_id, documentId: orderId };
  const [history, facts] = await Promise.all([
    database.read([found.account_id], (sql) => findOrderHistory(sql, key)),
    database.read([found.account_id], (sql) => findOrderFacts(sql, key)),
  ]);
  if (!history || !facts) return null;
  const account = await directory.find(history.account_no);
  const tenants = [...(account?.tenants.values() ?? [])].filter(
    ({ warehouseNo, storeNo }) => warehouseNo === history.warehouse_no && storeNo === history.store_no,
  );

  return await database.read([found.account_id], async (sql) => {
    const [recipient, lines, taken, notes, { callbacks, attempts, hasMoreAttempts }, { calls, hasMoreRequests }] =
      await Promise.all([
        findRecipient(sql, key),
        findDetailLines(sql, [key]),
        findTakenLots(sql, [key]),
        findNotes(sql, 'order', document),
        findCallbacksWithAttempts(sql, 'order', document),
        findRequestsAbout(sql, {
          traceIds: traceIdsOf(history),
          accountNo: history.account_no,
          number: history.partner_number,
        }),
      ]);
    const takenAt = taken[0]?.at ?? null;
    const days =
      history.channel === 'logistics' ? facts.key_sellable_days : (tenants[0]?.sellableDaysBeforeExpiry ?? null);
    const hasRule = takenAt !== null || history.status === 'awaiting_stock';
    const from = hasRule
      ? sellableFrom({ sellableDaysBeforeExpiry: days }, takenAt === null ? now : new Date(takenAt))
      : null;
    const others = await findOthers(sql, key, history, { lines, taken, sellableFrom: from });
    const lotsOf = explainTaken(lines, taken);
    return {
      history,
      facts,
      recipient,
      taken,
      takenAt,
      sellableFrom: from,
      others,
      notes,
      callbacks,
      attempts,
      calls,
      hasMoreEntries: hasMoreAttempts || hasMoreRequests,
      lines: lines.map((line) => ({ ...line, lots: lotsOf.get(line.line_no) ?? [] })),
    };
  });
}

function traceIdsOf({ trace_id, timeline, changes }: OrderHistory): string[] {
  return [
    ...new Set(
      [trace_id, ...[...timeline, ...changes].map((entry) => entry.traceId)].filter((traceId) => traceId !== null),
    ),
  ];
}

async function findOthers(
  sql: Sql,
  { accountId }: OrderKey,
  { status, warehouse_no: warehouseNo }: OrderHistory,
  { lines, taken, sellableFrom }: { lines: DetailLine[]; taken: TakenLot[]; sellableFrom: string | null },
): Promise<PassedOverLots> {
  const isWaiting = status === 'awaiting_stock';
  if (taken.length === 0 && !isWaiting) return { asOf: 'now', passedOver: [], hasMore: false, shortages: [] };
  const productIds = [...new Set(lines.map((line) => line.product_id))];
  const movementId = taken[0]?.movement_id ?? null;
  const found = await findLotsSince(sql, { accountId, productIds, warehouseNo, movementId }, explainedMax);
  return explainOthers(lines, taken, found, { sellableFrom, isWaiting });
}
