import type { BodyOf } from '../../../contract/console/console-call.ts';
import { pageSizeDefault } from '../../../contract/console/console-values.ts';
import {
  type ExpiringRow,
  type LedgerEntry,
  type LotRow,
  lotsShownMax,
  type ShelfRow,
  type SkuRow,
  stockBySku,
  stockCountMax,
  stockExpiring,
  stockLot,
  stockSearch,
  stockSkus,
  stockSummary,
} from '../../../contract/console/stock.ts';
import { rejection } from '../../../messages/rejection-texts.ts';
import { findWarehousesInUse } from '../../domain/partners/warehouse-queries.ts';
import { type FoundProduct, findProduct } from '../../domain/products/product-search-queries.ts';
import { type BandDays, bandDaysOf, expiryBand, filtersOfBand } from '../../domain/stock/expiry-band.ts';
import { type ExpiringLot, findExpiringLots } from '../../domain/stock/find-expiring-lots.ts';
import { type Balance, runningBalances } from '../../domain/stock/ledger.ts';
import { findCounterpart, findLedgerPage, findLotId, type LedgerMovement } from '../../domain/stock/ledger-queries.ts';
import { freeOf, stockTypes } from '../../domain/stock/lot.ts';
import { availableOf, sellableFromAt, sellingRulesOf } from '../../domain/stock/query-stock.ts';
import type { SellingRule } from '../../domain/stock/stock-queries.ts';
import {
  countLots,
  findListedLots,
  findStockedProducts,
  type ListedLot,
  type ShelfSum,
  sumShelves,
} from '../../domain/stock/stock-search-queries.ts';
import type { Cursors } from '../../http/cursor.ts';
import { ProblemError } from '../../http/problem.ts';
import { pick } from '../../platform/pick.ts';
import type { Condition, Page, Search } from '../../platform/postgres/keyset-search.ts';
import { noAccounts, type Sql } from '../../platform/postgres/sql.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { accountIdsOf, accountNosOf, listPage, mistakeAt, sortBy } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { inOwnWarehouses, isOwn, ownFilter, ownOf, refuseOtherWarehouses } from './own-warehouses.ts';
import { stockAuditEndpoints } from './stock-audit.ts';
import { stockChangeEndpoints } from './stock-changes.ts';
import { stockExpiredEndpoints } from './stock-expired.ts';

/** Lots, movements, corrections and stock audits. */
export function stockEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [
    stockSearchCall(parts),
    stockSummaryCall(parts),
    stockSkusCall(parts),
    stockBySkuCall(parts),
    stockLotCall(parts),
    ...stockChangeEndpoints(parts.database),
    ...stockExpiredEndpoints(parts),
    stockExpiringCall(parts),
    ...stockAuditEndpoints(parts),
  ];
}

function stockSearchCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(stockSearch, {
    role: 'read-only',
    warehouses: 'own',
    audit: null,
    isList: true,
    async handle(caller, asked) {
      const body = inOwnWarehouses(caller, asked);
      const judging = await judgingOf(parts, body.accounts);
      const find = (sql: Sql, search: Search) => findListedLots(sql, search, judging.rules);
      const question = {
        list: 'stock',
        filters: filtersOf(body, judging),
        sort: sortOf(body),
        tabs: { field: 'stock_type', values: stockTypes },
      };
      return await listPage(parts, caller, body, question, find, (lot) => toLot(lot, judging));
    },
  });
}

function filtersOf(body: BodyOf<typeof stockSearch>, { rules, days }: Judging): Search['filters'] {
  const { warehouse_no, sku_id, sku_prefix, stock_type, batch_id, expiry_band, expires_from, expires_to, only_free } =
    body;
  const { expire_date: ofBand = {}, ...band } =
    expiry_band === undefined ? {} : filtersOfBand(expiry_band, rules, days);
  const expire_date = within(ofBand, expires_from, expires_to);
  return {
    ...band,
    ...(sku_id === undefined && sku_prefix === undefined ? {} : { sku_id: skuCondition(sku_id, sku_prefix) }),
    ...(batch_id === undefined ? {} : { batch_id: { anyOf: [batch_id] } }),
    ...(Object.keys(expire_date).length === 0 ? {} : { expire_date }),
    ...(only_free ? { free: { gt: 0 } } : {}),
    ...(warehouse_no === undefined ? {} : { warehouse_no: { anyOf: warehouse_no } }),
    ...(stock_type === undefined ? {} : { stock_type: { anyOf: [stock_type] } }),
  };
}

