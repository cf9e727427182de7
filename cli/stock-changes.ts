import { type Command, InvalidArgumentError, Option } from 'commander';
import { CalendarDate, CallerIdentifier, IdentifierOrEmpty, Title } from '../contract/values.ts';
import { correctStock } from '../server/domain/stock/correct-stock.ts';
import { lotUnitsMax, type StockType, stockTypes } from '../server/domain/stock/lot.ts';
import { type MoveMistake, moveStock } from '../server/domain/stock/move-stock.ts';
import { regradeStock } from '../server/domain/stock/regrade-stock.ts';
import type { LotName, UnitsChange } from '../server/domain/stock/stock-change.ts';
import { newTraceId } from '../server/platform/ids.ts';
import { userName } from './apply-file.ts';
import { checkedBy } from './checked-option.ts';
import { exitCodes, Failure } from './command-line.ts';
import { count, warehouseNumber } from './limit-option.ts';
import { accountOf, accountOption, skuOption, warehouseOption } from './stock-options.ts';
import { storeCommand } from './store-command.ts';

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
const repeatsCount =
  '\nWith --reference the command can be repeated: the stock changes once. Without it, running it twice changes the stock twice.';

export function adjustCommand() {
  const command = storeCommand(
    'adjust',
    'add or remove units of a lot, or set them to what was counted, with a reason',
    async (store, _config, options: AdjustOptions) => {
      const { account, reason, reference = null } = options;
      const accountId = await accountOf(store.database, account);
      const correction = {
        accountId,
        lot: lotNameOf(options),
        units: unitsOf(options),
        reason,
        referenceNo: reference,
      };
      const outcome = await correctStock(store.database, correction, causeOf('adjust'));
      if (outcome.kind === 'conflict') throw numberConflict(reference!);
      if (outcome.kind !== 'corrected' && outcome.kind !== 'repeated') throw refusal(outcome, options);
      const { onHand, locked, delta } = outcome;
      const before = onHand - delta;
      const repeated = outcome.kind === 'repeated';
      return {
        json: {
          ...{ on_hand_before: before, on_hand: onHand, locked, free: onHand - locked },
          ...(reference === null ? {} : { reference_no: reference, idempotent: repeated }),
        },
        text: `${repeated ? 'changed by an earlier call; ' : ''}on hand: ${before} before, ${onHand} now (${locked} allocated, ${onHand - locked} free)`,
      };
    },
  ).alias('correct');
  return withLotOptions(command)
    .option('--bad', 'adjust the lot of defective units (default: the good one)')
    .addOption(new Option('--by <units>', 'number of units to add or remove: +3 or -3').argParser(signedUnits))
    .addOption(
      new Option('--counted <units>', 'all units of the lot as counted, including those allocated to orders')
        .argParser((text) => count(text, 0, lotUnitsMax))
        .conflicts('by'),
    )
    .addOption(referenceOption())
    .addHelpText(
      'after',
      `\nGive either --by or --counted. Only free units can be removed. Adding units creates the lot if it does not exist.${repeatsCount}`,
    );
}

interface AdjustOptions extends LotOptions {
  bad?: boolean;
  by?: number;
  counted?: number;
  reference?: string;
}

function unitsOf({ by, counted }: AdjustOptions): UnitsChange {
  if (by !== undefined) return { delta: by };
  if (counted !== undefined) return { counted };
  throw new Failure(exitCodes.wrongUsage, 'give either --by or --counted');
}

export function regradeCommand() {
  const command = storeCommand(
    'regrade',
    'move units of a lot from good to bad or back, with a reason',
    async (store, _config, options: LotOptions & { units: number; to: StockType }) => {
      const { account, units, to, reason } = options;
      const accountId = await accountOf(store.database, account);
      const regrade = { accountId, lot: lotNameOf(options), units, to, reason };
      const outcome = await regradeStock(store.database, regrade, causeOf('regrade'));
      if (outcome.kind !== 'regraded') throw refusal(outcome, options);
      const { freeGood, freeBad } = outcome;
      return {
        json: { free_good: freeGood, free_bad: freeBad },
        text: `moved to ${to}: ${units}; free now: ${freeGood} good, ${freeBad} bad`,
      };
    },
  );
  return withLotOptions(command)
    .addOption(unitsOption())
    .addOption(new Option('--to <type>', 'the new grade').choices(stockTypes).makeOptionMandatory())
    .addHelpText('after', `\nOnly free units can be moved.${eachCallCounts}`);
}

