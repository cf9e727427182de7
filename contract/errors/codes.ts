import type { ErrorCode } from '../../messages/errors.ts';
import type { Message } from '../../messages/message.ts';
import type { rejectionTexts } from '../../messages/rejection-texts.ts';

interface DescribedCode {
  /** Markdown. */
  meaning: string;
  todo: string;
}

const fixRequest = 'Fix the request before retrying; an identical request will be rejected again.';
const retryLater = 'Send the same request again after the time given in `Retry-After`.';
const askOperator = 'Contact the operator; until then, the request will be rejected again.';

/** The codes in `errors`, in the order of the error guide. Programs base their decisions on them. */
export const errorCodes = {
  field_missing: { meaning: 'A required field is missing. `path` names it.', todo: fixRequest },
  field_invalid: {
    meaning: 'A field breaks a rule. `path` names it, and `message` says what is allowed.',
    todo: fixRequest,
  },
  unknown_field: {
    meaning: 'The request has a field that the endpoint does not know, such as a filter that the list does not have.',
    todo: 'Correct the name of the field, or omit it.',
  },
  body_unreadable: { meaning: 'The body is not JSON that we accept.', todo: fixRequest },
  unknown_tenant: {
    meaning: 'The account does not have this `warehouse_tpw_id`.',
    todo: 'Send the identifier that the operator gave you for this account.',
  },
  unknown_sku: {
    meaning: 'A product has not been synced. `path` names the detail.',
    todo: 'Sync the product, then send the same request again.',
  },
  unknown_warehouse: {
    meaning: 'The account has neither a tenant nor a logistics key in this warehouse.',
    todo: 'Send the number of one of your warehouses.',
  },
  unknown_ship_method: {
    meaning: '`logistics_type` and `express_type` are not a known combination. `path` names the wrong one of the two.',
    todo: 'Send one of the values in `message`.',
  },
  insufficient_stock: {
    meaning: 'There are not enough sellable units. `path` names the first detail with the product.',
    todo: 'Order fewer units, or send the same request again after stock has arrived.',
  },
  too_many_units: {
    meaning: 'A lot would hold more units than it can, or a document would receive more than it accepts.',
    todo: 'Check the quantities and their unit.',
  },
  not_announced: {
    meaning: 'The received goods are not in the document.',
    todo: 'Report them under the document that announces them.',
  },
  duplicate_document: {
    meaning: 'The document already exists: the original was accepted.',
    todo: 'Treat it as a success.',
  },
  number_conflict: {
    meaning: 'The number was already used with different content, which remains unchanged.',
    todo: 'Use a new number for new content.',
  },
  not_found: { meaning: 'You have no document with that number.', todo: 'Check the number, and which API it is from.' },
  too_late: {
    meaning: 'The document has already progressed too far for this request.',
    todo: 'Accept its current status; `message` names it.',
  },
  too_early: {
    meaning: 'The order has not progressed far enough for this report.',
    todo: 'Report the earlier steps first.',
  },
  not_in_uat: { meaning: 'UAT accounts cannot do this.', todo: 'Use a production account.' },
  limit_reached: {
    meaning: 'The request exceeds a limit that depends on the data. `message` names the limit.',
    todo: 'Split the request, or close the document.',
  },
  signature_invalid: {
    meaning: 'The signature was not accepted. For security, the response does not say why.',
    todo: 'Fix the signature; create a new one for every attempt.',
  },
  api_key_invalid: {
    meaning: 'The API key was not accepted. For security, the response does not say why.',
    todo: askOperator,
  },
  credentials_invalid: {
    meaning: '`ClientId` and `CheckValue` do not belong together.',
    todo: 'Fix the credentials; failed attempts are limited.',
  },
  client_disabled: { meaning: 'The client or its account is disabled.', todo: askOperator },
  token_missing: { meaning: 'The request has no access token.', todo: 'Send `Authorization: Bearer <access token>`.' },
  token_invalid: { meaning: 'The access token is not valid.', todo: 'Get a new token and retry once; then give up.' },
  token_expired: { meaning: 'The access token has expired.', todo: 'Get a new token and retry once.' },
  permission_missing: { meaning: 'The client lacks the permission named in `message`.', todo: askOperator },
  header_repeated: {
    meaning: 'A header was sent twice.',
    todo: 'Send it once; check whether a proxy adds another one.',
  },
  unknown_path: { meaning: 'The path does not exist.', todo: 'Compare the path with the API reference.' },
  method_not_allowed: { meaning: 'The method is not allowed; `Allow` names the right one.', todo: fixRequest },
  request_malformed: { meaning: 'The request is not HTTP that we accept.', todo: fixRequest },
  request_timeout: { meaning: 'The request did not arrive in time.', todo: 'Send the same request again.' },
  headers_too_large: { meaning: 'The headers are too large.', todo: 'Send only the required headers.' },
  body_too_large: { meaning: 'The body is too large.', todo: 'Send less per request.' },
  unsupported_media_type: { meaning: 'The body is not JSON in UTF-8, or is compressed.', todo: fixRequest },
  rate_limited: { meaning: 'Too many requests, or too many failed attempts.', todo: retryLater },
  not_enabled: { meaning: 'The integration is disabled, for everyone or for this account.', todo: askOperator },
  unavailable: { meaning: 'The service is busy, or its database is unavailable.', todo: retryLater },
  internal_error: {
    meaning: 'An error on our side; the request may or may not have taken effect.',
    todo: 'Send the same request again, and report the trace id.',
  },
} as const satisfies Record<string, DescribedCode>;

