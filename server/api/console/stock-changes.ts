import { type RefusedStockChange, stockCorrect, stockMove, stockRegrade } from '../../../contract/console/stock.ts';
import { correctStock } from '../../domain/stock/correct-stock.ts';
import { findLotName } from '../../domain/stock/ledger-queries.ts';
import { type MoveMistake, moveStock } from '../../domain/stock/move-stock.ts';
import { regradeStock } from '../../domain/stock/regrade-stock.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import { refuseOtherWarehouses } from './own-warehouses.ts';

/** Corrections, regrades and moves of a lot. */
export function stockChangeEndpoints(database: Database): ConsoleEndpoint[] {
  return [stockCorrectCall(database), stockRegradeCall(database), stockMoveCall(database)];
}

function stockCorrectCall(database: Database): ConsoleEndpoint {
  return consoleEndpoint(stockCorrect, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ lot_id, units, reason }) => ({ subject: `lot ${lot_id}`, details: { units, reason } }),
    async handle(caller, { lot_id, units, reason }, request) {
      const found = await database.read(noAccounts, (sql) => findLotName(sql, lot_id));
      if (found === null) return toRefusedChange({ kind: 'not_found', what: 'lot' });
      refuseOtherWarehouses(caller, [found.lot.warehouseNo]);
      const correction = { ...found, units: { delta: units }, reason };
      const outcome = await correctStock(database, correction, causeOf(caller, request));
      switch (outcome.kind) {
        case 'corrected':
          return {
            kind: 'corrected' as const,
            on_hand_before: outcome.onHand - outcome.delta,
            on_hand: outcome.onHand,
            locked: outcome.locked,
          };
        case 'repeated':
        case 'conflict':
          throw new Error('a correction without a number has no repeats');
        default:
          return toRefusedChange(outcome);
      }
    },
  });
}

function stockRegradeCall(database: Database): ConsoleEndpoint {
  return consoleEndpoint(stockRegrade, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ lot_id, units, reason }) => ({ subject: `lot ${lot_id}`, details: { units, reason } }),
    async handle(caller, { lot_id, units, reason }, request) {
      const found = await database.read(noAccounts, (sql) => findLotName(sql, lot_id));
      if (found === null) return toRefusedChange({ kind: 'not_found', what: 'lot' });
      refuseOtherWarehouses(caller, [found.lot.warehouseNo]);
      const to = found.lot.stockType === 'good' ? ('bad' as const) : ('good' as const);
      const outcome = await regradeStock(database, { ...found, to, units, reason }, causeOf(caller, request));
      if (outcome.kind !== 'regraded') return toRefusedChange(outcome);
      return { kind: 'regraded' as const, to, free_good: outcome.freeGood, free_bad: outcome.freeBad };
    },
  });
}

/** Moves units to another warehouse. Without a number of the operator's own, the number is the trace id of the request. */
function stockMoveCall(database: Database): ConsoleEndpoint {
  return consoleEndpoint(stockMove, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ lot_id, to_warehouse_no, units, reason, reference_no }) => ({
      subject: `lot ${lot_id}`,
      details: { to_warehouse_no, units, reason, ...(reference_no === undefined ? {} : { reference_no }) },
    }),
    async handle(caller, { lot_id, to_warehouse_no, units, reason, reference_no }, request) {
      const found = await database.read(noAccounts, (sql) => findLotName(sql, lot_id));
      if (found === null) return toRefusedChange({ kind: 'not_found', what: 'lot' });
      refuseOtherWarehouses(caller, [found.lot.warehouseNo, to_warehouse_no]);
      const outcome = await moveStock(database, {
        accountId: found.accountId,
        referenceNo: reference_no ?? request.id,
        lines: [{ lot: found.lot, toWarehouseNo: to_warehouse_no, units }],
        reason,
        cause: causeOf(caller, request),
      });
      switch (outcome.kind) {
        case 'moved':
        case 'repeated': {
          const { from, to } = outcome.lines[0]!;
          return { kind: outcome.kind, on_hand_from: from.onHand, on_hand_to: to.onHand };
        }
        case 'conflict':
          return { kind: 'conflict' as const };
        case 'refused':
          return toRefusedChange(outcome.mistakes[0]!.refused);
        default:
          return outcome satisfies never;
      }
    },
  });
}

function toRefusedChange(refused: MoveMistake['refused']): RefusedStockChange {
  return refused.kind === 'too_many_units'
    ? { kind: 'too_many_units', on_hand: refused.onHand, units_max: refused.unitsMax }
    : refused;
}