const sortFields = {
  sku: { field: 'sku_id', descending: false },
  expiry: { field: 'expire_date', descending: false },
  on_hand: { field: 'on_hand', descending: true },
} as const;

/** Without a sort, a range of expiry dates decides on the order. */
function sortOf({ sort, reversed }: BodyOf<typeof stockSearch>): Search['sort'] {
  if (sort === undefined && !reversed) return null;
  return sortBy(sortFields[sort ?? 'sku'], reversed);
}

export function skuCondition(skuId: string | undefined, prefix: string | undefined): Condition {
  return { ...(skuId === undefined ? {} : { anyOf: [skuId] }), ...(prefix === undefined ? {} : { prefix }) };
}

/** The days of a band within a range. Lots without expiry are in no range. */
function within(ofBand: Condition, from: string | undefined, to: string | undefined): Condition {
  const gte = [ofBand.gte, from]
    .filter((day) => day !== undefined)
    .toSorted()
    .at(-1);
  const lte = [ofBand.lte, to].filter((day) => day !== undefined).toSorted()[0];
  const ends = from !== undefined && ofBand.lt === undefined && lte === undefined ? { lt: 'infinity' } : {};
  return { ...ofBand, ...ends, ...(gte === undefined ? {} : { gte }), ...(lte === undefined ? {} : { lte }) };
}

function stockSummaryCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(stockSummary, {
    role: 'read-only',
    warehouses: 'own',
    audit: null,
    isList: true,
    async handle(caller, { accounts }) {
      const { rules, days } = await judgingOf(parts, accounts);
      const accountIds = await accountIdsOf(parts.directory, accounts);
      const { bad, ...bands } = await caller.reads.read(accountIds, (sql) =>
        countLots(sql, { accountIds, warehouseNos: ownOf(caller), rules, days, limit: stockCountMax }),
      );
      return { bands, bad };
    },
  });
}

type ShelvedProduct = FoundProduct & { shelves: ShelfRow[] };

function stockSkusCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(stockSkus, {
    role: 'read-only',
    warehouses: 'own',
    audit: null,
    isList: true,
    async handle(caller, body) {
      const { accounts, sku_id, sku_prefix, only_stocked } = body;
      const warehouse_no = ownOf(caller, body.warehouse_no ?? null);
      const { rules } = await judgingOf(parts, accounts);
      const filters: Search['filters'] = {
        ...(sku_id === undefined && sku_prefix === undefined ? {} : { sku_id: skuCondition(sku_id, sku_prefix) }),
        ...(only_stocked ? { is_stocked: { anyOf: [1] } } : {}),
      };

      const find = async (sql: Sql, search: Search): Promise<Page<ShelvedProduct>> => {
        const page = await findStockedProducts(sql, search, warehouse_no);
        const products = page.rows.map(({ account_id, product_id }) => ({
          accountId: account_id,
          productId: product_id,
        }));
        const sums = await sumShelves(sql, products, rules);
        const asked = Map.groupBy(
          sums.filter((sum) => warehouse_no === null || warehouse_no.includes(sum.warehouse_no)),
          (sum) => sum.product_id,
        );
        const rows = page.rows.map((row) => ({ ...row, shelves: (asked.get(row.product_id) ?? []).map(toShelf) }));
        return { ...page, rows };
      };
      return await listPage(
        parts,
        caller,
        body,
        { list: `skus/${warehouse_no ?? ''}`, filters },
        find,
        (row, accountNoOf) => toSku(row, accountNoOf(row.account_id)),
      );
    },
  });
}