export type PublicErrorCode = keyof typeof errorCodes;

/** The code of each message. A new message without a code does not compile. */
export const codesOfMessages: Record<ErrorCode, PublicErrorCode> = {
  invalid_client: 'credentials_invalid',
  client_off: 'client_disabled',
  path_unreadable: 'request_malformed',
  host_missing: 'request_malformed',
  host_twice: 'header_repeated',
  request_unreadable: 'request_malformed',
  not_http: 'request_malformed',
  expect_pipelined: 'request_malformed',
  authentication_failed_warehouse: 'signature_invalid',
  authentication_failed_logistics: 'api_key_invalid',
  authentication_failed_main: 'header_repeated',
  authorization_twice: 'header_repeated',
  authorization_missing: 'token_missing',
  authorization_not_bearer: 'token_invalid',
  access_token_malformed: 'token_invalid',
  access_token_invalid: 'token_invalid',
  access_token_expired: 'token_expired',
  client_off_since: 'client_disabled',
  permission_missing: 'permission_missing',
  no_such_path: 'unknown_path',
  wrong_method: 'method_not_allowed',
  request_timed_out: 'request_timeout',
  too_large: 'body_too_large',
  wrong_content_type: 'unsupported_media_type',
  content_encoding: 'unsupported_media_type',
  too_many_requests: 'rate_limited',
  headers_too_large: 'headers_too_large',
  internal_error: 'internal_error',
  not_enabled: 'not_enabled',
  service_busy: 'unavailable',
  database_out_of_reach: 'unavailable',

  no_body: 'body_unreadable',
  not_utf8: 'body_unreadable',
  byte_order_mark: 'body_unreadable',
  ends_early: 'body_unreadable',
  trailing_comma: 'body_unreadable',
  not_json: 'body_unreadable',
  wrong_escape: 'body_unreadable',
  too_deep: 'body_unreadable',
  inexact_number: 'body_unreadable',
  nul_character: 'body_unreadable',
  half_surrogate: 'body_unreadable',
  key_twice: 'body_unreadable',
  key_forbidden: 'body_unreadable',
  too_many_keys: 'body_unreadable',
  too_many_values: 'body_unreadable',

  duplicate_document: 'duplicate_document',
  unknown_tenant: 'unknown_tenant',
  unknown_sku: 'unknown_sku',
  unknown_ship_method: 'unknown_ship_method',
  ship_method_part: 'unknown_ship_method',
  short_of_stock: 'insufficient_stock',
  too_many_units: 'too_many_units',
  lot_too_large: 'too_many_units',
  not_announced: 'not_announced',
  more_than_accepted: 'too_many_units',
  receipt_no_reused: 'number_conflict',
  internal_name_reused: 'number_conflict',
  form_no_reused: 'number_conflict',
  too_many_callbacks: 'limit_reached',
  uat_order_stays: 'not_in_uat',
  order_cancelled: 'too_late',
  order_awaits_stock: 'too_early',
  not_shipped_yet: 'too_early',
  no_going_back: 'too_late',
  shipment_no_missing: 'field_missing',
  other_shipment_no: 'number_conflict',
  order_past_changes: 'too_late',
  order_being_handed_over: 'too_late',
  fields_of_logistics_orders: 'field_invalid',
  fields_of_direct_orders: 'field_invalid',
  too_many_changes: 'limit_reached',
  reference_no_reused: 'number_conflict',

  field_missing: 'field_missing',
  not_string: 'field_invalid',
  not_integer: 'field_invalid',
  not_number: 'field_invalid',
  not_boolean: 'field_invalid',
  not_object: 'field_invalid',
  not_array: 'field_invalid',
  not_null: 'field_invalid',
  not_one_of: 'field_invalid',
  below_minimum: 'field_invalid',
  above_maximum: 'field_invalid',
  too_few_items: 'field_invalid',
  too_many_items: 'field_invalid',
  too_many_characters: 'field_invalid',
  not_credential: 'field_invalid',
  not_identifier: 'field_invalid',
  not_identifier_or_empty: 'field_invalid',
  not_title: 'field_invalid',
  not_free_text: 'field_invalid',
  not_note: 'field_invalid',
  not_date: 'field_invalid',
  not_instant: 'field_invalid',
  not_web_address: 'field_invalid',
  not_uuid: 'field_invalid',
  qty_not_sum: 'field_invalid',
  too_many_expires: 'field_invalid',
  label_too_large: 'field_invalid',
  url_not_http: 'field_invalid',
  url_with_credentials: 'field_invalid',
  url_port_zero: 'field_invalid',
  url_private: 'field_invalid',
  no_orders_named: 'field_missing',
  no_documents_named: 'field_missing',
  no_document_named: 'field_missing',
  two_documents_named: 'field_invalid',
  nothing_received: 'field_invalid',
  no_order_named: 'field_missing',
  two_orders_named: 'field_invalid',
  no_change_given: 'field_missing',
  delta_and_counted: 'field_invalid',
  no_units_given: 'field_missing',
  product_unknown: 'unknown_sku',
  warehouse_unknown: 'unknown_warehouse',
  lot_unknown: 'not_found',
  units_not_free: 'insufficient_stock',
  counted_below_locked: 'insufficient_stock',
  lot_would_overflow: 'too_many_units',
  lot_counted_twice: 'field_invalid',
  same_warehouse: 'field_invalid',
  not_a_filter: 'unknown_field',
  too_many_filter_values: 'field_invalid',
  not_filter_value: 'field_invalid',
  no_operator: 'field_invalid',
  not_an_operator: 'unknown_field',
  not_sort: 'field_invalid',
  not_a_sort_key: 'field_invalid',
  not_page_size: 'field_invalid',
  not_cursor: 'field_invalid',
  cursor_of_other_search: 'field_invalid',
  for_searching_only: 'unknown_field',
  not_dry_run: 'field_invalid',
  no_callbacks_named: 'field_missing',
  callbacks_named_twice: 'field_invalid',
  document_not_found: 'not_found',
  cannot_stop: 'too_late',
  cannot_receive: 'too_late',
  too_many_portions: 'limit_reached',
};

/** A rule of a schema that is not in the error catalogue is about a field, except for these. */
const codesOfRules: Partial<Record<keyof typeof rejectionTexts, PublicErrorCode>> = {
  unknown_field: 'unknown_field',
  sdk_absent: 'not_found',
};
const codesOfAll: Partial<Record<string, PublicErrorCode>> = { ...codesOfRules, ...codesOfMessages };

export function publicCodeOf({ code }: Message): PublicErrorCode {
  return codesOfAll[code] ?? 'field_invalid';
}
