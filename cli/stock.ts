import { type Command, InvalidArgumentError, Option } from 'commander';
import { CalendarDate, IdentifierOrEmpty, Title } from '../contract/values.ts';
import { accountIdsOf } from '../server/domain/partners/partner-queries.ts';
import { correctStock } from '../server/domain/stock/correct-stock.ts';
import { type ExpiringLot, findExpiringLots } from '../server/domain/stock/find-expiring-lots.ts';
import { findFirstLots } from '../server/domain/stock/first-lots.ts';
import { lotUnitsMax, type StockType, stockTypes } from '../server/domain/stock/lot.ts';
import { type FoundMovement, findMovements } from '../server/domain/stock/movement-queries.ts';
import { regradeStock } from '../server/domain/stock/regrade-stock.ts';
import type { LotName, RefusedChange } from '../server/domain/stock/stock-change.ts';
import { systemClock } from '../server/platform/clock.ts';
import { pick } from '../server/platform/pick.ts';
import type { Database } from '../server/platform/postgres/database.ts';
import type { Search } from '../server/platform/postgres/keyset-search.ts';
import { noAccounts } from '../server/platform/postgres/sql.ts';
import { userName } from './apply-file.ts';
import { checkedBy } from './checked-option.ts';
import { exitCodes, Failure, makeCommand } from './command-line.ts';
import { count, limitOption, warehouseNumber } from './limit-option.ts';
import { formatTable, storeCommand } from './store-command.ts';

/** `lading stock`: lists stock and its movements, and corrects it. */
export function stockCommand() {
  const group = makeCommand('stock').description(
    'list stock and its movements, correct and regrade it, and find expiring lots',
  );
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
      const { within: withinDays, account: accountNo = null, warehouse: warehouseNo = null, limit } = options;
      if (accountNo !== null) await accountOf(store.database, accountNo);
      const question = { accountNo, warehouseNo, withinDays, limit };
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

interface LotOptions {
  account: string;
  warehouse: number;
  sku: string;
  batch: string;
  expires?: string;
  reason: string;
}

const eachCallCounts =
  '\nThis command is not idempotent: running it twice changes the stock twice. "lading stock movements" shows past changes.';

function correctCommand() {
  const command = storeCommand(
    'correct',
    'correct the number of units of a lot after a count, with a reason',
    async (store, _config, options: LotOptions & { bad?: boolean; by: number }) => {
      const lot = { ...lotNameOf(options), stockType: options.bad ? ('bad' as const) : ('good' as const) };
      const correction = { lot, units: options.by, reason: options.reason };
      const outcome = await correctStock(store.database, correction, causeOf('correct'));
      if (outcome.kind !== 'corrected') throw refusal(outcome, options);
      const { onHandBefore, onHand, locked } = outcome;
      return {
        json: { on_hand_before: onHandBefore, on_hand: onHand, locked, free: onHand - locked },
        text: `on hand: ${onHandBefore} before, ${onHand} now (${locked} allocated, ${onHand - locked} free)`,
      };
    },
  );
  return withLotOptions(command)
    .option('--bad', 'correct the lot of defective units (default: the good one)')
    .addOption(
      new Option('--by <units>', 'number of units to add or remove: +3 or -3')
        .argParser(signedUnits)
        .makeOptionMandatory(),
    )
    .addHelpText(
      'after',
      `\nOnly free units can be removed. Adding units creates the lot if it does not exist.${eachCallCounts}`,
    );
}

function regradeCommand() {
  const command = storeCommand(
    'regrade',
    'move units of a lot from good to bad or back, with a reason',
    async (store, _config, options: LotOptions & { units: number; to: StockType }) => {
      const { units, to, reason } = options;
      const outcome = await regradeStock(
        store.database,
        { lot: lotNameOf(options), units, to, reason },
        causeOf('regrade'),
      );
      if (outcome.kind !== 'regraded') throw refusal(outcome, options);
      const { freeGood, freeBad } = outcome;
      return {
        json: { free_good: freeGood, free_bad: freeBad },
        text: `moved to ${to}: ${units}; free now: ${freeGood} good, ${freeBad} bad`,
      };
    },
  );
  return withLotOptions(command)
    .addOption(
      new Option('--units <count>', 'how many').argParser((text) => count(text, 1, lotUnitsMax)).makeOptionMandatory(),
    )
    .addOption(new Option('--to <type>', 'the new grade').choices(stockTypes).makeOptionMandatory())
    .addHelpText('after', `\nOnly free units can be moved.${eachCallCounts}`);
}

function withLotOptions(command: Command): Command {
  return command
    .addOption(accountOption().makeOptionMandatory())
    .addOption(warehouseOption('the warehouse of the lot').makeOptionMandatory())
    .addOption(skuOption())
    .addOption(
      new Option('--batch <batch_id>', 'its batch').argParser(checkedBy(IdentifierOrEmpty(125))).default('', 'none'),
    )
    .addOption(
      new Option(
        '--expires <day>',
        'expiry date of the lot, such as 2027-06-30 (default: it does not expire)',
      ).argParser(checkedBy(CalendarDate)),
    )
    .addOption(
      new Option('--reason <text>', 'reason, stored with the movement')
        .argParser(checkedBy(Title(500)))
        .makeOptionMandatory(),
    );
}

function lotNameOf({ account, warehouse, sku, batch, expires }: LotOptions): LotName {
  return { accountNo: account, warehouseNo: warehouse, skuId: sku, batchId: batch, expireDate: expires ?? null };
}

function causeOf(verb: string) {
  return { actor: `stock ${verb} (${userName()})`, traceId: null };
}

function refusal(refused: RefusedChange, options: LotOptions): Failure {
  return new Failure(exitCodes.refused, `${formatRejected(refused, options)}; nothing was changed`);
}

function formatRejected(refused: RefusedChange, { account, warehouse, sku }: LotOptions): string {
  switch (refused.kind) {
    case 'not_found':
      return {
        account: `there is no account ${account}`,
        warehouse: `there is no warehouse ${warehouse}`,
        product: `account ${account} has no product ${sku}`,
        lot: `there is no such lot ("lading stock list --account ${account} --sku ${sku}" lists the existing ones)`,
      }[refused.what];
    case 'not_kept_there':
      return `account ${account} has neither a tenant nor a logistics key in warehouse ${warehouse}, so its stock there could never be ordered`;
    case 'too_few_free':
      return `only ${refused.free} units are free (${refused.locked} are allocated to orders)`;
    case 'too_many_units':
      return `a lot can hold at most ${refused.unitsMax} units, and this one has ${refused.onHand}`;
    default:
      return refused satisfies never;
  }
}

async function accountOf(database: Database, accountNo: string): Promise<number> {
  const [accountId] = await database.read(noAccounts, (sql) => accountIdsOf(sql, accountNo));
  if (accountId === undefined) throw new Failure(exitCodes.refused, `there is no account ${accountNo}`);
  return accountId;
}

function accountOption(meaning = 'whose stock'): Option {
  return new Option('--account <account_no>', meaning);
}

function skuOption(): Option {
  return new Option('--sku <sku_id>', 'the product').makeOptionMandatory();
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
