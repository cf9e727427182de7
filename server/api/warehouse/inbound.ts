import type { InboundCreatedData, InboundDuplicateData, InboundFields } from '../../../contract/warehouse/inbound.ts';
import { errorMessage } from '../../../messages/errors.ts';
import type { CreateInboundOutcome, SubmittedInbound } from '../../domain/inbound/create-inbounds.ts';
import type { InboundContent } from '../../domain/inbound/inbound-document.ts';
import type { EndpointResponse } from '../../http/endpoint.ts';
import { payloadDiffers } from '../payload-differs.ts';
import { rejectedAt, unknownSkus, unknownTenant } from '../rejection.ts';
import { duplicate, rejected, success } from './envelope.ts';
import type { WarehouseCaller } from './warehouse-contract.ts';

/** Converts the body of F-2 and F-3 to the domain's terms. */
export function inboundSent(
  account: WarehouseCaller,
  body: InboundFields,
  traceId: string,
  what: Pick<InboundContent, 'kind' | 'originalOrderNumber'>,
): SubmittedInbound {
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

export function formatInboundOutcome(
  outcome: CreateInboundOutcome,
  body: InboundFields,
  traceId: string,
): EndpointResponse {
  switch (outcome.kind) {
    case 'created': {
      const data: InboundCreatedData = { success: true, ...numbersOf(outcome, body) };
      return success(traceId, data);
    }
    case 'repeated': {
      const data: Omit<InboundDuplicateData, 'errors'> = { success: false, ...numbersOf(outcome, body) };
      return duplicate(traceId, outcome.payloadDiffers ? { ...data, ...payloadDiffers } : data, ['inbound_short_id']);
    }
    case 'unknown_tenant':
      return rejected(traceId, unknownTenant());
    case 'unknown_skus':
      return rejected(traceId, unknownSkus(body.details, outcome.skuIds));
    case 'too_many_units': {
      const index = body.details.findIndex(({ sku_id }) => sku_id === outcome.skuId);
      const message = errorMessage('too_many_units', { sku_id: outcome.skuId, max: outcome.unitsMax });
      return rejected(traceId, rejectedAt(['details', index, 'expires'], message));
    }
    default:
      return outcome satisfies never;
  }
}

function numbersOf({ documentNo, warehouseNo }: { documentNo: string; warehouseNo: number }, body: InboundFields) {
  return { stock_in_no: documentNo, stock_in_sn: body.inbound_short_id, warehouse_no: warehouseNo };
}
