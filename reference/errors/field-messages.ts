import type { ErrorCode } from '../../messages/errors.ts';
import { allContracts, type CataloguedMessage, textsOf } from './catalogued-message.ts';

/** Rules that can apply to any field. */
const anyField: ErrorCode[] = [
  'field_missing',
  'not_string',
  'not_integer',
  'not_number',
  'not_boolean',
  'not_object',
  'not_array',
  'not_null',
  'not_one_of',
  'below_minimum',
  'above_maximum',
  'too_few_items',
  'too_many_items',
  'too_many_characters',
  'not_credential',
  'not_identifier',
  'not_identifier_or_empty',
  'not_title',
  'not_free_text',
  'not_note',
  'not_date',
  'not_web_address',
  'not_uuid',
];

const announce = ['inboundCreate', 'inboundReturn'];
const changesOfStock = ['stocksAdjust', 'stocksMove'];
const searches = [
  'searchStocks',
  'searchProducts',
  'searchOrders',
  'searchInbounds',
  'searchCallbacks',
  'callbacksRedeliver',
];

const changes = ['ordersUpdate', 'ordersHold', 'ordersRelease'];
const callbackTests = ['callbacksTest', 'testCallback'];

type OwnRow = [contracts: CataloguedMessage['contracts'], operations: string[], error: ErrorCode];

/** Rules of individual fields. */
const ownRules: OwnRow[] = [
  [['warehouse'], announce, 'qty_not_sum'],
  [['warehouse'], announce, 'too_many_expires'],
  [['logistics', 'main'], ['shippingOrder', 'ordersUpdate'], 'label_too_large'],
  [['main', 'logistics'], ['shippingOrder', 'inboundForm', ...callbackTests], 'url_not_http'],
  [['main', 'logistics'], ['shippingOrder', 'inboundForm', ...callbackTests], 'url_with_credentials'],
  [['main', 'logistics'], ['shippingOrder', 'inboundForm', ...callbackTests], 'url_port_zero'],
  [['main', 'logistics'], ['shippingOrder', 'inboundForm', ...callbackTests], 'url_private'],
  [['main', 'logistics'], callbackTests, 'test_url_of_production'],
  [['main', 'logistics'], callbackTests, 'test_without_url'],
  [['main'], ['callbacksTest'], 'test_without_secret'],
  [['main'], ['ordersCancel'], 'no_orders_named'],
  [['main'], ['inboundsCancel'], 'no_documents_named'],
  [['main'], ['inboundsReceive', 'inboundsStop'], 'no_document_named'],
  [['main'], ['inboundsReceive', 'inboundsStop'], 'two_documents_named'],
  [['main'], ['inboundsReceive'], 'nothing_received'],
  [['main'], ['fulfilmentAdvance', ...changes], 'no_order_named'],
  [['main'], ['fulfilmentAdvance', ...changes], 'two_orders_named'],
  [['main'], ['ordersUpdate'], 'no_change_given'],
  [['main'], searches, 'not_instant_or_date'],
  [['main'], ['searchOrders'], 'not_digits'],
  [['main'], searches, 'not_true_or_false'],
  [['main'], searches, 'not_a_filter'],
  [['main'], searches, 'too_many_filter_values'],
  [['main'], searches, 'not_filter_value'],
  [['main'], searches, 'no_operator'],
  [['main'], searches, 'not_an_operator'],
  [['main'], searches.slice(0, -1), 'not_sort'],
  [['main'], searches.slice(0, -1), 'not_a_sort_key'],
  [['main'], searches.slice(0, -1), 'not_page_size'],
  [['main'], searches.slice(0, -1), 'not_cursor'],
  [['main'], searches.slice(0, -1), 'cursor_of_other_search'],
  [['main'], ['callbacksRedeliver'], 'for_searching_only'],
  [['main'], ['callbacksRedeliver'], 'no_operator_value'],
  [['main'], ['callbacksRedeliver'], 'no_callbacks_named'],
  [['main'], ['callbacksRedeliver'], 'callbacks_named_twice'],
  [['main', 'logistics'], ['inboundsReceive', 'inboundsStop', 'inboundForm', ...callbackTests], 'document_not_found'],
  [['main', 'logistics'], ['inboundsStop', 'inboundForm'], 'cannot_stop'],
  [['main'], ['inboundsReceive'], 'cannot_receive'],
  [['main'], ['inboundsReceive'], 'too_many_portions'],
  [['main'], ['stocksAdjust'], 'delta_and_counted'],
  [['main'], ['stocksAdjust'], 'no_units_given'],
  [['main'], [...changesOfStock, 'productsUpdate'], 'product_unknown'],
  [['main'], [...changesOfStock, 'productsUpdate'], 'warehouse_unknown'],
  [['main'], ['productsUpdate'], 'listed_twice'],
  [['main'], ['productsUpdate'], 'code_of_other'],
  [['main'], changesOfStock, 'lot_unknown'],
  [['main'], changesOfStock, 'units_not_free'],
  [['main'], ['stocksAdjust'], 'counted_below_locked'],
  [['main'], changesOfStock, 'lot_would_overflow'],
  [['main'], ['stocksAdjust'], 'lot_counted_twice'],
  [['main'], ['stocksMove'], 'same_warehouse'],
];

export const fieldMessages: CataloguedMessage[] = [
  ...anyField.map((error) => ({ contracts: allContracts, ...fieldError(error) })),
  ...ownRules.map(([contracts, operations, error]) => ({ contracts, operations, ...fieldError(error) })),
];

function fieldError(error: ErrorCode) {
  const isAboutKey = error === 'not_a_filter' || error === 'not_an_operator';
  return { ...textsOf(error), status: 400, about: isAboutKey ? ('key' as const) : ('field' as const) };
}
