import type { BodyOf } from '../../../contract/console/console-call.ts';
import {
  type InboundDetail,
  type InboundListRow,
  type InboundReceipt,
  type InboundTimelineEntry,
  inboundDetail,
  inboundFindByScan,
  inboundSearch,
  type ScanAnswer,
} from '../../../contract/console/inbound.ts';
import { inboundStatuses } from '../../../contract/main/inbounds-search.ts';
import { findCallbacksWithAttempts } from '../../domain/callbacks/document-callback-queries.ts';
import { findNotes } from '../../domain/documents/note-queries.ts';
import {
  type BroughtLot,
  findBroughtLots,
  findCodesOfLines,
  findInboundsById,
  findLineByScan,
  findNamedLines,
  findOrderBroughtBack,
  findPlaceNames,
  findPortions,
  findReceiptSums,
  type NamedLine,
} from '../../domain/inbound/inbound-detail-queries.ts';
import { inboundAfter, mayBeCancelled } from '../../domain/inbound/inbound-document.ts';
import {
  findInboundHistory,
  findInboundsNamed,
  type InboundHistory,
} from '../../domain/inbound/inbound-history-queries.ts';
import { type PastReceipt, receiptsOf } from '../../domain/inbound/inbound-receipts.ts';
import { type ListedInbound, listInbounds } from '../../domain/inbound/inbound-search-queries.ts';
import { progressOfLines, progressOfProducts } from '../../domain/inbound/line-progress.ts';
import { findRequestsAbout } from '../../domain/requests/document-request-queries.ts';
import { distinct } from '../../platform/distinct.ts';
import { pick } from '../../platform/pick.ts';
import type { Database, Reader } from '../../platform/postgres/database.ts';
import type { Condition, Search } from '../../platform/postgres/keyset-search.ts';
import { noAccounts, type Sql } from '../../platform/postgres/sql.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { type AccountNoOf, accountNosOf, listPage, sortBy, wholeDays } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import {
  inboundCancelCall,
  inboundNoteAddCall,
  inboundReceiveCall,
  inboundStopCall,
  noSuchInbound,
} from './inbound-receiving.ts';
import { inOwnWarehouses, isOwn, refuseOtherWarehouses } from './own-warehouses.ts';
import { oldestFirst, toTimelineEntries } from './timeline.ts';

/** Inbound documents and returns: list, detail, receiving. */
export function inboundEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [
    inboundSearchCall(parts),
    inboundDetailCall(parts),
    inboundReceiveCall(parts),
    inboundStopCall(parts),
    inboundCancelCall(parts),
    inboundNoteAddCall(parts),
    inboundFindByScanCall(parts),
  ];
}

type Body = BodyOf<typeof inboundSearch>;

function inboundSearchCall(parts: ConsoleParts): ConsoleEndpoint {
  async function idsNamed(reads: Reader, number: string): Promise<number[]> {
    const named = await reads.read(noAccounts, (sql) => findInboundsNamed(sql, number, null));
    return named.map(({ document_id }) => document_id);
  }

  return consoleEndpoint(inboundSearch, {
    role: 'read-only',
    warehouses: 'own',
    audit: null,
    isList: true,
    async handle(caller, body) {
      const named: Search['filters'] =
        body.number === undefined ? {} : { inbound_id: { anyOf: await idsNamed(caller.reads, body.number) } };
      const question = {
        list: 'inbound',
        filters: { ...named, ...filtersOf(inOwnWarehouses(caller, body)) },
        sort: sortBy(sortOf(body), body.reversed),
        tabs: { field: 'status', values: inboundStatuses },
      };
      return await listPage(parts, caller, body, question, listInbounds, rowOf);
    },
  });
}

function rowOf(found: ListedInbound, accountNoOf: AccountNoOf): InboundListRow {
  return {
    account_no: accountNoOf(found.account_id),
    ...pick(found, 'inbound_id, document_no, partner_number, channel, kind, status, warehouse_no, store_no'),
    original_order_number: found.original_order_number ?? found.returned?.partnerNumber ?? null,
    can_cancel: mayBeCancelled(found),
    order: found.returned && { order_id: found.returned.orderId, order_no: found.returned.orderNo },
    ...pick(found, 'estimated_arrival_at, line_count, announced_units, arrived_units'),
    ...pick(found, 'arrived_bad_units, created_at, updated_at'),
  };
}

function filtersOf(body: Body): Search['filters'] {
  const { status, kind, channel, warehouse_no, sort } = body;
  // Those that do not say when they come have no place in this order.
  const comesAtAll = sort === 'arrival' ? { gte: '-infinity' } : undefined;
  const filters: Record<string, Condition | undefined> = {
    status: status && { anyOf: status },
    kind: kind && { anyOf: kind },
    channel: channel && { anyOf: channel },
    warehouse_no: warehouse_no && { anyOf: warehouse_no },
    estimated_arrival_at: wholeDays(body.arrival_from, body.arrival_to) ?? comesAtAll,
    created_at: wholeDays(body.created_from, body.created_to),
    updated_at: wholeDays(body.updated_from, body.updated_to),
    sku_id: body.sku_id === undefined ? undefined : { anyOf: [body.sku_id] },
    storage_type: body.storage && { anyOf: body.storage },
  };
  return Object.fromEntries(
    Object.entries(filters).flatMap(([name, condition]) => (condition ? [[name, condition]] : [])),
  );
}

