import type { TSchema } from 'typebox';
import { CallbackBody } from './logistics/callback.ts';
import { InboundFormBody, InboundFormRetval } from './logistics/inbound-form.ts';
import { ShippingOrderBody, ShippingOrderRetval } from './logistics/shipping-order.ts';
import { CallbacksRedeliverBody, CallbacksRedeliverRetval } from './main/callbacks-redeliver.ts';
import { CallbackRow, callbacksSearch } from './main/callbacks-search.ts';
import { AdvanceResult, FulfilmentAdvanceBody } from './main/fulfilment-advance.ts';
import { TokenRetval } from './main/get-token.ts';
import { InboundsCancelBody, InboundsCancelRetval } from './main/inbounds-cancel.ts';
import { InboundsReceiveBody, InboundsReceiveRetval } from './main/inbounds-receive.ts';
import { InboundRow, inboundsSearch } from './main/inbounds-search.ts';
import { InboundsStopBody, InboundsStopRetval } from './main/inbounds-stop.ts';
import { OrdersCancelBody, OrdersCancelRetval } from './main/orders-cancel.ts';
import { OrdersCreateRetval } from './main/orders-create.ts';
import { OrderRow, ordersSearch } from './main/orders-search.ts';
import { ProductRow, productsSearch } from './main/products-search.ts';
import { SearchBody } from './main/search-list.ts';
import { StockRow, stocksSearch } from './main/stocks-search.ts';
import { InboundDuplicateData } from './warehouse/inbound.ts';
import { InboundCancelData } from './warehouse/inbound-cancel.ts';
import { InboundCreateBody } from './warehouse/inbound-create.ts';
import { InboundReturnBody } from './warehouse/inbound-return.ts';
import { OutboundCancelResult } from './warehouse/outbound-cancel.ts';
import { OutboundCreateBody, OutboundCreateData } from './warehouse/outbound-create.ts';
import { ProductSyncBody, ProductSyncData } from './warehouse/product-sync.ts';
import { StockDetail } from './warehouse/stock-query.ts';

/** What a partner's program sends and gets, under the names that it has in the SDK. */
export const clientTypes: Record<string, TSchema> = {
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
  ShippingOrderBody,
  ShippingOrderRetval,
  InboundFormBody,
  InboundFormRetval,
  CallbackBody,
};
