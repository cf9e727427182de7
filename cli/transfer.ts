import { type Command, Option } from 'commander';
import { formatStored } from '../messages/format-message.ts';
import type { OrderKey } from '../server/domain/orders/order.ts';
import { pushManually, retryRejected } from '../server/domain/transfers/transfer-orders.ts';
import {
  findTransfers,
  type ListedTransfer,
  listTransfers,
  type TransferSelection,
} from '../server/domain/transfers/transfer-queries.ts';
import { listSchedule } from '../server/domain/transfers/transfer-schedule-queries.ts';
import type { Database } from '../server/platform/postgres/database.ts';
import { noAccounts } from '../server/platform/postgres/sql.ts';
import { userName } from './apply-file.ts';
import { exitCodes, Failure, makeCommand } from './command-line.ts';
import { limitOption, warehouseNumber } from './limit-option.ts';
import { makeProgress } from './progress.ts';
import { storeCommand } from './store-command.ts';
import { formatTable } from './table.ts';

/** `lading transfer`: orders being transferred to their warehouse, and orders that it rejected. */
export function transferCommand() {
  const group = makeCommand('transfer').description(
    'list orders being sent or rejected, retry rejected ones, and start a wave manually',
  );
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
    'list orders that are being sent or were rejected, oldest first',
    async (store, _config, { warehouse, status, limit }: ListOptions) => {
      const selection = { warehouseNo: warehouse ?? null, status: status ?? null, numbers: null };
      const found = await store.database.read(noAccounts, (sql) => listTransfers(sql, selection, limit));
      const rows = found.map(({ order_id: _, ...row }) => ({ ...row, reason: formatStored(row.reason) }));
      const isFiltered = warehouse !== undefined || status !== undefined;
      const none = 'no order is being sent or rejected; "lading transfer schedule" shows failed waves';
      return { json: rows, text: formatTable(rows.map(lineOf), isFiltered ? 'no orders found' : none) };
    },
  );
  return withWarehouse(command)
    .addOption(new Option('--status <status>', 'only orders with this status').choices(['sending', 'rejected']))
    .addOption(limitOption(listedDefault));
}

function scheduleCommand(): Command {
  return storeCommand(
    'schedule',
    'show the result of the last wave of each warehouse and when the next one is due',
    async (store) => {
      const found = await store.database.read(noAccounts, listSchedule);
      const rows = found.map((row) => ({ ...row, last_outcome: formatStored(row.last_outcome) }));
      return {
        json: rows,
        text: formatTable(
          rows.map((row) => ({ ...row })),
          'there are no warehouses yet; create one with: lading warehouse create --help',
        ),
      };
    },
  );
}

function withWarehouse(command: Command): Command {
  return command.option('--warehouse <warehouse_no>', 'only orders of this warehouse', warehouseNumber);
}

function lineOf({ transfer_id: _, ...row }: ListedTransfer) {
  return { ...row, reason: row.reason?.replaceAll(/\s+/g, ' ') ?? null };
}

const retriedMax = 1_000_000;

function retryCommand(): Command {
  const command = storeCommand(
    'retry',
    'send rejected orders again with the next wave, under a new transfer id',
    async (
      store,
      _config,
      numbers: string[],
      { allRejected = false, warehouse }: { allRejected?: boolean; warehouse?: number },
    ) => {
      if (allRejected === numbers.length > 0)
        throw new Failure(exitCodes.wrongUsage, 'name orders, or use --all-rejected');
      const orders = await rejectedOnes(store.database, {
        warehouseNo: warehouse ?? null,
        status: 'rejected',
        numbers: allRejected ? null : numbers,
      });
      const count = await retryRejected(store.database, orders);
      return {
        json: { count },
        text: `${count} order${count === 1 ? '' : 's'} will be sent again with the next wave`,
      };
    },
  ).argument('[numbers...]', "order numbers: orders_id, or the partner's own");
  return withWarehouse(command).option('--all-rejected', 'all rejected orders');
}

async function rejectedOnes(database: Database, selection: TransferSelection): Promise<OrderKey[]> {
  const found = await database.read(noAccounts, (sql) => findTransfers(sql, selection, retriedMax));
  for (const number of selection.numbers ?? []) {
    const named = found.filter((order) => order.orders_id === number || order.number === number);
    if (named.length === 0)
      throw new Failure(exitCodes.refused, `order ${number} is not rejected; nothing was changed`);
    if (named.length > 1) {
      const which = named.map(({ orders_id, account_no }) => `${orders_id} of ${account_no}`);
      throw new Failure(exitCodes.refused, `several orders have the number ${number}; use the orders_id:`, which);
    }
  }
  return found.map(({ account_id, order_id }) => ({ accountId: account_id, orderId: order_id }));
}

function pushCommand(): Command {
  return storeCommand(
    'push',
    'hand all waiting orders to a manual warehouse; for any other warehouse, start the next wave now',
    async (store, _config, warehouseNo: number) => {
      const cause = { actor: `transfer push (${userName()})`, traceId: null };
      const onProgress = makeProgress();
      const outcome = await pushManually(store.database, warehouseNo, cause, {
        onProgress: (count) => onProgress(`${count} orders so far`),
      });
      switch (outcome.kind) {
        case 'not_found':
          throw new Failure(exitCodes.refused, `there is no warehouse ${warehouseNo}`);
        case 'transferred': {
          const { count } = outcome;
          const text =
            count === 0
              ? `no orders are waiting for warehouse ${warehouseNo} (orders of UAT accounts are never transferred)`
              : `${count} order${count === 1 ? ' was' : 's were'} handed to warehouse ${warehouseNo}`;
          return { json: { warehouse_no: warehouseNo, connector: 'manual', transferred: outcome.count }, text };
        }
        case 'hastened':
          return {
            json: { warehouse_no: warehouseNo, connector: outcome.connector, due: true },
            text: `the next wave of warehouse ${warehouseNo} is due now; a worker will start it`,
          };
        default:
          return outcome satisfies never;
      }
    },
  ).argument('<warehouse_no>', 'which warehouse', warehouseNumber);
}