interface MoveOptions extends LotOptions {
  bad?: boolean;
  units: number;
  toWarehouse: number;
  reference?: string;
}

export function moveCommand() {
  const command = storeCommand(
    'move',
    'move units of a lot to another warehouse of the account, with a reason',
    async (store, _config, options: MoveOptions) => {
      const { account, units, toWarehouse, reason } = options;
      const referenceNo = options.reference ?? newTraceId(Date.now());
      const outcome = await moveStock(store.database, {
        accountId: await accountOf(store.database, account),
        referenceNo,
        lines: [{ lot: lotNameOf(options), toWarehouseNo: toWarehouse, units }],
        reason,
        cause: causeOf('move'),
      });
      if (outcome.kind === 'conflict') throw numberConflict(referenceNo);
      if (outcome.kind === 'refused') {
        const { side, refused } = outcome.mistakes[0]!;
        throw refusal(refused, side === 'from' ? options : { ...options, warehouse: toWarehouse });
      }
      const { from, to } = outcome.lines[0]!;
      const repeated = outcome.kind === 'repeated';
      const moved = `${units} to warehouse ${toWarehouse}; on hand now: ${from.onHand} here, ${to.onHand} there`;
      return {
        json: { reference_no: referenceNo, on_hand_from: from.onHand, on_hand_to: to.onHand, idempotent: repeated },
        text: `${repeated ? 'moved by an earlier call' : 'moved'}: ${moved} (reference ${referenceNo})`,
      };
    },
  );
  return withLotOptions(command)
    .option('--bad', 'move defective units (default: good ones)')
    .addOption(unitsOption())
    .addOption(
      new Option('--to-warehouse <warehouse_no>', 'where the units go')
        .argParser(warehouseNumber)
        .makeOptionMandatory(),
    )
    .addOption(referenceOption())
    .addHelpText('after', `\nOnly free units can be moved. Batch and expiry date stay.${repeatsCount}`);
}

function unitsOption(): Option {
  return new Option('--units <count>', 'how many')
    .argParser((text) => count(text, 1, lotUnitsMax))
    .makeOptionMandatory();
}

function referenceOption(): Option {
  return new Option('--reference <number>', 'your number for this change, unique within the account').argParser(
    checkedBy(CallerIdentifier),
  );
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

function lotNameOf({ warehouse, sku, batch, expires, bad }: LotOptions & { bad?: boolean }): LotName {
  const stockType = bad ? 'bad' : 'good';
  return { warehouseNo: warehouse, skuId: sku, stockType, batchId: batch, expireDate: expires ?? null };
}

function causeOf(verb: string) {
  return { actor: `stock ${verb} (${userName()})`, traceId: null };
}

function numberConflict(referenceNo: string): Failure {
  return new Failure(
    exitCodes.refused,
    `the reference ${referenceNo} was used before for another change; nothing was changed`,
  );
}

function refusal(refused: MoveMistake['refused'], options: LotOptions): Failure {
  return new Failure(exitCodes.refused, `${formatRejected(refused, options)}; nothing was changed`);
}

function formatRejected(refused: MoveMistake['refused'], { account, warehouse, sku }: LotOptions): string {
  switch (refused.kind) {
    case 'not_found':
      return {
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
    case 'same_warehouse':
      return `the units are in warehouse ${warehouse} already`;
    default:
      return refused satisfies never;
  }
}

function signedUnits(text: string): number {
  const units = /^[+-]\d{1,13}$/.test(text) ? Number(text) : 0;
  if (units === 0 || Math.abs(units) > lotUnitsMax)
    throw new InvalidArgumentError('It must be a number of units other than 0, with its sign, such as +3 or -3.');
  return units;
}
