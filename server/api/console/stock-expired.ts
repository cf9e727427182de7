import {
  type ExpiredLotRow,
  expiredShownMax,
  stockBlockExpired,
  stockExpired,
} from '../../../contract/console/stock.ts';
import { blockExpired, blockedLotsMax } from '../../domain/stock/block-expired.ts';
import { type ExpiredLot, findBlockable, findExpiredLocked } from '../../domain/stock/expired-queries.ts';
import { freeOf } from '../../domain/stock/lot.ts';
import { taipeiDay } from '../../platform/clock.ts';
import { type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import { accountIdsOf, accountNosOf } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { ownOf, refuseOtherWarehouses } from './own-warehouses.ts';

/** Expired stock, and the step that blocks it. */
export function stockExpiredEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [stockExpiredCall(parts), stockBlockExpiredCall(parts)];
}

function stockExpiredCall({ directory, clock, database }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(stockExpired, {
    role: 'read-only',
    warehouses: 'own',
    audit: null,
    async handle(caller, { accounts, warehouse_no }) {
      const accountIds = await accountIdsOf(directory, accounts);
      const selection = { today: taipeiDay(clock.now()), warehouseNos: ownOf(caller, warehouse_no ?? null) };
      const [free, locked] = await database.read(accountIds, (sql) =>
        Promise.all([
          findBlockable(sql, accountIds, selection, blockedLotsMax + 1),
          findExpiredLocked(sql, accountIds, selection, expiredShownMax),
        ]),
      );
      const changed = free.slice(0, blockedLotsMax);
      const accountNoOf = accountNosOf(directory);
      return {
        lots: changed.length,
        units: changed.reduce((sum, lot) => sum + freeOf(lot), 0),
        is_more: free.length > changed.length,
        free: toRows(free, accountNoOf),
        locked: toRows(locked, accountNoOf),
      };
    },
  });
}

function toRows(lots: ExpiredLot[], accountNoOf: (accountId: number) => string): ExpiredLotRow[] {
  const earliest = lots.toSorted((one, other) => (one.expireDate < other.expireDate ? -1 : 1));
  return earliest.slice(0, expiredShownMax).map((lot) => ({
    lot_id: lot.lotId,
    account_no: accountNoOf(lot.accountId),
    warehouse_no: lot.warehouseNo,
    sku_id: lot.skuId,
    batch_id: lot.batchId,
    expire_date: lot.expireDate,
    on_hand: lot.onHand,
    locked: lot.locked,
  }));
}

/** Without a number of the caller's own, the number is the trace id of the request. */
function stockBlockExpiredCall({ directory, clock, database }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(stockBlockExpired, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ accounts, warehouse_no, reason, reference_no }) => ({
      details: { accounts, warehouse_no, reason, reference_no },
    }),
    outcome: (result) => (result.kind === 'blocked' ? `blocked ${result.units}` : result.kind),
    async handle(caller, { accounts, warehouse_no, reason, reference_no }, request) {
      refuseOtherWarehouses(caller, warehouse_no ?? []);
      const accountIds = await accountIdsOf(directory, accounts);
      const selection = { today: taipeiDay(clock.now()), warehouseNos: ownOf(caller, warehouse_no ?? null) };
      const outcome = await blockExpired(database, {
        ...{ accountIds, selection, reason },
        referenceNo: reference_no ?? request.id,
        cause: causeOf(caller, request),
      });
      if (outcome.kind === 'conflict') return { kind: 'conflict' as const };
      const locked = await database.read(accountIds, (sql) =>
        findExpiredLocked(sql, accountIds, selection, expiredShownMax),
      );
      const { kind, lots, units, isMore } = outcome;
      return { kind, lots, units, is_more: isMore, locked: toRows(locked, accountNosOf(directory)) };
    },
  });
}