const sortFields = {
  created: { field: 'created_at', descending: true },
  updated: { field: 'updated_at', descending: true },
  arrival: { field: 'estimated_arrival_at', descending: false },
} as const;

/** A range sorts by its own field, because only then are the rows a contiguous part of an index. */
function sortOf({ sort, arrival_from, arrival_to, updated_from, updated_to }: Body): NonNullable<Search['sort']> {
  if (sort !== undefined) return sortFields[sort];
  if ((arrival_from ?? arrival_to) !== undefined) return sortFields.arrival;
  return (updated_from ?? updated_to) === undefined ? sortFields.created : sortFields.updated;
}

function inboundDetailCall({ database, directory }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(inboundDetail, {
    role: 'read-only',
    warehouses: 'own',
    audit: null,
    async handle(caller, { inbound_id }) {
      const found = await lookUp(database, inbound_id);
      if (found === null) throw noSuchInbound();
      refuseOtherWarehouses(caller, [found.document.warehouse_no]);
      const environment = (await directory.find(found.document.account_no))?.environment ?? 'production';
      return { inbound_id, environment, ...factsOf(found), ...progressOf(found), ...historyOf(found) };
    },
  });
}

/** More than a person can look through; the totals include all of them. */
const receiptsShownMax = 200;
const portionsReadMax = 1000;
const lotsPerReceiptMax = 20;

type Found = NonNullable<Awaited<ReturnType<typeof lookUp>>>;

async function lookUp(database: Database, inboundId: number) {
  const [found] = await database.read(noAccounts, (sql) => findInboundsById(sql, [inboundId]));
  if (!found) return null;
  const accountId = found.account_id;
  const key = { accountId, inboundId };
  const documentKey = { accountId, documentId: inboundId };
  return await database.read([accountId], async (sql) => {
    const document = await findInboundHistory(sql, key);
    if (document === null) return null;
    const [lines, codes, lots, sums, portions, { callbacks, attempts, hasMoreAttempts }, notes, order, places] =
      await Promise.all([
        findNamedLines(sql, key),
        findCodesOfLines(sql, key),
        findBroughtLots(sql, key),
        findReceiptSums(sql, key, receiptsShownMax + 1),
        findPortions(sql, key, portionsReadMax),
        findCallbacksWithAttempts(sql, 'inbound', documentKey),
        findNotes(sql, 'inbound', documentKey),
        document.kind === 'return' ? findOrderBroughtBack(sql, key) : null,
        findPlaceNames(sql, document.warehouse_no, document.store_no),
      ]);
    const receipts = receiptsOf(sums.slice(0, receiptsShownMax), portions, document.receipts);
    const { calls, hasMoreRequests } = await findCalls(sql, document, receipts);
    const hasMoreNotifications = hasMoreAttempts || hasMoreRequests;
    const hasOlderReceipts = sums.length > receiptsShownMax;
    return {
      document,
      lines,
      codes,
      lots,
      receipts,
      hasOlderReceipts,
      callbacks,
      attempts,
      notes,
      order,
      places,
      calls,
      hasMoreNotifications,
    };
  });
}

async function findCalls(sql: Sql, { account_no, partner_number, timeline }: InboundHistory, receipts: PastReceipt[]) {
  const traceIds = [...timeline, ...receipts].flatMap(({ traceId }) => traceId ?? []);
  return await findRequestsAbout(sql, { traceIds: distinct(traceIds), accountNo: account_no, number: partner_number });
}

function factsOf({ document, order, places }: Found) {
  const {
    callbacks: _callbacks,
    lines: _lines,
    lots: _lots,
    receipts: _receipts,
    timeline: _timeline,
    ...facts
  } = document;
  const { original_order_number, orders_id: _orders_id, ...rest } = facts;
  const number = original_order_number ?? order?.partner_number ?? null;
  const { status } = document;
  return {
    ...rest,
    ...places,
    returned_order: number === null ? null : { number, order },
    can: {
      receive: inboundAfter(status, 'receive') !== null,
      stop: inboundAfter(status, 'stop') !== null,
      cancel: mayBeCancelled(document),
    },
  };
}

