import { type Command, InvalidArgumentError, Option } from 'commander';
import { CalendarDate, IdentifierOrEmpty, Title } from '../contract/values.ts';
import { userName } from '../server/apply-file.ts';
import { exitCodes, Failure, makeCommand } from '../server/command-line.ts';
import { accountIdsOf } from '../server/domain/partners/partner-queries.ts';
import { correctStock } from '../server/domain/stock/correct-stock.ts';
import { type ExpiringLot, findExpiringLots } from '../server/domain/stock/find-expiring-lots.ts';
import { findFirstLots } from '../server/domain/stock/first-lots.ts';
import { lotUnitsMax, type StockType, stockTypes } from '../server/domain/stock/lot.ts';
import { type FoundMovement, findMovements } from '../server/domain/stock/movement-queries.ts';
import { regradeStock } from '../server/domain/stock/regrade-stock.ts';
import type { LotName, RefusedChange } from '../server/domain/stock/stock-change.ts';
import { systemClock } from '../server/platform/clock.ts';
import type { Database } from '../server/platform/database.ts';
import type { Search } from '../server/platform/keyset-search.ts';
import { checkedBy } from './checked-option.ts';
import { count, limitOption, warehouseNumber } from './limit-option.ts';
import { storeCommand, wordTable } from './store-command.ts';

/** `lading stock`: what lies where, how it came there, and how it is set right. */
export function stockCommand() {
  const group = makeCommand('stock').description('list stock and its movements; correct and regrade it; find what expires');
  group.addCommand(listCommand());
  group.addCommand(movementsCommand());
  group.addCommand(expiringCommand());
  group.addCommand(correctCommand());
  group.addCommand(regradeCommand());
  return group;
}

const listedDefault = 200;

function listCommand() {
  return storeCommand(
    'list',
    'list the lots of an account that have something on hand',
    async (store, _config, options: { account: string; sku?: string; warehouse?: number; limit: number }) => {
      const accountId = await accountOf(store.database, options.account);
      const search = { accountId, filters: filtersOf(options), sort: null };
      const { lots: found } = await findFirstLots(store.database, search, options.limit, systemClock.now());
      const lots = found.slice(0, options.limit).map((lot) => ({
        ...{ warehouse_no: lot.warehouse_no, sku_id: lot.sku_id, stock_type: lot.stock_type, batch_id: lot.batch_id },
        ...{ expire_date: lot.expire_date, on_hand: lot.on_hand, locked: lot.locked, free: lot.on_hand - lot.locked },
        available: lot.available,
      }));
      const isMore = found.length > options.limit;
      return { json: { lots, is_more: isMore }, words: withMore(wordTable(lots, 'nothing of this is on hand'), isMore, options.limit) };
    },
  )
    .addOption(accountOption().makeOptionMandatory())
    .addOption(new Option('--sku <sku_id>', 'of this product only'))
    .addOption(warehouseOption('in this warehouse only'))
    .addOption(limitOption(listedDefault))
    .addHelpText('after', '\navailable: what can still be sold; bad stock cannot, nor what expires too soon for every tenant there.');
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
    'show how the stock of a product came about: every movement, the newest first',
    async (store, _config, options: { account: string; sku: string; warehouse?: number; limit: number }) => {
      const { sku: skuId, warehouse: warehouseNo = null, limit } = options;
      const accountId = await accountOf(store.database, options.account);
      const found = await store.database.read((sql) => findMovements(sql, { accountId, skuId, warehouseNo }, limit + 1));
      if (!found) throw new Failure(exitCodes.refused, `account ${options.account} has no product ${skuId}`);
      const movements = found.slice(0, limit);
      const isMore = found.length > limit;
      const words = wordTable(movements.map(movementLine), 'nothing has ever been moved of it');
      return { json: { movements, is_more: isMore }, words: withMore(words, isMore, limit) };
    },
  )
    .addOption(accountOption().makeOptionMandatory())
    .addOption(skuOption())
    .addOption(warehouseOption('in this warehouse only'))
    .addOption(limitOption(movementsDefault));
}

