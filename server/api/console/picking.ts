import {
  claimedDefault,
  type LeftReason,
  type PickBatch,
  type PickingWarehouse,
  pickingBatch,
  pickingClaim,
  pickingConfirm,
  pickingFinish,
  pickingQueue,
  pickingShort,
} from '../../../contract/console/picking.ts';
import { rejection } from '../../../messages/rejection-texts.ts';
import { claimOrders } from '../../domain/picking/claim-orders.ts';
import { type ConfirmOutcome, confirmPick, type LineKey } from '../../domain/picking/confirm-pick.ts';
import { finishBatch } from '../../domain/picking/finish-batch.ts';
import { type BatchContent, linesOf, presentState } from '../../domain/picking/pick-batch.ts';
import { findBatch, findOpenBatches, readContent } from '../../domain/picking/pick-queries.ts';
import { countWaiting, findManualWarehouses, type WaitingGroup } from '../../domain/picking/pick-queue-queries.ts';
import { reportShort } from '../../domain/picking/report-short.ts';
import { ProblemError } from '../../http/problem.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import {
  type AuditedAction,
  type ConsoleCaller,
  type ConsoleEndpoint,
  causeOf,
  consoleEndpoint,
} from './console-contract.ts';
import { type AccountNoOf, accountIdsOf, accountNosOf, mistakeAt } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { isOwn, ownOf, refuseOtherWarehouses } from './own-warehouses.ts';

/** Batch picking in warehouses whose staff work with the console. */
export function pickingEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [queueCall(), claimCall(parts), batchCall(parts), confirmCall(parts), shortCall(parts), finishCall(parts)];
}

function queueCall(): ConsoleEndpoint {
  return consoleEndpoint(pickingQueue, {
    role: 'staff',
    warehouses: 'own',
    audit: null,
    isList: true,
    async handle(caller) {
      return await caller.reads.read(noAccounts, async (sql) => {
        const [manual, batches] = await Promise.all([findManualWarehouses(sql), findOpenBatches(sql, ownOf(caller))]);
        const warehouses = manual.filter(({ warehouseNo }) => isOwn(caller, warehouseNo));
        const waiting = await countWaiting(
          sql,
          warehouses.map(({ warehouseNo }) => warehouseNo),
        );
        return {
          warehouses: warehouses.map((warehouse) => toWarehouse(warehouse, waiting)),
          batches: batches.map(({ batchId, warehouseNo, createdBy, createdAt, orders, units, picked }) => ({
            ...{ batch_id: batchId, warehouse_no: warehouseNo, created_by: createdBy, created_at: createdAt },
            ...{ orders, units, done: picked },
          })),
        };
      });
    },
  });
}

function toWarehouse(
  { warehouseNo, name }: { warehouseNo: number; name: string },
  waiting: WaitingGroup[],
): PickingWarehouse {
  const own = waiting
    .filter((group) => group.warehouseNo === warehouseNo)
    .toSorted((one, other) => (one.oldestAt < other.oldestAt ? -1 : 1));
  return {
    warehouse_no: warehouseNo,
    name,
    waiting: own.reduce((sum, group) => sum + group.waiting, 0),
    oldest_at: own[0]?.oldestAt ?? null,
    groups: own.map(({ expressType, temperature, waiting, oldestAt }) => ({
      ...{ express_type: expressType, temperature, waiting, oldest_at: oldestAt },
    })),
  };
}

function claimCall({ database }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(pickingClaim, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ claim_id: _, warehouse_no, ...selection }) => ({
      subject: `warehouse ${warehouse_no}`,
      details: selection,
    }),
    outcome: (answer) => (answer.kind === 'claimed' ? `claimed ${answer.orders}` : answer.kind),
    async handle(caller, body) {
      const { claim_id, warehouse_no, count, express_type, temperature, order_ids } = body;
      refuseOtherWarehouses(caller, [warehouse_no]);
      const outcome = await claimOrders(database, {
        claimId: claim_id,
        warehouseNo: warehouse_no,
        count: count ?? order_ids?.length ?? claimedDefault,
        ...(express_type !== undefined && { expressType: express_type }),
        ...(temperature !== undefined && { temperature }),
        ...(order_ids && { orderIds: order_ids }),
        username: caller.session.username,
      });
      if (outcome.kind !== 'claimed') return outcome;
      const { orders } = await contentOf(database, outcome.batchId);
      const claimed = new Set(orders.map(({ orderId }) => orderId));
      const left_out = (order_ids ?? []).filter((orderId) => !claimed.has(orderId));
      return { kind: 'claimed' as const, batch_id: outcome.batchId, orders: orders.length, left_out };
    },
  });
}

function batchCall({ database, directory }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(pickingBatch, {
    role: 'staff',
    warehouses: 'own',
    audit: null,
    async handle(caller, { batch_id }) {
      const content = await contentOf(database, batch_id);
      refuseOtherWarehouses(caller, [content.batch.warehouseNo]);
      await directory.allNow();
      return toBatch(content, accountNosOf(directory));
    },
  });
}

async function contentOf(database: Database, batchId: number): Promise<BatchContent> {
  return await database.read(noAccounts, async (sql) => {
    const batch = await findBatch(sql, batchId);
    if (batch === null) throw noSuchBatch();
    return await readContent(sql, batch);
  });
}

/** Operators without a restriction are spared the look. */
async function refuseOtherBatch(database: Database, caller: ConsoleCaller, batchId: number): Promise<void> {
  if (ownOf(caller) === null) return;
  const batch = await database.read(noAccounts, (sql) => findBatch(sql, batchId));
  if (batch) refuseOtherWarehouses(caller, [batch.warehouseNo]);
}

