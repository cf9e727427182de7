import { OutboundCreateBody, type OutboundCreateData } from '../../../contract/warehouse/outbound-create.ts';
import type { CreateOrderOutcome } from '../../domain/orders/create-orders.ts';
import type { OrderContent } from '../../domain/orders/order.ts';
import type { TakeOrder } from '../../domain/orders/take-order.ts';
import { type Answer, endpoint } from '../contract.ts';
import { numberTaken, refusal, success, unknownSkus, unknownTenant } from './envelope.ts';
import type { WarehouseCaller } from './warehouse-contract.ts';

/** F-5: creates an order, and locks its units; the same number again is answered with the original. */
export function outboundCreate(takeOrder: TakeOrder) {
  return endpoint<WarehouseCaller, typeof OutboundCreateBody>({
    path: '/outbound/create',
    body: OutboundCreateBody,
    documentNo: (body) => body.outbound_short_id,
    async handle(account, body, request) {
      const outcome = await takeOrder({
        account,
        channel: 'warehouse',
        partnerNumber: body.outbound_short_id,
        content: contentOf(body),
        cause: { actor: account.accountNo, traceId: request.id },
      });
      return wordOutcome(outcome, body, request.id);
    },
  });
}

function contentOf(body: OutboundCreateBody): OrderContent {
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

function wordOutcome(outcome: CreateOrderOutcome, body: OutboundCreateBody, traceId: string): Answer {
  switch (outcome.kind) {
    case 'created': {
      const data: OutboundCreateData = { success: true, orders_id: outcome.orderNo, idempotent: false };
      return success(traceId, data);
    }
    case 'repeated': {
      const data: OutboundCreateData = { success: true, orders_id: outcome.orderNo, idempotent: true };
      return success(traceId, outcome.payloadDiffers ? { ...data, payload_differs: true } : data);
    }
    case 'number_taken':
      return numberTaken(traceId, 'outbound_short_id');
    case 'unknown_tenant':
      return unknownTenant(traceId);
    case 'unknown_skus':
      return unknownSkus(traceId, body.details, outcome.skuIds);
    case 'unknown_ship_method': {
      const message = 'unknown ship_method mapping';
      return refusal(traceId, message, [{ path: ['logistics_type'], message }]);
    }
    case 'short': {
      const mistakes = outcome.shortages.map(({ skuId, available, requested }) => ({
        path: ['details', body.details.findIndex(({ sku_id }) => sku_id === skuId), 'qty'],
        message: `sku ${skuId} available=${available} < requested=${requested}`,
      }));
      return refusal(traceId, mistakes[0]!.message, mistakes);
    }
    default:
      return outcome satisfies never;
  }
}