function progressOf({ document, lines, codes, lots }: Found) {
  const announced = lines.map(({ sku_id, batch_id, expire_date, qty }) => ({
    skuId: sku_id,
    batchId: batch_id,
    expireDate: expire_date,
    qty,
  }));
  const arrived = lots.map(arrivedIn);
  const progress = progressOfLines(announced, arrived);
  const codesOf = Map.groupBy(codes, ({ sku_id }) => sku_id);
  const nameOf = new Map(lines.map(({ sku_id, name }) => [sku_id, name]));
  const sum = (units: number[]) => units.reduce((total, one) => total + one, 0);
  return {
    announced_units: sum(lines.map(({ qty }) => qty)),
    arrived_good_units: sum(arrived.filter(({ stockType }) => stockType === 'good').map(({ units }) => units)),
    arrived_bad_units: sum(arrived.filter(({ stockType }) => stockType === 'bad').map(({ units }) => units)),
    missing_units: sum(progress.map(({ missing }) => missing)),
    lines: lines.map(({ qty, ...line }: NamedLine, index) => ({ ...line, announced: qty, ...progress[index]! })),
    products: progressOfProducts(announced, arrived, document.over_delivery_percent).map(
      ({ skuId, announced, arrived, acceptedMax, stillAccepted }) => ({
        sku_id: skuId,
        name: nameOf.get(skuId)!,
        announced,
        arrived,
        accepted_max: acceptedMax,
        still_accepted: stillAccepted,
        codes: (codesOf.get(skuId) ?? []).map(({ code, units }) => ({ code, units })),
      }),
    ),
    lots,
  };
}

function arrivedIn({ sku_id, stock_type, batch_id, expire_date, received, retracted }: BroughtLot) {
  return {
    skuId: sku_id,
    stockType: stock_type,
    batchId: batch_id,
    expireDate: expire_date,
    units: received - retracted,
  };
}

function historyOf(
  found: Found,
): Pick<InboundDetail, 'receipts' | 'has_older_receipts' | 'timeline' | 'has_more_timeline'> {
  return {
    receipts: found.receipts.map(toReceipt),
    has_older_receipts: found.hasOlderReceipts,
    timeline: timelineOf(found),
    has_more_timeline: found.hasMoreNotifications,
  };
}

function toReceipt(receipt: PastReceipt): InboundReceipt {
  const { at, actor, traceId, receiptNo, returnReason, good, bad, lotCount, portions } = receipt;
  const units = portions.slice(0, lotsPerReceiptMax).map(({ sku_id, stock_type, batch_id, expire_date, units }) => ({
    sku_id,
    stock_type,
    batch_id,
    expire_date,
    units,
  }));
  return {
    ...{ at, actor, trace_id: traceId, receipt_no: receiptNo, return_reason: returnReason },
    ...{ good, bad, lot_count: lotCount, units },
  };
}

/** The timeline, the oldest first. A request is only listed if it caused no other entry. */
function timelineOf({ document, receipts, callbacks, attempts, calls, notes }: Found): InboundTimelineEntry[] {
  const callOf = new Map(calls.map((call) => [call.trace_id, call.endpoint]));
  const listed = new Set([...document.timeline, ...receipts].map(({ traceId }) => traceId));
  // A number may be that of an order as well.
  const others = calls.filter(
    ({ trace_id, endpoint }) => !listed.has(trace_id) && /\/(inbounds?|purchases)\//.test(endpoint),
  );
  return oldestFirst<InboundTimelineEntry>([
    ...document.timeline.map(
      ({ event, from, to, at, actor, traceId }) =>
        ({
          kind: 'state',
          at,
          event,
          from,
          to,
          actor,
          trace_id: traceId,
          call: callOf.get(traceId ?? '') ?? null,
        }) as const,
    ),
    ...receipts.map(({ at, actor, traceId, receiptNo, good, bad }) => {
      const call = callOf.get(traceId ?? '') ?? null;
      return { kind: 'receipt', at, actor, trace_id: traceId, receipt_no: receiptNo, good, bad, call } as const;
    }),
    ...toTimelineEntries({ calls: others, callbacks, attempts }),
    ...notes.map(({ at, author, text }) => ({ kind: 'note', at, actor: author, text }) as const),
  ]);
}

function inboundFindByScanCall({ database, directory }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(inboundFindByScan, {
    role: 'read-only',
    warehouses: 'own',
    audit: null,
    async handle(caller, { text, inbound_id }): Promise<ScanAnswer> {
      if (inbound_id !== undefined) {
        const [document] = await database.read(noAccounts, (sql) => findInboundsById(sql, [inbound_id]));
        if (!document) return { kind: 'nothing' };
        refuseOtherWarehouses(caller, [document.warehouse_no]);
        const key = { accountId: document.account_id, inboundId: inbound_id };
        return await database.read([key.accountId], (sql) => findLineByScan(sql, key, text));
      }
      const documents = await database.read(noAccounts, async (sql) => {
        const named = await findInboundsNamed(sql, text, null);
        return named.length === 0
          ? []
          : await findInboundsById(
              sql,
              named.map(({ document_id }) => document_id),
            );
      });
      const own = documents.filter(({ warehouse_no }) => isOwn(caller, warehouse_no));
      if (own.length === 0)
        refuseOtherWarehouses(
          caller,
          documents.map(({ warehouse_no }) => warehouse_no),
        );
      if (own.length === 0) return { kind: 'nothing' };
      await directory.allNow();
      const accountNoOf = accountNosOf(directory);
      return {
        kind: 'documents',
        documents: own.map(({ account_id, channel: _, warehouse_no: __, ...document }) => ({
          ...document,
          account_no: accountNoOf(account_id),
        })),
      };
    },
  });
}
