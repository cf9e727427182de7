import { Option } from 'commander';
import { type ExpiringLot, findExpiringLots } from '../server/domain/stock/find-expiring-lots.ts';
import { findFirstLots } from '../server/domain/stock/first-lots.ts';
import { type FoundMovement, findMovements } from '../server/domain/stock/movement-queries.ts';
import { systemClock } from '../server/platform/clock.ts';
import { pick } from '../server/platform/pick.ts';
import type { Search } from '../server/platform/postgres/keyset-search.ts';
import { exitCodes, Failure, makeCommand } from './command-line.ts';
import { count, limitOption } from './limit-option.ts';
import { adjustCommand, moveCommand, regradeCommand } from './stock-changes.ts';
import { accountOf, accountOption, skuOption, warehouseOption } from './stock-options.ts';
import { storeCommand } from './store-command.ts';
import { formatTable } from './table.ts';

/** `lading stock`: lists stock and its movements, and changes it. */
export function stockCommand() {
  const group = makeCommand('stock').description(
    'list stock and its movements, adjust, regrade and move it, and find expiring lots',
  );
  group.addCommand(listCommand());
  group.addCommand(movementsCommand());
  group.addCommand(expiringCommand());
  group.addCommand(adjustCommand());
  group.addCommand(regradeCommand());
  group.addCommand(moveCommand());
  return group;
}

const listedDefault = 200;

function listCommand() {
  return storeCommand(
    'list',
    'list the lots of an account that have units on hand',
    async (store, _config, options: { account: string; sku?: string; warehouse?: number; limit: number }) => {
      const accountId = await accountOf(store.database, options.account);
      const search = { accountId, filters: filtersOf(options), sort: null };
      const { lots: found } = await findFirstLots(store.database, search, options.limit, systemClock.now());
      const lots = found.slice(0, options.limit).map((lot) => ({
        warehouse_no: lot.warehouse_no,
        sku_id: lot.sku_id,
        stock_type: lot.stock_type,
        batch_id: lot.batch_id,
        expire_date: lot.expire_date,
        on_hand: lot.on_hand,
        locked: lot.locked,
        free: lot.on_hand - lot.locked,
        available: lot.available,
      }));
      const isMore = found.length > options.limit;
      return {
        json: { lots, is_more: isMore },
        text: withMore(formatTable(lots, 'no units on hand'), isMore, options.limit),
      };
    },
  )
    .addOption(accountOption().makeOptionMandatory())
    .addOption(new Option('--sku <sku_id>', 'only lots of this product'))
    .addOption(warehouseOption('only in this warehouse'))
    .addOption(limitOption(listedDefault))
    .addHelpText(
      'after',
      '\navailable: units that can still be sold. Bad stock and lots that expire too soon for all tenants of the warehouse cannot.',
    );
}

function filtersOf({ sku, warehouse }: { sku?: string; warehouse?: number }): Search['filters'] {
  return {
    ...(sku === undefined ? {} : { sku_id: { anyOf: [sku] } }),
    ...(warehouse === undefined ? {} : { warehouse_no: { anyOf: [warehouse] } }),
  };
}

const movementsDefault = 50;

function movementsCommand() {
  return storeCommand(
    'movements',
    'show all stock movements of a product, newest first',
    async (store, _config, options: { account: string; sku: string; warehouse?: number; limit: number }) => {
      const { sku: skuId, warehouse: warehouseNo = null, limit } = options;
      const accountId = await accountOf(store.database, options.account);
      const found = await store.database.read([accountId], (sql) =>
        findMovements(sql, { accountId, skuId, warehouseNo }, limit + 1),
      );
      if (!found) throw new Failure(exitCodes.refused, `account ${options.account} has no product ${skuId}`);
      const movements = found.slice(0, limit);
      const isMore = found.length > limit;
      const text = formatTable(movements.map(movementLine), 'there are no movements of this product');
      return { json: { movements, is_more: isMore }, text: withMore(text, isMore, limit) };
    },
  )
    .addOption(accountOption().makeOptionMandatory())
    .addOption(skuOption())
    .addOption(warehouseOption('only in this warehouse'))
    .addOption(limitOption(movementsDefault));
}

function movementLine(movement: FoundMovement) {
  return {
    ...pick(movement, 'at, kind'),
    on_hand: signed(movement.on_hand_delta),
    locked: signed(movement.locked_delta),
    ...pick(movement, 'warehouse_no, stock_type, batch_id, expire_date'),
    document: movement.document_no,
    reference: movement.reference_no,
    other_warehouse: movement.other_warehouse_no,
    by: movement.actor,
    reason: movement.reason,
  };
}

function signed(units: number): string {
  return units > 0 ? `+${units}` : String(units);
}

const withinDefault = 30;
const withinMax = 36_500;

function expiringCommand() {
  return storeCommand(
    'expiring',
    'list lots with units on hand that have expired or will expire soon, earliest first',
    async (store, _config, options: { within: number; account?: string; warehouse?: number; limit: number }) => {
      const { within: withinDays, account: accountNo = null, warehouse, limit } = options;
      const warehouseNos = warehouse === undefined ? null : [warehouse];
      if (accountNo !== null) await accountOf(store.database, accountNo);
      const question = { accountNo, warehouseNos, withinDays, limit };
      const { lots, isMore } = await findExpiringLots(store.database, question, systemClock.now());
      const lines = lots.map(expiringLine);
      const text = formatTable(lines, `no lot on hand has expired or will expire within ${withinDays} days`);
      return { json: { lots: lines, is_more: isMore }, text: withMore(text, isMore, limit) };
    },
  )
    .addOption(
      new Option('--within <days>', 'number of days from today')
        .argParser((text) => count(text, 0, withinMax))
        .default(withinDefault, String(withinDefault)),
    )
    .addOption(accountOption('only lots of this account'))
    .addOption(warehouseOption('only in this warehouse'))
    .addOption(limitOption(listedDefault))
    .addHelpText(
      'after',
      '\ndays_left: 0 on the expiry date, negative afterwards.\nsellable: whether a tenant of the account in that warehouse still sells it (sellable_days_before_expiry).',
    );
}

function expiringLine(lot: ExpiringLot) {
  const { is_sellable, ...rest } = pick(
    lot,
    'account_no, warehouse_no, sku_id, stock_type, batch_id, expire_date, days_left, on_hand, locked, free, is_sellable',
  );
  return { ...rest, sellable: is_sellable };
}

function withMore(text: string, isMore: boolean, limit: number): string {
  return isMore ? `${text}\nthere are more than these ${limit} rows; use --limit to see more` : text;
}