function movementLine(movement: FoundMovement) {
  const { at, kind, warehouse_no, stock_type, batch_id, expire_date, on_hand_delta, locked_delta, document_no, actor, reason } = movement;
  return {
    ...{ at, kind, on_hand: signed(on_hand_delta), locked: signed(locked_delta), warehouse_no, stock_type, batch_id, expire_date },
    ...{ document: document_no, by: actor, reason },
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
    'list lots with something on hand that have expired or soon will, the earliest first',
    async (store, _config, options: { within: number; account?: string; warehouse?: number; limit: number }) => {
      const { within: withinDays, account: accountNo = null, warehouse: warehouseNo = null, limit } = options;
      if (accountNo !== null) await accountOf(store.database, accountNo);
      const question = { accountNo, warehouseNo, withinDays, limit };
      const { lots, isMore } = await findExpiringLots(store.database, question, systemClock.now());
      const lines = lots.map(expiringLine);
      const words = wordTable(lines, `nothing on hand has expired or expires within ${withinDays} days`);
      return { json: { lots: lines, is_more: isMore }, words: withMore(words, isMore, limit) };
    },
  )
    .addOption(
      new Option('--within <days>', 'how many days from today on')
        .argParser((text) => count(text, 0, withinMax))
        .default(withinDefault, String(withinDefault)),
    )
    .addOption(accountOption('of this account only'))
    .addOption(warehouseOption('in this warehouse only'))
    .addOption(limitOption(listedDefault))
    .addHelpText(
      'after',
      '\ndays_left: 0 on the last day, less after it.\nsellable: whether a tenant of the account there still sells it (sellable_days_before_expiry).',
    );
}

function expiringLine(lot: ExpiringLot) {
  const { account_no, warehouse_no, sku_id, stock_type, batch_id, expire_date, days_left, on_hand, locked, free, is_sellable } = lot;
  return { account_no, warehouse_no, sku_id, stock_type, batch_id, expire_date, days_left, on_hand, locked, free, sellable: is_sellable };
}

function withMore(words: string, isMore: boolean, limit: number): string {
  return isMore ? `${words}\nthere are more than these ${limit}; --limit shows more` : words;
}

interface LotOptions {
  account: string;
  warehouse: number;
  sku: string;
  batch: string;
  expires?: string;
  reason: string;
}

const eachCallCounts = '\nEach call counts: run twice, it changes the stock twice. "lading stock movements" shows what has been done.';

function correctCommand() {
  const command = storeCommand(
    'correct',
    'set a lot right by what was counted: more units or fewer, with the reason',
    async (store, _config, options: LotOptions & { bad?: boolean; by: number }) => {
      const lot = { ...lotNameOf(options), stockType: options.bad ? ('bad' as const) : ('good' as const) };
      const correction = { lot, units: options.by, reason: options.reason };
      const outcome = await correctStock(store.database, correction, causeOf('correct'));
      if (outcome.kind !== 'corrected') throw refusal(outcome, options);
      const { onHandBefore, onHand, locked } = outcome;
      return {
        json: { on_hand_before: onHandBefore, on_hand: onHand, locked, free: onHand - locked },
        words: `${onHandBefore} were on hand, ${onHand} are now; ${locked} of them locked, ${onHand - locked} free`,
      };
    },
  );
  return withLotOptions(command)
    .option('--bad', 'the lot of defective units (default: the good one)')
    .addOption(new Option('--by <units>', 'how many more or fewer: +3 or -3').argParser(signedUnits).makeOptionMandatory())
    .addHelpText(
      'after',
      `\nOnly free units can be taken away. A lot that does not exist is opened by units that are added.${eachCallCounts}`,
    );
}

