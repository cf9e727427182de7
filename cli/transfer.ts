import { type Command, Option } from 'commander';
import { userName } from '../server/apply-file.ts';
import { exitCodes, Failure, makeCommand } from '../server/command-line.ts';
import { pushByHand, retryRejected } from '../server/domain/orders/transfer-orders.ts';
import { type ListedTransfer, listTransfers, type TransferSelection } from '../server/domain/orders/transfer-queries.ts';
import { listSchedule } from '../server/domain/orders/transfer-schedule-queries.ts';
import type { Database } from '../server/platform/database.ts';
import { limitOption, warehouseNumber } from './limit-option.ts';
import { makeProgress } from './progress.ts';
import { storeCommand, wordTable } from './store-command.ts';

/** `lading transfer`: orders on their way to their warehouse, and those that it does not want. */
export function transferCommand() {
  const group = makeCommand('transfer').description('list orders that are being sent or were put aside, and send them again; push by hand');
  group.addCommand(listCommand());
  group.addCommand(scheduleCommand());
  group.addCommand(retryCommand());
  group.addCommand(pushCommand());
  return group;
}

const listedDefault = 100;

interface ListOptions {
  warehouse?: number;
  status?: 'sending' | 'rejected';
  limit: number;
}

function listCommand(): Command {
  const command = storeCommand(
    'list',
    'list orders that are being sent, or were rejected and put aside, the oldest first',
    async (store, _config, { warehouse, status, limit }: ListOptions) => {
      const selection = { warehouseNo: warehouse ?? null, status: status ?? null, numbers: null };
      const found = await store.database.read((sql) => listTransfers(sql, selection, limit));
      const rows = found.map(({ order_id: _, ...row }) => row);
      const isFiltered = warehouse !== undefined || status !== undefined;
      const none = 'no order is being sent, and none is put aside; "lading transfer schedule" shows waves that failed';
      return { json: rows, words: wordTable(rows.map(lineOf), isFiltered ? 'there is no such order' : none) };
    },
  );
  return withWarehouse(command)
    .addOption(new Option('--status <status>', 'of this status only').choices(['sending', 'rejected']))
    .addOption(limitOption(listedDefault));
}

function scheduleCommand(): Command {
  return storeCommand('schedule', 'show how the last wave of each warehouse went, and when the next one is due', async (store) => {
    const rows = await store.database.read(listSchedule);
    return {
      json: rows,
      words: wordTable(
        rows.map((row) => ({ ...row })),
        'there is no warehouse yet; make one with: lading warehouse create --help',
      ),
    };
  });
}

function withWarehouse(command: Command): Command {
  return command.option('--warehouse <warehouse_no>', 'of this warehouse only', warehouseNumber);
}

function lineOf({ transfer_id: _, ...row }: ListedTransfer) {
  return { ...row, reason: row.reason?.replaceAll(/\s+/g, ' ') ?? null };
}

const retriedMax = 1_000_000;

function retryCommand(): Command {
  const command = storeCommand(
    'retry',
    'send orders again that were put aside: these, or all; they go with the next wave, under a new transfer id',
    async (store, _config, numbers: string[], { allRejected = false, warehouse }: { allRejected?: boolean; warehouse?: number }) => {
      if (allRejected === numbers.length > 0) throw new Failure(exitCodes.wrongUsage, 'say which: numbers of orders, or --all-rejected');
      const orderIds = await rejectedOnes(store.database, {
        warehouseNo: warehouse ?? null,
        status: 'rejected',
        numbers: allRejected ? null : numbers,
      });
      const count = await retryRejected(store.database, orderIds);
      return { json: { count }, words: `${count} order${count === 1 ? '' : 's'} will be sent again with the next wave` };
    },
  ).argument('[numbers...]', "the orders' numbers: orders_id, or the partner's own");
  return withWarehouse(command).option('--all-rejected', 'all that were put aside');
}

async function rejectedOnes(database: Database, selection: TransferSelection): Promise<number[]> {
  const found = await database.read((sql) => listTransfers(sql, selection, retriedMax));
  for (const number of selection.numbers ?? []) {
    const named = found.filter((order) => order.orders_id === number || order.number === number);
    if (named.length === 0) throw new Failure(exitCodes.refused, `order ${number} is not put aside; nothing was changed`);
    if (named.length > 1) {
      const which = named.map(({ orders_id, account_no }) => `${orders_id} of ${account_no}`);
      throw new Failure(exitCodes.refused, `more than one order has the number ${number}; say which by its orders_id:`, which);
    }
  }
  return found.map((order) => order.order_id);
}

function pushCommand(): Command {
  return storeCommand(
    'push',
    'give everything that waits to a manual warehouse; of any other one, begin the next wave now',
    async (store, _config, warehouseNo: number) => {
      const cause = { actor: `transfer push (${userName()})`, traceId: null };
      const onProgress = makeProgress();
      const outcome = await pushByHand(store.database, warehouseNo, cause, { onProgress: (count) => onProgress(`${count} orders so far`) });
      switch (outcome.kind) {
        case 'not_found':
          throw new Failure(exitCodes.refused, `there is no warehouse ${warehouseNo}`);
        case 'transferred': {
          const { count } = outcome;
          const words =
            count === 0
              ? `nothing waits for warehouse ${warehouseNo} (orders of UAT accounts stay where they are)`
              : `${count} order${count === 1 ? ' was' : 's were'} handed to warehouse ${warehouseNo}`;
          return { json: { warehouse_no: warehouseNo, connector: 'manual', transferred: outcome.count }, words };
        }
        case 'hastened':
          return {
            json: { warehouse_no: warehouseNo, connector: outcome.connector, due: true },
            words: `the next wave of warehouse ${warehouseNo} is due now; a worker will begin it`,
          };
        default:
          return outcome satisfies never;
      }
    },
  ).argument('<warehouse_no>', 'which warehouse', warehouseNumber);
}
