import type { TSchema } from 'typebox';
import { errorCodes } from '../contract/errors/codes.ts';
import { ErrorItem, Warning, warningCodes } from '../contract/errors/lists.ts';
import { CallbackBody, callbackParts, callbackSchemas } from '../contract/logistics/callback.ts';
import { CallbackTestBody, CallbackTestRetval } from '../contract/logistics/callback-test.ts';
import { InboundFormBody, InboundFormRetval } from '../contract/logistics/inbound-form.ts';
import { ShippingOrderBody, ShippingOrderRetval } from '../contract/logistics/shipping-order.ts';
import { CallbacksRedeliverBody, CallbacksRedeliverRetval } from '../contract/main/callbacks-redeliver.ts';
import { CallbackRow, callbacksSearch } from '../contract/main/callbacks-search.ts';
import { AdvanceResult, FulfilmentAdvanceBody } from '../contract/main/fulfilment-advance.ts';
import { TokenRetval } from '../contract/main/get-token.ts';
import { InboundsCancelBody, InboundsCancelRetval } from '../contract/main/inbounds-cancel.ts';
import { InboundsReceiveBody, InboundsReceiveRetval } from '../contract/main/inbounds-receive.ts';
import { InboundRow, inboundsSearch } from '../contract/main/inbounds-search.ts';
import { InboundsStopBody, InboundsStopRetval } from '../contract/main/inbounds-stop.ts';
import { OrdersCancelBody, OrdersCancelRetval } from '../contract/main/orders-cancel.ts';
import { OrdersCreateRetval } from '../contract/main/orders-create.ts';
import { OrdersHoldBody, OrdersHoldResult } from '../contract/main/orders-hold.ts';
import { OrdersReleaseBody, OrdersReleaseResult } from '../contract/main/orders-release.ts';
import { OrderRow, ordersSearch } from '../contract/main/orders-search.ts';
import { OrdersUpdateBody, OrdersUpdateResult } from '../contract/main/orders-update.ts';
import { ProductRow, productsSearch } from '../contract/main/products-search.ts';
import { ProductsUpdateBody, ProductsUpdateRetval } from '../contract/main/products-update.ts';
import { SearchBody } from '../contract/main/search-list.ts';
import { StocksAdjustBody, StocksAdjustRetval } from '../contract/main/stocks-adjust.ts';
import { StocksMoveBody, StocksMoveRetval } from '../contract/main/stocks-move.ts';
import { StockRow, stocksSearch } from '../contract/main/stocks-search.ts';
import { DiagnoseData } from '../contract/warehouse/diagnose.ts';
import { InboundDuplicateData } from '../contract/warehouse/inbound.ts';
import { InboundCancelData } from '../contract/warehouse/inbound-cancel.ts';
import { InboundCreateBody } from '../contract/warehouse/inbound-create.ts';
import { InboundReturnBody } from '../contract/warehouse/inbound-return.ts';
import { OutboundCancelResult } from '../contract/warehouse/outbound-cancel.ts';
import { OutboundCreateBody, OutboundCreateData } from '../contract/warehouse/outbound-create.ts';
import { ProductSyncBody, ProductSyncData } from '../contract/warehouse/product-sync.ts';
import { StockDetail } from '../contract/warehouse/stock-query.ts';
import type { KnownTexts } from './typescript.ts';

/** The types of requests and responses, by their names in the SDK. */
export const clientTypes: Record<string, TSchema> = {
  ErrorItem,
  Warning,
  ProductSyncBody,
  ProductSyncData,
  InboundCreateBody,
  InboundReturnBody,
  InboundData: InboundDuplicateData,
  InboundCancelResult: InboundCancelData.properties.results.items,
  OutboundCreateBody,
  OutboundCreateData,
  OutboundCancelResult,
  StockDetail,
  DiagnoseData,
  TokenRetval,
  StocksSearch: SearchBody(stocksSearch),
  StockRow,
  ProductsSearch: SearchBody(productsSearch),
  ProductRow,
  OrdersSearch: SearchBody(ordersSearch),
  OrderRow,
  InboundsSearch: SearchBody(inboundsSearch),
  InboundRow,
  CallbacksSearch: SearchBody(callbacksSearch),
  CallbackRow,
  OrdersCreateRetval,
  OrdersCancelBody,
  OrdersCancelResult: OrdersCancelRetval.properties.results.items,
  OrderUpdate: OrdersUpdateBody.properties.orders.items,
  OrdersUpdateResult,
  OrderHold: OrdersHoldBody.properties.orders.items,
  OrdersHoldResult,
  OrderRelease: OrdersReleaseBody.properties.orders.items,
  OrdersReleaseResult,
  InboundsReceiveBody,
  InboundsReceiveRetval,
  InboundsStopBody,
  InboundsStopRetval,
  InboundsCancelBody,
  InboundsCancelResult: InboundsCancelRetval.properties.results.items,
  AdvanceReport: FulfilmentAdvanceBody.properties.orders.items,
  AdvanceResult,
  CallbacksRedeliverBody,
  CallbacksRedeliverRetval,
  ProductsUpdateBody,
  ProductsUpdateRetval,
  StocksAdjustBody,
  StocksAdjustRetval,
  StocksMoveBody,
  StocksMoveRetval,
  ShippingOrderBody,
  ShippingOrderRetval,
  InboundFormBody,
  InboundFormRetval,
  CallbackTestBody,
  CallbackTestRetval,
  ...callbackParts,
  ...callbackSchemas,
  CallbackBody,
};

/** Codes are a union in the SDK, so that the compiler finds a misspelled one. */
export const knownTexts: Record<string, KnownTexts> = {
  ErrorCode: { field: ErrorItem.properties.code, values: Object.keys(errorCodes) },
  WarningCode: { field: Warning.properties.code, values: Object.keys(warningCodes) },
};