function regradeCommand() {
  const command = storeCommand(
    'regrade',
    'move units of a lot from good to bad or back, with the reason',
    async (store, _config, options: LotOptions & { units: number; to: StockType }) => {
      const { units, to, reason } = options;
      const outcome = await regradeStock(store.database, { lot: lotNameOf(options), units, to, reason }, causeOf('regrade'));
      if (outcome.kind !== 'regraded') throw refusal(outcome, options);
      const { freeGood, freeBad } = outcome;
      return {
        json: { free_good: freeGood, free_bad: freeBad },
        words: `${units} moved to ${to}; now ${freeGood} good ones are free and ${freeBad} bad ones`,
      };
    },
  );
  return withLotOptions(command)
    .addOption(new Option('--units <count>', 'how many').argParser((text) => count(text, 1, lotUnitsMax)).makeOptionMandatory())
    .addOption(new Option('--to <type>', 'what they are from now on').choices(stockTypes).makeOptionMandatory())
    .addHelpText('after', `\nOnly free units can be moved.${eachCallCounts}`);
}

function withLotOptions(command: Command): Command {
  return command
    .addOption(accountOption().makeOptionMandatory())
    .addOption(warehouseOption('where the lot lies').makeOptionMandatory())
    .addOption(skuOption())
    .addOption(new Option('--batch <batch_id>', 'its batch').argParser(checkedBy(IdentifierOrEmpty(125))).default('', 'none'))
    .addOption(
      new Option('--expires <day>', 'its expiry date, such as 2027-06-30 (default: it does not expire)').argParser(checkedBy(CalendarDate)),
    )
    .addOption(new Option('--reason <text>', 'why; it stays with the movement').argParser(checkedBy(Title(500))).makeOptionMandatory());
}

function lotNameOf({ account, warehouse, sku, batch, expires }: LotOptions): LotName {
  return { accountNo: account, warehouseNo: warehouse, skuId: sku, batchId: batch, expireDate: expires ?? null };
}

function causeOf(verb: string) {
  return { actor: `stock ${verb} (${userName()})`, traceId: null };
}

function refusal(refused: RefusedChange, options: LotOptions): Failure {
  return new Failure(exitCodes.refused, `${wordRefused(refused, options)}; nothing was changed`);
}

function wordRefused(refused: RefusedChange, { account, warehouse, sku }: LotOptions): string {
  switch (refused.kind) {
    case 'not_found':
      return {
        account: `there is no account ${account}`,
        warehouse: `there is no warehouse ${warehouse}`,
        product: `account ${account} has no product ${sku}`,
        lot: `there is no such lot ("lading stock list --account ${account} --sku ${sku}" shows those there are)`,
      }[refused.what];
    case 'not_kept_there':
      return `account ${account} has neither a tenant nor a logistics key in warehouse ${warehouse}, so nobody could order it there`;
    case 'too_few_free':
      return `only ${refused.free} units are free (${refused.locked} are locked by orders)`;
    case 'too_many_units':
      return `a lot holds at most ${refused.unitsMax} units, and has ${refused.onHand}`;
    default:
      return refused satisfies never;
  }
}

async function accountOf(database: Database, accountNo: string): Promise<number> {
  const [accountId] = await database.read((sql) => accountIdsOf(sql, accountNo));
  if (accountId === undefined) throw new Failure(exitCodes.refused, `there is no account ${accountNo}`);
  return accountId;
}

function accountOption(meaning = 'whose stock'): Option {
  return new Option('--account <account_no>', meaning);
}

function skuOption(): Option {
  return new Option('--sku <sku_id>', 'of which product').makeOptionMandatory();
}

function warehouseOption(meaning: string): Option {
  return new Option('--warehouse <warehouse_no>', meaning).argParser(warehouseNumber);
}

function signedUnits(text: string): number {
  const units = /^[+-]\d{1,13}$/.test(text) ? Number(text) : 0;
  if (units === 0 || Math.abs(units) > lotUnitsMax)
    throw new InvalidArgumentError('It must be a number of units other than 0, with its sign, such as +3 or -3.');
  return units;
}