function toSku({ product_id, sku_id, name, shelves }: ShelvedProduct, account_no: string): SkuRow {
  const sum = (field: 'lots' | 'on_hand' | 'locked' | 'free' | 'sellable', of = shelves) =>
    of.reduce((total, shelf) => total + shelf[field], 0);
  return {
    product_id,
    account_no,
    sku_id,
    product_name: name,
    warehouses: [...new Set(shelves.map((shelf) => shelf.warehouse_no))],
    ...{
      lots: sum('lots'),
      on_hand: sum('on_hand'),
      locked: sum('locked'),
      free: sum('free'),
      sellable: sum('sellable'),
    },
    bad: sum(
      'on_hand',
      shelves.filter((shelf) => shelf.stock_type === 'bad'),
    ),
    earliest_expiry: shelves.flatMap((shelf) => shelf.earliest_expiry ?? []).toSorted()[0] ?? null,
  };
}

function stockBySkuCall(parts: ConsoleParts): ConsoleEndpoint {
  const { database } = parts;
  return consoleEndpoint(stockBySku, {
    role: 'read-only',
    warehouses: 'own',
    audit: null,
    async handle(caller, { product_id }) {
      const product = await database.read(noAccounts, (sql) => findProduct(sql, product_id));
      if (product === null) throw new ProblemError({ kind: 'not_found', message: rejection('no_such_product') });
      const judging = await judgingOfOne(parts, product.account_id);
      const search = {
        accountIds: [product.account_id],
        filters: { sku_id: { anyOf: [product.sku_id] }, ...ownFilter(caller) },
        sort: { field: 'expire_date', descending: false },
        pageSize: lotsShownMax,
        after: null,
      };
      const key = { accountId: product.account_id, productId: product_id };
      const shelves = await database.read([key.accountId], (sql) => sumShelves(sql, [key], judging.rules));
      const { rows, next } = await database.read(search.accountIds, (sql) =>
        findListedLots(sql, search, judging.rules),
      );
      const account_no = judging.accountNoOf(product.account_id);
      return {
        ...{
          product_id,
          account_no,
          sku_id: product.sku_id,
          product_name: product.name,
          shelves: shelves.filter(({ warehouse_no }) => isOwn(caller, warehouse_no)).map(toShelf),
        },
        lots: rows.map((lot) => toLot(lot, judging)),
        is_more: next !== null,
      };
    },
  });
}

const limitDefault = 50;

function stockExpiringCall({ directory, clock }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(stockExpiring, {
    role: 'read-only',
    warehouses: 'own',
    audit: null,
    isList: true,
    async handle(caller, { account_no, warehouse_no, within_days: withinDays, limit = limitDefault }) {
      if (account_no !== undefined) await accountIdsOf(directory, [account_no]);
      const warehouseNos = ownOf(caller, warehouse_no === undefined ? null : [warehouse_no]);
      const question = { accountNo: account_no ?? null, warehouseNos, withinDays, limit };
      const { lots, isMore } = await findExpiringLots(caller.reads, question, clock.now());
      return { lots: lots.map(toExpiring), is_more: isMore };
    },
  });
}

function toExpiring(lot: ExpiringLot): ExpiringRow {
  return pick(
    lot,
    'account_no, warehouse_no, sku_id, stock_type, batch_id, expire_date, days_left, on_hand, locked, free, is_sellable',
  );
}

