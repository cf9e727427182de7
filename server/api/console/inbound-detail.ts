import {
  type InboundDetail,
  type InboundReceipt,
  type InboundTimelineEntry,
  inboundDetail,
} from '../../../contract/console/inbound-detail.ts';
import {
  type BroughtLot,
  findBroughtLots,
  findNamedLines,
  findOrderBroughtBack,
  findPlaceNames,
  findPortions,
  findReceiptSums,
  type NamedLine,
} from '../../domain/inbound/inbound-detail-queries.ts';
import { inboundAfter } from '../../domain/inbound/inbound-document.ts';
import { type PastReceipt, receiptsOf } from '../../domain/inbound/inbound-receipts.ts';
import { progressOfLines, progressOfProducts } from '../../domain/inbound/line-progress.ts';
import { findInboundStory, type InboundStory } from '../../domain/timeline/document-story-queries.ts';
import { findNotes } from '../../domain/timeline/note-queries.ts';
import { findCallbacksWithTries, findCallsAbout } from '../../domain/timeline/told-queries.ts';
import type { Database, Sql } from '../../platform/database.ts';
import { distinct } from '../../platform/distinct.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { noSuchInbound } from './inbound-named.ts';
import { oldestFirst, wordTold } from './told-entries.ts';

/** All that is known of an inbound document or a return. */
export function inboundDetailCall({ database, directory }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(inboundDetail, {
    role: 'read-only',
    audit: null,
    async handle(_caller, { inbound_id }) {
      const found = await lookUp(database, inbound_id);
      if (found === null) throw noSuchInbound();
      const environment = (await directory.find(found.story.account_no))?.environment ?? 'production';
      return { inbound_id, environment, ...factsOf(found), ...progressOf(found), ...historyOf(found) };
    },
  });
}

/** More than a person can look through; what they add up to is told all the same. */
const receiptsShownMax = 200;
const portionsReadMax = 1000;
const lotsPerReceiptMax = 20;

type Found = NonNullable<Awaited<ReturnType<typeof lookUp>>>;

async function lookUp(database: Database, inboundId: number) {
  return await database.read(async (sql) => {
    const story = await findInboundStory(sql, inboundId);
    if (story === null) return null;
    const [lines, lots, sums, portions, { callbacks, tries, hasMoreTries }, notes, order, places] = await Promise.all([
      findNamedLines(sql, inboundId),
      findBroughtLots(sql, inboundId),
      findReceiptSums(sql, inboundId, receiptsShownMax + 1),
      findPortions(sql, inboundId, portionsReadMax),
      findCallbacksWithTries(sql, 'inbound', inboundId),
      findNotes(sql, 'inbound', inboundId),
      story.original_order_number === null ? null : findOrderBroughtBack(sql, inboundId),
      findPlaceNames(sql, story.warehouse_no, story.store_no),
    ]);
    const receipts = receiptsOf(sums.slice(0, receiptsShownMax), portions, story.receipts);
    const { calls, hasMoreCalls } = await findCalls(sql, story, receipts);
    const hasMoreTold = hasMoreTries || hasMoreCalls;
    const hasOlderReceipts = sums.length > receiptsShownMax;
    return { story, lines, lots, receipts, hasOlderReceipts, callbacks, tries, notes, order, places, calls, hasMoreTold };
  });
}

async function findCalls(sql: Sql, { account_no, partner_number, timeline }: InboundStory, receipts: PastReceipt[]) {
  const traceIds = [...timeline, ...receipts].flatMap(({ traceId }) => traceId ?? []);
  return await findCallsAbout(sql, { traceIds: distinct(traceIds), accountNo: account_no, number: partner_number });
}

function factsOf({ story, order, places }: Found) {
  const { callbacks: _callbacks, lines: _lines, lots: _lots, receipts: _receipts, timeline: _timeline, ...facts } = story;
  const { original_order_number, ...rest } = facts;
  const { status, receiving } = story;
  return {
    ...rest,
    ...places,
    returned_order: original_order_number === null ? null : { number: original_order_number, order },
    can: {
      receive: inboundAfter(status, 'receive') !== null,
      stop: inboundAfter(status, 'stop') !== null,
      cancel: inboundAfter(status, 'cancel') !== null && (status === 'expected' || receiving === 'on_create'),
    },
  };
}

