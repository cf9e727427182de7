import type { OutboundCancelResult } from '../../contract/warehouse/outbound-cancel.ts';
import type { OutboundCreateBody } from '../../contract/warehouse/outbound-create.ts';
import { errorMessage } from '../../messages/errors.ts';
import type { CancelOrderOutcome } from '../domain/orders/cancel-orders.ts';
import type { CreateOrderOutcome } from '../domain/orders/create-orders.ts';
import type { OrderContent } from '../domain/orders/order.ts';
import { type Rejection, unknownSkus, unknownTenant } from './rejection.ts';

/** Conversion of orders and their outcomes, shared by the warehouse API and the main API. */
export function orderContentOf(body: OutboundCreateBody): OrderContent {
  return {
    warehouseTpwId: body.warehouse_tpw_id,
    shipMethod: { logisticsType: body.logistics_type, expressType: body.express_type },
    consignee: {
      country: body.consignee_country,
      name: body.consignee_name ?? null,
      phone: body.consignee_phone ?? null,
      address: body.consignee_address ?? null,
      zip: body.consignee_zip ?? null,
    },
    lines: body.details.map(({ sku_id, qty }) => ({ skuId: sku_id, qty })),
  };
}

const fieldOf = { logisticsType: 'logistics_type', expressType: 'express_type' };

export type RejectedOrder = Exclude<CreateOrderOutcome, { kind: 'created' | 'repeated' }>;

export function rejectionOfOrder(outcome: RejectedOrder, body: OutboundCreateBody): Rejection {
  switch (outcome.kind) {
    case 'unknown_tenant':
      return unknownTenant();
    case 'unknown_skus':
      return unknownSkus(body.details, outcome.skuIds);
    case 'unknown_ship_method': {
      const mistakes = outcome.wrongParts.map(({ part, allowed }) => ({
        path: [fieldOf[part]],
        message: errorMessage('ship_method_part', { values: allowed.join(', ') }),
      }));
      return { message: errorMessage('unknown_ship_method'), mistakes };
    }
    case 'short': {
      const mistakes = outcome.shortages.map(({ skuId, available, requested }) => ({
        path: ['details', body.details.findIndex(({ sku_id }) => sku_id === skuId), 'qty'],
        message: errorMessage('short_of_stock', { sku_id: skuId, available, requested }),
      }));
      return { message: mistakes[0]!.message, mistakes };
    }
    default:
      return outcome satisfies never;
  }
}

export function formatCancelledOrder(outcome: CancelOrderOutcome, outbound_short_id: string): OutboundCancelResult {
  switch (outcome.kind) {
    case 'cancelled':
    case 'not_found':
      return { outbound_short_id, status: outcome.kind };
    case 'too_late':
      return { outbound_short_id, status: 'cannot_cancel_after_picking', code: 'LST-TPW-6001' };
    default:
      return outcome satisfies never;
  }
}
