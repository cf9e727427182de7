import type { InboundCreatedData, InboundDuplicateData, InboundFields } from '../../../contract/warehouse/inbound.ts';
import type { CreateInboundOutcome } from '../../domain/inbound/create-inbounds.ts';
import type { InboundContent } from '../../domain/inbound/inbound-document.ts';
import type { InboundAsSent } from '../../domain/inbound/take-inbound.ts';
import type { Answer } from '../contract.ts';
import { numberTaken, refusedAt, unknownSkus, unknownTenant } from '../refusal.ts';
import { duplicate, refused, success } from './envelope.ts';
import type { WarehouseCaller } from './warehouse-contract.ts';

/** What F-2 and F-3 have in common: the body in domain words. */
export function inboundSent(
  account: WarehouseCaller,
  body: InboundFields,
  traceId: string,
  what: Pick<InboundContent, 'kind' | 'originalOrderNumber'>,
): InboundAsSent {
  return {
    account,
    partnerNumber: body.inbound_short_id,
    content: {
      ...what,
      warehouseTpwId: body.warehouse_tpw_id,
      estimatedArrivalMs: body.estimated_arrival_time ?? null,
      lines: body.details.flatMap(({ sku_id, expires }) =>
        expires.map(({ expire_date, qty }) => ({ skuId: sku_id, expireDate: expire_date || null, qty })),
      ),
    },
    cause: { actor: account.accountNo, traceId },
  };
}

export function wordInboundOutcome(outcome: CreateInboundOutcome, body: InboundFields, traceId: string): Answer {
  switch (outcome.kind) {
    case 'created': {
      const data: InboundCreatedData = { success: true, ...numbersOf(outcome, body) };
      return success(traceId, data);
    }
    case 'repeated': {
      const data: InboundDuplicateData = { success: false, ...numbersOf(outcome, body) };
      return duplicate(traceId, outcome.payloadDiffers ? { ...data, payload_differs: true } : data);
    }
    case 'number_taken':
      return refused(traceId, numberTaken('inbound_short_id'));
    case 'unknown_tenant':
      return refused(traceId, unknownTenant());
    case 'unknown_skus':
      return refused(traceId, unknownSkus(body.details, outcome.skuIds));
    case 'too_many_units': {
      const index = body.details.findIndex(({ sku_id }) => sku_id === outcome.skuId);
      const message = `sku ${outcome.skuId} would have more than ${outcome.unitsMax} units of one expiry date`;
      return refused(traceId, refusedAt(['details', index, 'expires'], message));
    }
    default:
      return outcome satisfies never;
  }
}

function numbersOf({ documentNo, warehouseNo }: { documentNo: string; warehouseNo: number }, body: InboundFields) {
  return { stock_in_no: documentNo, stock_in_sn: body.inbound_short_id, warehouse_no: warehouseNo };
}
