import type { PublicErrorCode } from '../../contract/errors/codes.ts';
import type { ErrorItem, warningCodes } from '../../contract/errors/lists.ts';
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
import type * as generated from '../../sdk/wire.ts';

/** The schemas allow codes of later versions; the SDK has a union of the current ones, which is compared by itself. */
type WithAnyCode<Type> = Type extends generated.ErrorItem | generated.Warning
  ? Omit<Type, 'code'> & { code: string }
  : Type extends (infer Item)[]
    ? WithAnyCode<Item>[]
    : Type extends object
      ? { [Key in keyof Type]: WithAnyCode<Type[Key]> }
      : Type;

type Same<Generated, Other> = [WithAnyCode<Generated>, Other] extends [Other, WithAnyCode<Generated>] ? true : never;

/** Compiles only if the types generated for the SDK equal the types that TypeScript infers from the schemas. */
export const same: Record<string, true> = {
  ErrorCode: true satisfies Same<generated.ErrorCode, PublicErrorCode>,
  WarningCode: true satisfies Same<generated.WarningCode, keyof typeof warningCodes>,
  ErrorItem: true satisfies Same<generated.ErrorItem, Omit<ErrorItem, 'code'> & { code: string }>,
  ProductSyncBody: true satisfies Same<generated.ProductSyncBody, ProductSyncBody>,
  ProductSyncData: true satisfies Same<generated.ProductSyncData, ProductSyncData>,
  InboundReturnBody: true satisfies Same<generated.InboundReturnBody, InboundReturnBody>,
  InboundData: true satisfies Same<generated.InboundData, InboundDuplicateData>,
  InboundCancelResult: true satisfies Same<generated.InboundCancelResult, InboundCancelData['results'][number]>,
  OutboundCreateBody: true satisfies Same<generated.OutboundCreateBody, OutboundCreateBody>,
  OutboundCreateData: true satisfies Same<generated.OutboundCreateData, OutboundCreateData>,
  OutboundCancelResult: true satisfies Same<generated.OutboundCancelResult, OutboundCancelResult>,
  StockDetail: true satisfies Same<generated.StockDetail, StockDetail>,
  TokenRetval: true satisfies Same<generated.TokenRetval, TokenRetval>,
  StockRow: true satisfies Same<generated.StockRow, StockRow>,
  ProductRow: true satisfies Same<generated.ProductRow, ProductRow>,
  OrderRow: true satisfies Same<generated.OrderRow, OrderRow>,
  InboundRow: true satisfies Same<generated.InboundRow, InboundRow>,
  CallbackRow: true satisfies Same<generated.CallbackRow, CallbackRow>,
  OrdersCancelBody: true satisfies Same<generated.OrdersCancelBody, OrdersCancelBody>,
  OrdersCancelResult: true satisfies Same<generated.OrdersCancelResult, OrdersCancelRetval['results'][number]>,
  InboundsReceiveBody: true satisfies Same<generated.InboundsReceiveBody, InboundsReceiveBody>,
  InboundsReceiveRetval: true satisfies Same<generated.InboundsReceiveRetval, InboundsReceiveRetval>,
  InboundsStopBody: true satisfies Same<generated.InboundsStopBody, InboundsStopBody>,
  InboundsCancelBody: true satisfies Same<generated.InboundsCancelBody, InboundsCancelBody>,
  InboundsCancelResult: true satisfies Same<generated.InboundsCancelResult, InboundsCancelRetval['results'][number]>,
  AdvanceReport: true satisfies Same<generated.AdvanceReport, FulfilmentAdvanceBody['orders'][number]>,
  AdvanceResult: true satisfies Same<generated.AdvanceResult, AdvanceResult>,
  ShippingOrderBody: true satisfies Same<generated.ShippingOrderBody, ShippingOrderBody>,
  ShippingOrderRetval: true satisfies Same<generated.ShippingOrderRetval, ShippingOrderRetval>,
  InboundFormBody: true satisfies Same<generated.InboundFormBody, InboundFormBody>,
  InboundFormRetval: true satisfies Same<generated.InboundFormRetval, InboundFormRetval>,
  CallbackBody: true satisfies Same<generated.CallbackBody, CallbackBody>,
};