function noSuchBatch(): ProblemError {
  return new ProblemError({ kind: 'not_found', message: rejection('no_such_batch') });
}

function toBatch(content: BatchContent, accountNoOf: AccountNoOf): PickBatch {
  const { batch, orders, tasks } = content;
  const tasksOf = Map.groupBy(tasks, ({ orderId }) => orderId);
  const sumOf = (orderId: number, name: 'qty' | 'picked' | 'short') =>
    (tasksOf.get(orderId) ?? []).reduce((sum, task) => sum + task[name], 0);
  return {
    batch_id: batch.batchId,
    warehouse_no: batch.warehouseNo,
    created_by: batch.createdBy,
    created_at: batch.createdAt,
    closed_at: batch.closedAt,
    orders: orders.map((order) => ({
      order_id: order.orderId,
      account_no: accountNoOf(order.accountId),
      partner_number: order.partnerNumber,
      slot: order.slot,
      status: order.status,
      express_type: order.expressType,
      ...(presentState(order) as { state: typeof order.state; reason: LeftReason | null }),
      units: sumOf(order.orderId, 'qty'),
      picked: sumOf(order.orderId, 'picked'),
      short: sumOf(order.orderId, 'short'),
    })),
    lines: linesOf(content).map(({ accountId, lot, slots }) => ({
      account_no: accountNoOf(accountId),
      lot_id: lot.lotId,
      sku_id: lot.skuId,
      name: lot.name,
      storage_type: lot.storageType,
      batch: lot.batchId,
      expire_date: lot.expireDate,
      location: lot.location,
      slots: slots.map(({ slot, qty, picked, short }) => ({ slot, qty, picked, short })),
    })),
  };
}

function confirmCall({ database, directory }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(pickingConfirm, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ batch_id, scan_id: _, ...scanned }) => ofBatch(batch_id, scanned),
    async handle(caller, { batch_id, scan_id, code, line, times = 1 }) {
      await refuseOtherBatch(database, caller, batch_id);
      if (code === undefined && line === undefined) throw mistakeAt('code', rejection('code_or_line'));
      const outcome = await confirmPick(database, {
        batchId: batch_id,
        scanId: scan_id,
        code: code ?? null,
        line: line === undefined ? null : await lineKeyOf(directory, line),
        times,
        username: caller.session.username,
      });
      // An account may have been made just now.
      await directory.allNow();
      return toConfirmed(outcome, accountNosOf(directory));
    },
  });
}

function toConfirmed(outcome: ConfirmOutcome, accountNoOf: AccountNoOf) {
  switch (outcome.kind) {
    case 'confirmed': {
      const { kind, line, skuId, units, put, remaining } = outcome;
      return {
        ...{
          kind,
          line: { account_no: accountNoOf(line.accountId), lot_id: line.lotId },
          sku_id: skuId,
          units,
          remaining,
        },
        put: put.map(({ slot, units: ofSlot }) => ({ slot, units: ofSlot })),
      };
    }
    case 'surplus': {
      const { kind, skuId, units, remaining } = outcome;
      return { kind, sku_id: skuId, units, remaining };
    }
    case 'not_on_list':
      return { kind: outcome.kind, sku_id: outcome.skuId };
    case 'no_batch':
      throw noSuchBatch();
    case 'closed':
    case 'unknown_code':
    case 'several_accounts':
      return outcome;
    default:
      return outcome satisfies never;
  }
}

function shortCall({ database, directory }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(pickingShort, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ batch_id, scan_id: _, ...missing }) => ofBatch(batch_id, missing),
    async handle(caller, { batch_id, scan_id, account_no, lot_id, reason, remedy }, request) {
      await refuseOtherBatch(database, caller, batch_id);
      const outcome = await reportShort(database, {
        batchId: batch_id,
        scanId: scan_id,
        line: await lineKeyOf(directory, { account_no, lot_id }),
        reason,
        remedy,
        username: caller.session.username,
        cause: causeOf(caller, request),
      });
      if (outcome.kind === 'no_batch') throw noSuchBatch();
      if (outcome.kind !== 'short') return outcome;
      return {
        kind: outcome.kind,
        sku_id: outcome.skuId,
        orders: outcome.orders.map(({ slot, units, partnerNumber, outcome: how }) => ({
          ...{ slot, units, partner_number: partnerNumber, outcome: how },
        })),
      };
    },
  });
}

function finishCall({ database }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(pickingFinish, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ batch_id, give_back = false }) => ofBatch(batch_id, { give_back }),
    async handle(caller, { batch_id, give_back = false }, request) {
      await refuseOtherBatch(database, caller, batch_id);
      const finish = { batchId: batch_id, giveBack: give_back, username: caller.session.username };
      const outcome = await finishBatch(database, { ...finish, cause: causeOf(caller, request) });
      if (outcome.kind === 'no_batch') throw noSuchBatch();
      return outcome;
    },
  });
}

function ofBatch(batchId: number, details: Record<string, unknown>): AuditedAction {
  return { subject: `batch ${batchId}`, details };
}

async function lineKeyOf(
  directory: ConsoleParts['directory'],
  { account_no, lot_id }: { account_no: string; lot_id: number },
): Promise<LineKey> {
  const [accountId] = await accountIdsOf(directory, [account_no]);
  return { accountId: accountId!, lotId: lot_id };
}
