import type { Message } from '../../../messages/message.ts';
import { outcome } from '../../../messages/outcome-texts.ts';
import type { InboundStatus } from '../inbound/inbound-document.ts';
import type { OrderStatus, UndeliveredReason } from '../orders/order.ts';

/** An inconsistency found by the audit. */
export type Finding =
  | BalanceFinding
  | LockFinding
  | ParcelFinding
  | DeliveryFinding
  | InboundFinding
  | MoveFinding
  | ReferenceFinding;

/**
 * A lot whose balance is not the sum of its movements. Sku and warehouse are missing if the movements refer to a lot
 * that does not exist.
 */
export interface BalanceFinding {
  kind: 'balance';
  lotId: number;
  accountNo: string;
  skuId: string | null;
  warehouseNo: number | null;
  onHand: number;
  onHandMoved: number;
  locked: number;
  lockedMoved: number;
}

/**
 * Units locked for an order that differ from what the order should hold. The order is missing if the units are locked
 * for no order.
 */
export interface LockFinding {
  kind: 'lock';
  orderId: number | null;
  partnerNumber: string | null;
  status: OrderStatus | null;
  accountNo: string;
  skuId: string;
  held: number;
  owed: number;
}

/** Units of a product that an order has shipped or left behind, and that differ from its parcels, movements or lines. */
export interface ParcelFinding {
  kind: 'parcel';
  orderId: number;
  partnerNumber: string;
  status: OrderStatus;
  accountNo: string;
  skuId: string;
  ordered: number;
  /** In parcels, and by movements. */
  packed: number;
  shipped: number;
  /** Not to be shipped, and released by movements. */
  short: number;
  unlocked: number;
}

/** An order that was not delivered and lacks its reason or its expected return, or another order with a reason. */
export interface DeliveryFinding {
  kind: 'delivery';
  orderId: number;
  partnerNumber: string;
  status: OrderStatus;
  accountNo: string;
  reason: UndeliveredReason | null;
  /** Returns that the service created for the order. */
  returns: number;
}

/** Units of a product that arrived with a document although its state allows fewer or more. */
export interface InboundFinding {
  kind: 'inbound';
  inboundId: number;
  partnerNumber: string | null;
  /** null: the document does not exist. */
  status: InboundStatus | null;
  accountNo: string;
  skuId: string;
  announced: number;
  received: number;
  /** The minimum and the maximum number of units that must have arrived. */
  least: number;
  most: number;
}

/** A move between warehouses whose two sides differ for a lot. */
export interface MoveFinding {
  kind: 'move';
  stockChangeId: number;
  /** The number that the mover gave to it. */
  referenceNo: string;
  accountNo: string;
  skuId: string;
  /** Units that have left their warehouse, and units that have reached the other one. */
  departed: number;
  arrived: number;
}

/** A row that refers to a row that does not exist in its account. */
export interface ReferenceFinding {
  kind: 'reference';
  accountNo: string;
  table: string;
  /** The id of the row, or of the document or callback that it is a part of. */
  idColumn: string;
  id: number;
  target: string;
  targetId: string;
}

export function describeFinding(finding: Finding): Message {
  switch (finding.kind) {
    case 'balance':
      return describeBalance(finding);
    case 'lock': {
      const { orderId, partnerNumber, status, accountNo: account, skuId: sku, held, owed } = finding;
      const holder =
        orderId === null
          ? outcome('held_by_no_order')
          : outcome('held_by_order', { order: partnerNumber ?? orderId, status: status ?? absent });
      return outcome('lock_differs', { holder, account, held, sku, owed });
    }
    case 'parcel': {
      const { partnerNumber: order, status, accountNo: account, skuId: sku, ordered } = finding;
      const { packed, shipped, short, unlocked } = finding;
      return outcome('parcels_unbalanced', { order, status, account, sku, ordered, packed, shipped, short, unlocked });
    }
    case 'delivery': {
      const { partnerNumber: order, status, accountNo: account, returns } = finding;
      return outcome('delivery_differs', { order, status, account, reason: finding.reason ?? noReason, returns });
    }
    case 'inbound': {
      const { inboundId, partnerNumber, accountNo: account, skuId: sku, announced, received, least, most } = finding;
      const document = partnerNumber ?? inboundId;
      const status = finding.status ?? absent;
      const right = least === most ? most : outcome('from_to', { least, most });
      return outcome('inbound_differs', { document, status, account, received, sku, right, announced });
    }
    case 'move': {
      const { referenceNo: reference, accountNo: account, skuId: sku, departed, arrived } = finding;
      return outcome('move_differs', { reference, account, sku, departed, arrived });
    }
    case 'reference': {
      const { table, idColumn: column, id, accountNo: account, target, targetId: missing } = finding;
      return outcome('reference_broken', { table, column, id, account, target, missing });
    }
    default:
      return finding satisfies never;
  }
}

const absent = outcome('does_not_exist');
const noReason = outcome('no_reason');

function describeBalance(finding: BalanceFinding): Message {
  const { lotId: lot, skuId: sku, onHand, onHandMoved, locked, lockedMoved } = finding;
  const account = finding.accountNo;
  if (sku === null) return outcome('lot_absent', { lot, account });
  const differences = [
    ...(onHand === onHandMoved ? [] : [outcome('on_hand_differs', { shown: onHand, moved: onHandMoved })]),
    ...(locked === lockedMoved ? [] : [outcome('locked_differs', { shown: locked, moved: lockedMoved })]),
  ];
  return outcome('lot_differs', { lot, account, sku, warehouse: String(finding.warehouseNo), differences });
}
