import type { BodyOf } from '../../../contract/console/console-call.ts';
import {
  type BlindLine,
  type CountMistake,
  type CountProduct,
  type CountRow,
  countBook,
  countCreate,
  countDiscard,
  countEnter,
  countFind,
  countRecount,
  countReview,
  countSearch,
  countSheet,
  countUndo,
  type ReviewLine,
} from '../../../contract/console/counts.ts';
import { rejection } from '../../../messages/rejection-texts.ts';
import { type BookCountOutcome, bookCount, discardCount } from '../../domain/counting/book-count.ts';
import { createCount, type WantedCount } from '../../domain/counting/create-count.ts';
import { enterUnits, recountLots, undoEntry } from '../../domain/counting/enter-units.ts';
import { findByScan, readSheet, type Sheet } from '../../domain/counting/read-count.ts';
import {
  type BookingMistake,
  type CountedLot,
  type CountedProduct,
  type CountLine,
  countNoOf,
  differenceOf,
  type SheetLine,
  type StockCount,
} from '../../domain/counting/stock-count.ts';
import { findCountById, findCounts, type ListedCount } from '../../domain/counting/stock-count-queries.ts';
import { ProblemError } from '../../http/problem.ts';
import { distinct } from '../../platform/distinct.ts';
import { pick } from '../../platform/pick.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleCaller, type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import { type AccountNoOf, accountIdsOf, accountNosOf, listPage, mistakeAt } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { ownFilter, refuseOtherWarehouses } from './own-warehouses.ts';

/** Counts of the units on the shelves. */
export function countEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [
    countSearchCall(parts),
    countCreateCall(parts),
    countSheetCall(parts),
    countFindCall(parts),
    countEnterCall(parts),
    countUndoCall(parts),
    countReviewCall(parts),
    countRecountCall(parts),
    countBookCall(parts),
    countDiscardCall(parts),
  ];
}

const byStaff = { role: 'staff', warehouses: 'own' } as const;
const auditOf = ({ count_id }: { count_id: number }) => ({ subject: `count ${count_id}` });

function countSearchCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(countSearch, {
    ...byStaff,
    audit: null,
    isList: true,
    async handle(caller, { warehouse_no, state, ...body }) {
      const filters = { ...ownFilter(caller, warehouse_no), ...(state && { state: { anyOf: state } }) };
      return await listPage(parts, caller, body, { list: 'counts', filters }, findCounts, toCount);
    },
  });
}

function toCount(count: ListedCount, accountNoOf: AccountNoOf): CountRow {
  return {
    account_no: accountNoOf(count.account_id),
    count_no: countNoOf(count.count_id),
    ...pick(count, 'count_id, warehouse_no, scope, location, sku_count, state, created_by, created_at, ended_by'),
    ...pick(count, 'ended_at, reference_no, lots_counted'),
  };
}

function countCreateCall({ database, directory }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(countCreate, {
    ...byStaff,
    audit: ({ account_no, warehouse_no, scope, location, sku_ids }) => ({
      accountNo: account_no,
      details: { warehouse_no, scope, ...(location && { location }), ...(sku_ids && { skus: sku_ids.length }) },
    }),
    async handle(caller, body) {
      const { account_no, warehouse_no, request_id } = body;
      refuseOtherWarehouses(caller, [warehouse_no]);
      const [accountId] = await accountIdsOf(directory, [account_no]);
      const wanted = { accountId: accountId!, warehouseNo: warehouse_no, of: scopeOf(body), requestId: request_id };
      const outcome = await createCount(database, { ...wanted, by: caller.session.username });
      switch (outcome.kind) {
        case 'created':
          return { kind: outcome.kind, count_id: outcome.countId, count_no: countNoOf(outcome.countId) };
        case 'not_manual':
        case 'nothing_to_count':
          return { kind: outcome.kind };
        case 'unknown_skus':
          return { kind: outcome.kind, sku_ids: outcome.skuIds };
        case 'too_many_lots':
          return { kind: outcome.kind, lots_max: outcome.lotsMax };
        default:
          return outcome satisfies never;
      }
    },
  });
}

