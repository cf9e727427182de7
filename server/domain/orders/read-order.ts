import type { Database, Sql } from '../../platform/database.ts';
import type { AccountDirectory } from '../partners/account-directory.ts';
import { sellableFrom } from '../partners/tenant.ts';
import { findOrderStory, findRecipient, type OrderStory, type Recipient } from '../timeline/document-story-queries.ts';
import { type DocumentNote, findNotes } from '../timeline/note-queries.ts';
import { type CallbackTry, findCallbacksWithTries, findCallsAbout, type LoggedCall, type TriedCallback } from '../timeline/told-queries.ts';
import { explainedMax, explainOthers, explainTaken, type LineLot, type PassedOverLots } from './explain-lots.ts';
import { orderAfter } from './order.ts';
import {
  type DetailLine,
  findDetailLines,
  findLotsSince,
  findOrderFacts,
  findTakenLots,
  type OrderFacts,
  type TakenLot,
} from './order-detail-queries.ts';

/** All that is known of an order, and what it was made of. */
export interface OrderInDetail {
  story: OrderStory;
  facts: OrderFacts;
  recipient: Recipient | null;
  lines: (DetailLine & { lots: LineLot[] })[];
  taken: TakenLot[];
  /** When its units were taken; null: none were. */
  takenAt: string | null;
  /** By the rule as it is today. */
  sellableFrom: string | null;
  others: PassedOverLots;
  notes: DocumentNote[];
  callbacks: TriedCallback[];
  tries: CallbackTry[];
  calls: LoggedCall[];
  /** More calls or tries than these. */
  hasMoreTold: boolean;
}

/** null: there is none, or it has been purged. */
export async function readOrder(
  database: Database,
  directory: AccountDirectory,
  orderId: number,
  now: Date,
): Promise<OrderInDetail | null> {
  const [story, facts] = await Promise.all([
    database.read((sql) => findOrderStory(sql, orderId)),
    database.read((sql) => findOrderFacts(sql, orderId)),
  ]);
  if (!story || !facts) return null;
  const account = await directory.find(story.account_no);
  const tenants = [...(account?.tenants.values() ?? [])].filter(
    ({ warehouseNo, storeNo }) => warehouseNo === story.warehouse_no && storeNo === story.store_no,
  );

  return await database.read(async (sql) => {
    const [recipient, lines, taken, notes, { callbacks, tries, hasMoreTries }, { calls, hasMoreCalls }] = await Promise.all([
      findRecipient(sql, orderId),
      findDetailLines(sql, [orderId]),
      findTakenLots(sql, [orderId]),
      findNotes(sql, 'order', orderId),
      findCallbacksWithTries(sql, 'order', orderId),
      findCallsAbout(sql, { traceIds: traceIdsOf(story), accountNo: story.account_no, number: story.partner_number }),
    ]);
    const takenAt = taken[0]?.at ?? null;
    const days = story.channel === 'logistics' ? facts.key_sellable_days : (tenants[0]?.sellableDaysBeforeExpiry ?? null);
    const hasRule = takenAt !== null || story.status === 'awaiting_stock';
    const from = hasRule ? sellableFrom({ sellableDaysBeforeExpiry: days }, takenAt === null ? now : new Date(takenAt)) : null;
    const others = await findOthers(sql, story, { lines, taken, sellableFrom: from });
    const lotsOf = explainTaken(lines, taken);
    return {
      ...{ story, facts, recipient, taken, takenAt, sellableFrom: from, others, notes, callbacks, tries, calls },
      hasMoreTold: hasMoreTries || hasMoreCalls,
      lines: lines.map((line) => ({ ...line, lots: lotsOf.get(line.line_no) ?? [] })),
    };
  });
}

function traceIdsOf({ trace_id, timeline }: OrderStory): string[] {
  return [...new Set([trace_id, ...timeline.map((entry) => entry.traceId)].filter((traceId) => traceId !== null))];
}

async function findOthers(
  sql: Sql,
  { status, warehouse_no: warehouseNo }: OrderStory,
  { lines, taken, sellableFrom }: { lines: DetailLine[]; taken: TakenLot[]; sellableFrom: string | null },
): Promise<PassedOverLots> {
  const isWaiting = status === 'awaiting_stock';
  if (taken.length === 0 && !isWaiting) return { asOf: 'now', passedOver: [], hasMore: false, shortages: [] };
  const productIds = [...new Set(lines.map((line) => line.product_id))];
  const movementId = taken[0]?.movement_id ?? null;
  const found = await findLotsSince(sql, { productIds, warehouseNo, movementId }, explainedMax);
  return explainOthers(lines, taken, found, { sellableFrom, isWaiting });
}

/** What people may do with an order in its state, one step after the other. */
export function stepsOf(status: OrderStory['status'], environment: 'uat' | 'production'): OrderStep[] {
  if (environment === 'uat') return [];
  return orderSteps.filter((step) => orderAfter(status, step) !== null);
}

export const orderSteps = ['pick', 'pack', 'ship', 'deliver'] as const;
export type OrderStep = (typeof orderSteps)[number];
