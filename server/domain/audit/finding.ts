import type { InboundStatus } from '../inbound/inbound-document.ts';
import type { OrderStatus } from '../orders/order.ts';

/** What does not add up. */
export type Finding = BalanceFinding | LockFinding | InboundFinding;

/** A lot whose balance is not the sum of its movements; without sku and warehouse, movements whose lot does not exist. */
export interface BalanceFinding {
  kind: 'balance';
  lotId: number;
  accountNo: string | null;
  skuId: string | null;
  warehouseNo: number | null;
  onHand: number;
  onHandMoved: number;
  locked: number;
  lockedMoved: number;
}

/** Units held of a product for an order, that are not what the order should hold; without an order, held for nobody. */
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

/** Units of a product that have arrived with a document, of which its state allows fewer or more. */
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
  /** So many at least, and so many at most, must have arrived. */
  least: number;
  most: number;
}

export function wordFinding(finding: Finding): string {
  switch (finding.kind) {
    case 'balance': {
      const { lotId, accountNo, skuId, warehouseNo, onHand, onHandMoved, locked, lockedMoved } = finding;
      if (skuId === null) return `lot ${lotId} of ${accountNo} does not exist, but has movements`;
      const parts = [
        ...(onHand === onHandMoved ? [] : [`on hand ${onHand}, by its movements ${onHandMoved}`]),
        ...(locked === lockedMoved ? [] : [`locked ${locked}, by its movements ${lockedMoved}`]),
      ];
      return `lot ${lotId} (${accountNo}, sku ${skuId}, warehouse ${warehouseNo}): ${parts.join('; ')}`;
    }
    case 'lock': {
      const { orderId, partnerNumber, status, accountNo, skuId, held, owed } = finding;
      const whose = orderId === null ? 'no order' : `order ${partnerNumber ?? orderId} (${status ?? 'does not exist'})`;
      return `${whose} of ${accountNo} holds ${held} of sku ${skuId}, and should hold ${owed}`;
    }
    case 'inbound': {
      const { inboundId, partnerNumber, status, accountNo, skuId, announced, received, least, most } = finding;
      const which = `inbound document ${partnerNumber ?? inboundId} (${status ?? 'does not exist'}) of ${accountNo}`;
      const right = least === most ? `${most}` : `${least} to ${most}`;
      return `${which} has brought ${received} of sku ${skuId}, and should have brought ${right} (announced: ${announced})`;
    }
    default:
      return finding satisfies never;
  }
}