function progressOf({ story, lines, lots }: Found) {
  const announced = lines.map(({ sku_id, batch_id, expire_date, qty }) => ({
    skuId: sku_id,
    batchId: batch_id,
    expireDate: expire_date,
    qty,
  }));
  const arrived = lots.map(arrivedIn);
  const progress = progressOfLines(announced, arrived);
  const nameOf = new Map(lines.map(({ sku_id, name }) => [sku_id, name]));
  const sum = (units: number[]) => units.reduce((total, one) => total + one, 0);
  return {
    announced_units: sum(lines.map(({ qty }) => qty)),
    arrived_good_units: sum(arrived.filter(({ stockType }) => stockType === 'good').map(({ units }) => units)),
    arrived_bad_units: sum(arrived.filter(({ stockType }) => stockType === 'bad').map(({ units }) => units)),
    missing_units: sum(progress.map(({ missing }) => missing)),
    lines: lines.map(({ qty, ...line }: NamedLine, index) => ({ ...line, announced: qty, ...progress[index]! })),
    products: progressOfProducts(announced, arrived, story.over_delivery_percent).map(
      ({ skuId, announced, arrived, acceptedMax, stillAccepted }) => ({
        ...{ sku_id: skuId, name: nameOf.get(skuId)!, announced, arrived },
        ...{ accepted_max: acceptedMax, still_accepted: stillAccepted },
      }),
    ),
    lots,
  };
}

function arrivedIn({ sku_id, stock_type, batch_id, expire_date, received, retracted }: BroughtLot) {
  return { skuId: sku_id, stockType: stock_type, batchId: batch_id, expireDate: expire_date, units: received - retracted };
}

function historyOf(found: Found): Pick<InboundDetail, 'receipts' | 'has_older_receipts' | 'timeline' | 'has_more_timeline'> {
  return {
    receipts: found.receipts.map(wordReceipt),
    has_older_receipts: found.hasOlderReceipts,
    timeline: timelineOf(found),
    has_more_timeline: found.hasMoreTold,
  };
}

function wordReceipt({ at, actor, traceId, receiptNo, good, bad, lotCount, portions }: PastReceipt): InboundReceipt {
  const units = portions.slice(0, lotsPerReceiptMax).map(({ sku_id, stock_type, batch_id, expire_date, units }) => ({
    ...{ sku_id, stock_type, batch_id, expire_date, units },
  }));
  return { at, actor, trace_id: traceId, receipt_no: receiptNo, good, bad, lot_count: lotCount, units };
}

/** What happened, the oldest first. A call stands for itself only where nothing else came of it. */
function timelineOf({ story, receipts, callbacks, tries, calls, notes }: Found): InboundTimelineEntry[] {
  const callOf = new Map(calls.map((call) => [call.trace_id, call.endpoint]));
  const told = new Set([...story.timeline, ...receipts].map(({ traceId }) => traceId));
  // A number may be that of an order as well.
  const others = calls.filter(({ trace_id, endpoint }) => !told.has(trace_id) && /\/(inbounds?|purchases)\//.test(endpoint));
  return oldestFirst<InboundTimelineEntry>([
    ...story.timeline.map(
      ({ event, from, to, at, actor, traceId }) =>
        ({ kind: 'state', at, event, from, to, actor, trace_id: traceId, call: callOf.get(traceId ?? '') ?? null }) as const,
    ),
    ...receipts.map(({ at, actor, traceId, receiptNo, good, bad }) => {
      const call = callOf.get(traceId ?? '') ?? null;
      return { kind: 'receipt', at, actor, trace_id: traceId, receipt_no: receiptNo, good, bad, call } as const;
    }),
    ...wordTold({ calls: others, callbacks, tries }),
    ...notes.map(({ at, author, text }) => ({ kind: 'note', at, actor: author, text }) as const),
  ]);
}
