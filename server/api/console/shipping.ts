import type { BodyOf } from '../../../contract/console/console-call.ts';
import {
  type OrderShipResult,
  orderShip,
  type PackingShipAnswer,
  type PackingUndoResult,
  packingPlanned,
  packingShip,
  packingUndo,
  type ShipmentWarning as WarningRow,
} from '../../../contract/console/packing.ts';
import { rejection } from '../../../messages/rejection-texts.ts';
import { findHandledOrders, type HandledOrder } from '../../domain/orders/order-detail-queries.ts';
import { type PlanOutcome, planShipments, undoShipment } from '../../domain/packing/plan-shipment.ts';
import type { OtherUse, ShipmentWarning } from '../../domain/packing/planned-shipment.ts';
import { listPlans } from '../../domain/packing/planned-shipment-queries.ts';
import { distinct } from '../../platform/distinct.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleCaller, type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import { accountNosOf, mistakeAt } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { auditedOrders, countKinds, noSuchOrder, ordersOfIds } from './orders-actions.ts';
import { isOwn, ownOf } from './own-warehouses.ts';
import { keyOf } from './packing.ts';

/** Shipments, which can be undone for some seconds. Everything that ships in the console plans first. */
export function shippingEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [orderShipCall(parts), packingShipCall(parts), packingUndoCall(parts), packingPlannedCall(parts)];
}

type OrderToShip = BodyOf<typeof orderShip>['orders'][number];

/** The orders may belong to several accounts and channels; each has its own result. */
function orderShipCall(parts: ConsoleParts): ConsoleEndpoint {
  const { database, directory } = parts;
  return consoleEndpoint(orderShip, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ orders }) =>
      auditedOrders(
        orders.map(({ order_id }) => order_id),
        { shipments: orders },
      ),
    outcome: ({ results }) => countKinds(results),
    async handle(caller, { orders }, request) {
      const orderIds = orders.map(({ order_id }) => order_id);
      if (new Set(orderIds).size < orderIds.length) throw mistakeAt('orders', rejection('order_twice'));
      const { byId, named } = await ordersOfIds(database, directory, orderIds, caller);
      const keys = [...byId.values()].map(({ account_id, order_id }) => ({ accountId: account_id, orderId: order_id }));
      const accountIds = distinct(keys.map(({ accountId }) => accountId));
      const handled = await database.read(accountIds, (sql) => findHandledOrders(sql, keys));
      const labels = handled.flatMap((order) =>
        labelOf(order, orders.find(({ order_id }) => order_id === order.order_id)!),
      );
      const asked = labels.map(({ accountId, orderId, shipmentNo, carrier, confirmed }) => ({
        ...{ accountId, orderId, confirmed, shipments: [{ parcelNo: 1, shipmentNo, carrier }] },
        ...planner(caller),
        cause: causeOf(caller, request),
      }));
      const outcomes = await planShipments(parts, asked, labels);
      const outcomeOf = new Map(asked.map(({ orderId }, index) => [orderId, outcomes[index]!]));
      const resultOf = (orderId: number): OrderShipResult => {
        const outcome = outcomeOf.get(orderId);
        if (outcome) return { ...named(orderId), ...(toAnswer(parts, caller, outcome) ?? { kind: 'not_found' }) };
        return { ...named(orderId), kind: byId.has(orderId) ? 'no_shipment_no' : 'not_found' };
      };
      return { results: orderIds.map(resultOf) };
    },
  });
}

/** Without a number, the one that was announced counts. The rest of a partial shipment has a number of its own. */
function labelOf(order: HandledOrder, said: OrderToShip): (OtherUse & Pick<OrderToShip, 'confirmed'>)[] {
  const isBegun = order.status === 'partially_shipped';
  const shipmentNo = said.shipment_no ?? (isBegun ? null : order.shipment_no);
  if (shipmentNo === null) return [];
  const { order_id, account_id, partner_number, warehouse_no, status } = order;
  return [
    {
      ...{ orderId: order_id, accountId: account_id, partnerNumber: partner_number, warehouseNo: warehouse_no, status },
      ...{ shipmentNo, carrier: said.carrier ?? (isBegun ? null : order.carrier), confirmed: said.confirmed },
    },
  ];
}

function packingShipCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(packingShip, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ order_id, ...details }) => ({ subject: `order ${order_id}`, details }),
    async handle(caller, { order_id, shipments, confirmed }, request) {
      const key = await keyOf(parts, caller, order_id);
      const labels = shipments.map(({ parcel_no, shipment_no, carrier }) => ({
        parcelNo: parcel_no,
        shipmentNo: shipment_no,
        carrier: carrier ?? null,
      }));
      const [outcome] = await planShipments(parts, [
        { ...key, shipments: labels, confirmed, ...planner(caller), cause: causeOf(caller, request) },
      ]);
      const answer = toAnswer(parts, caller, outcome!);
      if (answer === null) throw noSuchOrder();
      return answer;
    },
  });
}

/** Warehouses with a system of their own ship and report themselves; an administrator may report in their place. */
function planner({ session }: ConsoleCaller): { inAnyWarehouse: boolean } {
  return { inAnyWarehouse: session.role === 'admin' };
}

/** null: there is no such order. */
function toAnswer(parts: ConsoleParts, caller: ConsoleCaller, outcome: PlanOutcome): PackingShipAnswer | null {
  switch (outcome.kind) {
    case 'planned':
      return { kind: outcome.kind, undo_seconds: secondsUntil(parts, outcome.dueAt) };
    case 'confirm':
      return { kind: outcome.kind, warnings: outcome.warnings.map((warning) => toWarning(parts, caller, warning)) };
    case 'not_workable':
    case 'other_plan':
    case 'parcels_changed':
    case 'number_twice':
      return outcome;
    case 'not_found':
      return null;
    default:
      return outcome satisfies never;
  }
}

const othersNamedMax = 5;

/** Orders of warehouses in which the operator does not work are not named. */
function toWarning({ directory }: ConsoleParts, caller: ConsoleCaller, warning: ShipmentWarning): WarningRow {
  const accountNoOf = accountNosOf(directory);
  switch (warning.kind) {
    case 'repeated': {
      const shown = warning.others.filter(({ warehouseNo }) => isOwn(caller, warehouseNo));
      return {
        kind: warning.kind,
        shipment_no: warning.shipmentNo,
        others: shown.slice(0, othersNamedMax).map(({ orderId, accountId, partnerNumber, status }) => ({
          order_id: orderId,
          account_no: accountNoOf(accountId),
          partner_number: partnerNumber,
          status,
        })),
      };
    }
    case 'format':
      return {
        ...{ kind: warning.kind, shipment_no: warning.shipmentNo },
        ...{ carrier: warning.carrier, digits: warning.digits },
      };
    case 'skipped':
    case 'short':
      return warning;
    default:
      return warning satisfies never;
  }
}

function packingUndoCall(parts: ConsoleParts): ConsoleEndpoint {
  const { database, directory } = parts;
  return consoleEndpoint(packingUndo, {
    role: 'staff',
    warehouses: 'own',
    audit: ({ order_ids }) => auditedOrders(order_ids),
    outcome: ({ results }) => countKinds(results),
    async handle(caller, { order_ids }) {
      const { byId, named } = await ordersOfIds(database, directory, order_ids, caller);
      const undo = async (orderId: number): Promise<PackingUndoResult> => {
        const order = byId.get(orderId);
        if (!order) return { ...named(orderId), kind: 'not_found' };
        return { ...named(orderId), ...(await undoShipment(database, { accountId: order.account_id, orderId })) };
      };
      const results: PackingUndoResult[] = [];
      for (const orderId of order_ids) results.push(await undo(orderId));
      return { results };
    },
  });
}

const plansMax = 200;

function packingPlannedCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(packingPlanned, {
    role: 'staff',
    warehouses: 'own',
    audit: null,
    async handle(caller, _body, request) {
      const { actor } = causeOf(caller, request);
      await parts.directory.allNow();
      const accountNoOf = accountNosOf(parts.directory);
      const plans = await parts.database.read(noAccounts, (sql) => listPlans(sql, ownOf(caller), plansMax));
      return {
        rows: plans.map(({ orderId, accountId, partnerNumber, shipments, plannedBy, dueAt, refusal }) => ({
          order_id: orderId,
          account_no: accountNoOf(accountId),
          partner_number: partnerNumber,
          shipment_nos: shipments.map(({ shipmentNo }) => shipmentNo),
          planned_by: plannedBy,
          is_own: plannedBy === actor,
          undo_seconds: secondsUntil(parts, dueAt),
          refusal,
        })),
      };
    },
  });
}

function secondsUntil({ clock }: ConsoleParts, at: Date): number {
  return Math.max(0, Math.ceil((at.getTime() - clock.now().getTime()) / 1000));
}