function scopeOf({ scope, location, sku_ids }: BodyOf<typeof countCreate>): WantedCount['of'] {
  if ((location === undefined) === (scope === 'location'))
    throw mistakeAt('location', rejection('only_with_scope', { scope: 'location' }));
  if ((sku_ids === undefined) === (scope === 'skus'))
    throw mistakeAt('sku_ids', rejection('only_with_scope', { scope: 'skus' }));
  if (location !== undefined) return { scope: 'location', location };
  return sku_ids === undefined ? { scope: 'warehouse' } : { scope: 'skus', skuIds: distinct(sku_ids) };
}

/** The count, if it is in a warehouse of the operator. */
async function countOf({ database }: ConsoleParts, caller: ConsoleCaller, countId: number): Promise<StockCount> {
  const count = await database.read(noAccounts, (sql) => findCountById(sql, countId));
  if (count === null) throw noSuchCount();
  refuseOtherWarehouses(caller, [count.warehouseNo]);
  return count;
}

function noSuchCount(): ProblemError {
  return new ProblemError({ kind: 'not_found', message: rejection('no_such_count') });
}

function countSheetCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(countSheet, {
    ...byStaff,
    audit: null,
    async handle(caller, { count_id }) {
      const { sheet, ...read } = await readWhole(parts, caller, count_id);
      return { ...read, lines: sheet.lines.map(toBlindLine) };
    },
  });
}

function countReviewCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(countReview, {
    ...byStaff,
    audit: null,
    async handle(caller, { count_id }) {
      const { sheet, ...read } = await readWhole(parts, caller, count_id);
      return { ...read, lines: sheet.lines.map(toReviewLine) };
    },
  });
}

async function readWhole(
  parts: ConsoleParts,
  caller: ConsoleCaller,
  countId: number,
): Promise<{ count: CountRow; products: CountProduct[]; is_cut: boolean; sheet: Sheet }> {
  const count = await countOf(parts, caller, countId);
  await parts.directory.allNow();
  const accountIds = [count.accountId];
  const search = { accountIds, filters: { count_id: { anyOf: [countId] } }, sort: null, pageSize: 1, after: null };
  const [listed, sheet] = await parts.database.read(accountIds, (sql) =>
    Promise.all([findCounts(sql, search), readSheet(sql, count)]),
  );
  return {
    count: toCount(listed.rows[0]!, accountNosOf(parts.directory)),
    products: sheet.products.map(toProduct),
    is_cut: sheet.isCut,
    sheet,
  };
}

function toProduct({ productId, skuId, name, location }: CountedProduct): CountProduct {
  return { product_id: productId, sku_id: skuId, name, location };
}

function toBlindLine({ line, ...lot }: SheetLine): BlindLine {
  return { ...toLot(lot), ...toCounted(line) };
}

function toCounted(line: CountLine | null) {
  const isCounted = line !== null && line.entries > 0;
  return {
    counted: isCounted ? line.counted : null,
    round: line?.round ?? 1,
    counted_by: isCounted ? line.countedBy : null,
  };
}

function toReviewLine({ line, onHand, locked, ...lot }: SheetLine): ReviewLine {
  const isCounted = line !== null && line.entries > 0;
  return {
    ...toLot(lot),
    ...toCounted(line),
    counted_at: isCounted ? line.countedAt : null,
    expected: line?.expected ?? null,
    off_shelf: line?.offShelf ?? null,
    difference: differenceOf(line),
    moved: line?.moved ?? false,
    on_hand: onHand,
    locked,
    booked: line?.booked ?? null,
  };
}

function toLot({ productId, stockType, batchId, expireDate }: CountedLot) {
  return { product_id: productId, stock_type: stockType, batch_id: batchId, expire_date: expireDate };
}

type LotBody = BodyOf<typeof countEnter>['lot'];

function lotOf({ product_id, stock_type, batch_id, expire_date }: LotBody): CountedLot {
  return { productId: product_id, stockType: stock_type, batchId: batch_id, expireDate: expire_date };
}

function lineOf(line: CountLine): BlindLine {
  return { ...toLot(line), ...toCounted(line) };
}

function countFindCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(countFind, {
    ...byStaff,
    audit: null,
    async handle(caller, { count_id, code }) {
      const count = await countOf(parts, caller, count_id);
      const found = await parts.database.read([count.accountId], (sql) => findByScan(sql, count, code));
      switch (found.kind) {
        case 'unknown':
          return found;
        case 'not_on_sheet':
          return { kind: found.kind, product: toProduct(found.product) };
        case 'found': {
          const { kind, product, units, lines } = found;
          return { kind, product: toProduct(product), units, lines: lines.map(toBlindLine) };
        }
        default:
          return found satisfies never;
      }
    },
  });
}

function countEnterCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(countEnter, {
    ...byStaff,
    audit: ({ count_id, lot, units }) => ({ ...auditOf({ count_id }), details: { ...lot, units } }),
    async handle(caller, { count_id, scan_id, lot, units }) {
      const count = await countOf(parts, caller, count_id);
      const entered = { lot: lotOf(lot), units, scanId: scan_id, by: caller.session.username };
      const outcome = await enterUnits(parts.database, count, entered);
      switch (outcome.kind) {
        case 'entered':
        case 'repeated':
          return { kind: outcome.kind, line: lineOf(outcome.line) };
        case 'not_found':
          throw noSuchCount();
        case 'too_many_units':
        case 'not_on_sheet':
          return { kind: outcome.kind };
        case 'ended':
          return outcome;
        default:
          return outcome satisfies never;
      }
    },
  });
}

function countUndoCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(countUndo, {
    ...byStaff,
    audit: auditOf,
    async handle(caller, { count_id, scan_id }) {
      const outcome = await undoEntry(parts.database, await countOf(parts, caller, count_id), scan_id);
      if (outcome.kind === 'undone') return { kind: outcome.kind, line: lineOf(outcome.line) };
      return outcome.kind === 'not_found' ? { kind: 'no_such_scan' as const } : outcome;
    },
  });
}

function countRecountCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(countRecount, {
    ...byStaff,
    audit: ({ count_id, lots }) => ({ ...auditOf({ count_id }), details: { lots: lots.length } }),
    async handle(caller, { count_id, lots }) {
      const count = await countOf(parts, caller, count_id);
      const rounds = lots.map(({ round, ...lot }) => ({ ...lotOf(lot), round }));
      const outcome = await recountLots(parts.database, count, rounds);
      if (outcome.kind === 'not_found') throw noSuchCount();
      return outcome;
    },
  });
}

function countBookCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(countBook, {
    ...byStaff,
    audit: ({ count_id, left_out = [] }) => ({ ...auditOf({ count_id }), details: { left_out: left_out.length } }),
    async handle(caller, { count_id, left_out = [] }, request) {
      const count = await countOf(parts, caller, count_id);
      const booking = { leftOut: left_out.map(lotOf), by: caller.session.username, cause: causeOf(caller, request) };
      return toBooked(await bookCount(parts.database, count, booking));
    },
  });
}

function toBooked(outcome: BookCountOutcome) {
  switch (outcome.kind) {
    case 'booked':
    case 'repeated': {
      const { kind, referenceNo, lots, added, removed } = outcome;
      return { kind, reference_no: referenceNo, lots, added, removed };
    }
    case 'refused':
      return { kind: outcome.kind, mistakes: outcome.mistakes.map(toMistake) };
    case 'ended':
      return outcome;
    case 'not_found':
      throw noSuchCount();
    default:
      return outcome satisfies never;
  }
}

function toMistake({ lot, refused }: BookingMistake): CountMistake {
  return {
    ...toLot(lot),
    refused:
      refused.kind === 'too_many_units'
        ? { kind: refused.kind, on_hand: refused.onHand, units_max: refused.unitsMax }
        : refused,
  };
}

function countDiscardCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(countDiscard, {
    ...byStaff,
    audit: auditOf,
    async handle(caller, { count_id }) {
      const count = await countOf(parts, caller, count_id);
      const outcome = await discardCount(parts.database, count, caller.session.username);
      if (outcome.kind === 'not_found') throw noSuchCount();
      return outcome;
    },
  });
}
