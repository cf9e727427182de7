import type { CallbackBody } from '../../contract/logistics/callback.ts';
import type { InboundFormBody, InboundFormRetval } from '../../contract/logistics/inbound-form.ts';
import type { ShippingOrderBody, ShippingOrderRetval } from '../../contract/logistics/shipping-order.ts';
import type { CallbackRow } from '../../contract/main/callbacks-search.ts';
import type { AdvanceResult, FulfilmentAdvanceBody } from '../../contract/main/fulfilment-advance.ts';
import type { TokenRetval } from '../../contract/main/get-token.ts';
import type { InboundsCancelBody, InboundsCancelRetval } from '../../contract/main/inbounds-cancel.ts';
import type { InboundsReceiveBody, InboundsReceiveRetval } from '../../contract/main/inbounds-receive.ts';
import type { InboundRow } from '../../contract/main/inbounds-search.ts';
import type { InboundsStopBody } from '../../contract/main/inbounds-stop.ts';
import type { OrdersCancelBody, OrdersCancelRetval } from '../../contract/main/orders-cancel.ts';
import type { OrderRow } from '../../contract/main/orders-search.ts';
import type { ProductRow } from '../../contract/main/products-search.ts';
import type { StockRow } from '../../contract/main/stocks-search.ts';
import type { InboundDuplicateData } from '../../contract/warehouse/inbound.ts';
import type { InboundCancelData } from '../../contract/warehouse/inbound-cancel.ts';
import type { InboundReturnBody } from '../../contract/warehouse/inbound-return.ts';
import type { OutboundCancelResult } from '../../contract/warehouse/outbound-cancel.ts';
import type { OutboundCreateBody, OutboundCreateData } from '../../contract/warehouse/outbound-create.ts';
import type { ProductSyncBody, ProductSyncData } from '../../contract/warehouse/product-sync.ts';
import type { StockDetail } from '../../contract/warehouse/stock-query.ts';
import type * as drawn from '../../sdk/wire.ts';

type Same<One, Other> = [One, Other] extends [Other, One] ? true : never;

/** What is drawn for the SDK and what TypeScript itself sees in the schemas is the same, or this does not compile. */
export const same: Record<string, true> = {
  ProductSyncBody: true satisfies Same<drawn.ProductSyncBody, ProductSyncBody>,
  ProductSyncData: true satisfies Same<drawn.ProductSyncData, ProductSyncData>,
  InboundReturnBody: true satisfies Same<drawn.InboundReturnBody, InboundReturnBody>,
  InboundData: true satisfies Same<drawn.InboundData, InboundDuplicateData>,
  InboundCancelResult: true satisfies Same<drawn.InboundCancelResult, InboundCancelData['results'][number]>,
  OutboundCreateBody: true satisfies Same<drawn.OutboundCreateBody, OutboundCreateBody>,
  OutboundCreateData: true satisfies Same<drawn.OutboundCreateData, OutboundCreateData>,
  OutboundCancelResult: true satisfies Same<drawn.OutboundCancelResult, OutboundCancelResult>,
  StockDetail: true satisfies Same<drawn.StockDetail, StockDetail>,
  TokenRetval: true satisfies Same<drawn.TokenRetval, TokenRetval>,
  StockRow: true satisfies Same<drawn.StockRow, StockRow>,
  ProductRow: true satisfies Same<drawn.ProductRow, ProductRow>,
  OrderRow: true satisfies Same<drawn.OrderRow, OrderRow>,
  InboundRow: true satisfies Same<drawn.InboundRow, InboundRow>,
  CallbackRow: true satisfies Same<drawn.CallbackRow, CallbackRow>,
  OrdersCancelBody: true satisfies Same<drawn.OrdersCancelBody, OrdersCancelBody>,
  OrdersCancelResult: true satisfies Same<drawn.OrdersCancelResult, OrdersCancelRetval['results'][number]>,
  InboundsReceiveBody: true satisfies Same<drawn.InboundsReceiveBody, InboundsReceiveBody>,
  InboundsReceiveRetval: true satisfies Same<drawn.InboundsReceiveRetval, InboundsReceiveRetval>,
  InboundsStopBody: true satisfies Same<drawn.InboundsStopBody, InboundsStopBody>,
  InboundsCancelBody: true satisfies Same<drawn.InboundsCancelBody, InboundsCancelBody>,
  InboundsCancelResult: true satisfies Same<drawn.InboundsCancelResult, InboundsCancelRetval['results'][number]>,
  AdvanceReport: true satisfies Same<drawn.AdvanceReport, FulfilmentAdvanceBody['orders'][number]>,
  AdvanceResult: true satisfies Same<drawn.AdvanceResult, AdvanceResult>,
  ShippingOrderBody: true satisfies Same<drawn.ShippingOrderBody, ShippingOrderBody>,
  ShippingOrderRetval: true satisfies Same<drawn.ShippingOrderRetval, ShippingOrderRetval>,
  InboundFormBody: true satisfies Same<drawn.InboundFormBody, InboundFormBody>,
  InboundFormRetval: true satisfies Same<drawn.InboundFormRetval, InboundFormRetval>,
  CallbackBody: true satisfies Same<drawn.CallbackBody, CallbackBody>,
};