/** A lot, and its movements as a ledger: each with what the lot held after it. */
function stockLotCall(parts: ConsoleParts): ConsoleEndpoint {
  const { database, cursors } = parts;
  return consoleEndpoint(stockLot, {
    role: 'read-only',
    warehouses: 'own',
    audit: null,
    async handle(caller, { lot_id, page_size = pageSizeDefault, cursor }) {
      const place = cursor === undefined ? null : readPlace(cursors, lot_id, cursor);
      const key = await database.read(noAccounts, (sql) => findLotId(sql, lot_id));
      const page =
        key &&
        (await database.read([key.accountId], (sql) =>
          findLedgerPage(sql, { ...key, before: place?.before ?? null, limit: page_size + 1 }),
        ));
      if (key === null || page === null)
        throw new ProblemError({ kind: 'not_found', message: rejection('no_such_lot') });
      const { lot, movements } = page;
      refuseOtherWarehouses(caller, [lot.warehouse_no]);
      const judging = await judgingOfOne(parts, lot.account_id);
      const [counterpart, warehouses] = await database.read([key.accountId], (sql) =>
        Promise.all([findCounterpart(sql, key), findWarehousesInUse(sql, key.accountId)]),
      );

      const shown = movements.slice(0, page_size);
      const { entries, before } = runningBalances(shown, place?.after ?? { onHand: lot.on_hand, locked: lot.locked });
      const hasMore = movements.length > shown.length;
      const { warehouse_name, created_at } = lot;
      return {
        lot: {
          ...toLot({ ...lot, available: availableOf(lot, judging.rules) }, judging),
          warehouse_name,
          created_at,
        },
        counterpart,
        destinations: warehouses.filter(
          ({ warehouse_no }) => warehouse_no !== lot.warehouse_no && isOwn(caller, warehouse_no),
        ),
        rows: entries.map(toLedgerEntry),
        next_cursor: hasMore ? writePlace(cursors, lot_id, { before: shown.at(-1)!.movement_id, after: before }) : null,
        unexplained: hasMore ? null : { on_hand: before.onHand, locked: before.locked },
      };
    },
  });
}

function toLedgerEntry({ after, ...movement }: LedgerMovement & { after: Balance }): LedgerEntry {
  return { ...movement, on_hand_after: after.onHand, locked_after: after.locked };
}

/** Where a page begins: before this movement, and with this balance after the first one on it. */
interface LedgerPlace {
  before: number;
  after: Balance;
}

const scopeOf = (lotId: number) => ({
  list: `console/lot/${lotId}`,
  accountIds: [],
  search: { filters: {}, sort: null },
});

function writePlace(cursors: Cursors, lotId: number, { before, after }: LedgerPlace): string {
  return cursors.write(scopeOf(lotId), [before, after.onHand, after.locked].map(String));
}

function readPlace(cursors: Cursors, lotId: number, cursor: string): LedgerPlace {
  const place = cursors.read(scopeOf(lotId), cursor)?.map(Number);
  if (!place) throw mistakeAt('cursor', rejection('cursor_of_other_lot'));
  const [before, onHand, locked] = place as [number, number, number];
  return { before, after: { onHand, locked } };
}

/** The selling rules of the accounts, as of today. */
interface Judging {
  rules: SellingRule[];
  days: BandDays;
  accountNoOf(accountId: number): string;
}

async function judgingOf(
  { directory, clock }: Pick<ConsoleParts, 'directory' | 'clock'>,
  accountNos?: string[],
): Promise<Judging> {
  const asked = new Set(await accountIdsOf(directory, accountNos));
  const accounts = [...directory.known().values()].filter(({ accountId }) => asked.has(accountId));
  const now = clock.now();
  return { rules: sellingRulesOf(accounts, now), days: bandDaysOf(now), accountNoOf: accountNosOf(directory) };
}

export async function judgingOfOne(
  parts: Pick<ConsoleParts, 'directory' | 'clock'>,
  accountId: number,
): Promise<Judging> {
  await parts.directory.allNow();
  return await judgingOf(parts, [accountNosOf(parts.directory)(accountId)]);
}

function toLot(lot: ListedLot, { rules, days, accountNoOf }: Judging): LotRow {
  const { account_id, warehouse_no, expire_date, on_hand, locked } = lot;
  return {
    account_no: accountNoOf(account_id),
    ...pick(lot, 'lot_id, warehouse_no, product_id, sku_id, product_name, stock_type, batch_id, expire_date'),
    expiry_band: expiryBand(expire_date, sellableFromAt(rules, account_id, warehouse_no), days),
    on_hand,
    locked,
    free: freeOf({ onHand: on_hand, locked }),
    sellable: lot.available,
  };
}

export function toShelf({ product_id: _, available, ...shelf }: ShelfSum): ShelfRow {
  const { on_hand, locked } = shelf;
  return { ...shelf, free: freeOf({ onHand: on_hand, locked }), sellable: available };
}
