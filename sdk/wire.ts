// Generated from contract/ by npm run generate: the types of all requests and responses.

export type ErrorCode = 'field_missing' | 'field_invalid' | 'unknown_field' | 'body_unreadable' | 'unknown_tenant' | 'unknown_sku' | 'unknown_warehouse' | 'unknown_ship_method' | 'insufficient_stock' | 'too_many_units' | 'not_announced' | 'duplicate_document' | 'number_conflict' | 'not_found' | 'too_late' | 'too_early' | 'units_remain' | 'not_in_uat' | 'limit_reached' | 'signature_invalid' | 'api_key_invalid' | 'credentials_invalid' | 'client_disabled' | 'token_missing' | 'token_invalid' | 'token_expired' | 'permission_missing' | 'header_repeated' | 'unknown_path' | 'method_not_allowed' | 'request_malformed' | 'request_timeout' | 'headers_too_large' | 'body_too_large' | 'unsupported_media_type' | 'rate_limited' | 'not_enabled' | 'unavailable' | 'internal_error';

export type WarningCode = 'unknown_field' | 'payload_differs';

export type ErrorItem = {
  /** The kind of mistake, for programs: `field_missing`, `field_invalid`, `unknown_field`, `body_unreadable`, `unknown_tenant`, `unknown_sku`, `unknown_warehouse`, `unknown_ship_method`, `insufficient_stock`, `too_many_units`, `not_announced`, `duplicate_document`, `number_conflict`, `not_found`, `too_late`, `too_early`, `units_remain`, `not_in_uat`, `limit_reached`, `signature_invalid`, `api_key_invalid`, `credentials_invalid`, `client_disabled`, `token_missing`, `token_invalid`, `token_expired`, `permission_missing`, `header_repeated`, `unknown_path`, `method_not_allowed`, `request_malformed`, `request_timeout`, `headers_too_large`, `body_too_large`, `unsupported_media_type`, `rate_limited`, `not_enabled`, `unavailable`, `internal_error`. New codes may be added. */
  code: ErrorCode;
  /** Path of the field in the body, such as `details[0].qty`; empty if the error is not about a field. */
  path: string;
  /** The error, as text for people. */
  message: string;
  /** Page about this code; relative to the URL of the service if the operator has not set one. */
  doc_url: string;
};

export type Warning = {
  /** The kind of warning, for programs: `unknown_field`, `payload_differs`. New codes may be added. */
  code: WarningCode;
  /** Path of the field in the body; empty if the warning is about the whole body. */
  path: string;
  /** Text for people. */
  message: string;
};

export type ProductSyncBody = {
  /** Your key for the product. Sending the same key again updates the product. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  sku_id: string;
  /** Display name of the product. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
  sku_name: string;
  /** How the product is stored. 1 = ambient, 2 = air-conditioned, 3 = frozen, 4 = chilled. */
  storage_type: 1 | 2 | 3 | 4;
  /** Length in centimetres. 0 or more, rounded to 3 decimals. */
  length?: number | null;
  /** Width in centimetres. 0 or more, rounded to 3 decimals. */
  width?: number | null;
  /** Height in centimetres. 0 or more, rounded to 3 decimals. */
  height?: number | null;
  /** Weight in kilograms. 0 or more, rounded to 3 decimals. */
  weight?: number | null;
  /** At most 5 image URLs. They are not checked, fetched or stored. */
  sku_images?: string[] | null;
};

export type ProductSyncData = {
  /** The same as in the envelope. */
  success: boolean;
  /** Our number for the product; it stays the same in later syncs. */
  products_id: number;
  /** Only present if there are any: unknown fields (UAT accounts only), or a repeated number with a different body. At most 100. */
  warnings?: Warning[];
};

export type InboundCreateBody = {
  /** Your number for the document. It must be unique forever and is the idempotency key. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  inbound_short_id: string;
  /** Tenant identifier from the operator. Together with the account, it determines the warehouse. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  warehouse_tpw_id: string;
  /** Expected arrival of the goods. Epoch milliseconds. */
  estimated_arrival_time?: number | null;
  /** The announced goods, by product. */
  details: {
    /** A product that has been synced. The same product may appear in several details. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
    sku_id: string;
    /** The units by expiry date, at most 5000 in all details together. */
    expires: {
      /** Expiry date of these units. Omitted, `null` or `""`: they do not expire. A date, YYYY-MM-DD. */
      expire_date?: string | null;
      /** Number of units with this expiry date. A whole number of units. */
      qty: number;
    }[];
    /** If given, it must equal the sum of the `qty` of `expires`. A whole number of units. */
    qty?: number | null;
  }[];
};

export type InboundReturnBody = {
  /** Your number for the document. It must be unique forever and is the idempotency key. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  inbound_short_id: string;
  /** Tenant identifier from the operator. Together with the account, it determines the warehouse. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  warehouse_tpw_id: string;
  /** Expected arrival of the goods. Epoch milliseconds. */
  estimated_arrival_time?: number | null;
  /** The announced goods, by product. */
  details: {
    /** A product that has been synced. The same product may appear in several details. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
    sku_id: string;
    /** The units by expiry date, at most 5000 in all details together. */
    expires: {
      /** Expiry date of these units. Omitted, `null` or `""`: they do not expire. A date, YYYY-MM-DD. */
      expire_date?: string | null;
      /** Number of units with this expiry date. A whole number of units. */
      qty: number;
    }[];
    /** If given, it must equal the sum of the `qty` of `expires`. A whole number of units. */
    qty?: number | null;
  }[];
  /** Number of the original outbound order, which does not have to exist yet. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  outbound_short_id: string;
};

export type InboundData = {
  /** The same as in the envelope. */
  success: boolean;
  /** Our number for the document; starts with `si_`. */
  stock_in_no: string;
  /** Your `inbound_short_id`. */
  stock_in_sn: string;
  /** The warehouse that will receive the goods. */
  warehouse_no: number;
  /** Only present if the body differs from the original, which remains unchanged. */
  payload_differs?: true;
  /** Only present if there are any: unknown fields (UAT accounts only), or a repeated number with a different body. At most 100. */
  warnings?: Warning[];
  /** All errors found, not only the first (at most about 1,000). */
  errors: ErrorItem[];
};

export type InboundCancelResult = {
  /** Your `inbound_short_id`. */
  stock_in_sn: string;
  /** `cancelled`: the document is cancelled, now or by an earlier request. `not_found`: you have no document with that number. `cannot_cancel_after_receiving`: too late. */
  status: 'cancelled' | 'not_found' | 'cannot_cancel_after_receiving';
};

export type OutboundCreateBody = {
  /** Your number for the order. It must be unique forever and is the idempotency key. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  outbound_short_id: string;
  /** Tenant identifier from the operator. Together with the account, it determines the warehouse and the store. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  warehouse_tpw_id: string;
  /** Country of the recipient; only `TW` is supported. */
  consignee_country: 'TW';
  /** Home delivery or convenience-store pickup. `home` or `csvs` */
  logistics_type: string;
  /** The carrier or the convenience-store chain. With `home`: `tcat`, `hct`, `post`; with `csvs`: `pcsc`, `family`, `hilife` */
  express_type: string;
  /** The units to be shipped. */
  details: {
    /** A product that has been synced. The same product may appear in several details. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
    sku_id: string;
    /** A whole number of units. */
    qty: number;
  }[];
  /** Name of the recipient. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
  consignee_name?: string | null;
  /** Phone number of the recipient. At most 50 characters, without control characters other than line breaks and tabs, which become spaces. */
  consignee_phone?: string | null;
  /** Address of the recipient, or the pickup store. At most 500 characters, without control characters other than line breaks and tabs, which become spaces. */
  consignee_address?: string | null;
  /** Postal code of the recipient. At most 20 characters, without control characters other than line breaks and tabs, which become spaces. */
  consignee_zip?: string | null;
};

export type OutboundCreateData = {
  /** The same as in the envelope. */
  success: boolean;
  /** Our number for the order: `ow_<outbound_short_id>_<suffix>`. */
  orders_id: string;
  /** `true` if the number was already used: the original order is returned unchanged. */
  idempotent: boolean;
  /** Only present if a number was reused with a different body. The original remains unchanged. */
  payload_differs?: true;
  /** Only present if there are any: unknown fields (UAT accounts only), or a repeated number with a different body. At most 100. */
  warnings?: Warning[];
};

export type OutboundCancelResult = {
  /** Your `outbound_short_id`. */
  outbound_short_id: string;
  /** `cancelled`: the order is cancelled, now or by an earlier request. `not_found`: you have no order with that number. */
  status: 'cancelled' | 'not_found';
} | {
  /** Your `outbound_short_id`. */
  outbound_short_id: string;
  /** The order has reached the warehouse and is not cancelled. */
  status: 'cannot_cancel_after_picking';
  /** The order can no longer be cancelled. */
  code: 'LST-TPW-6001';
};

export type StockDetail = {
  /** Your key for the product. */
  sku_id: string;
  /** `not_found`: the product is not registered; all quantities are 0. */
  status: 'ok' | 'not_found';
  /** `bad` units are defective and never sold. Absent if the product is not registered. */
  stock_type?: 'good' | 'bad';
  /** The warehouse of the tenant. Only present if `warehouse_tpw_id` was sent. */
  warehouse_no?: number;
  /** Batch of these units; may be empty. */
  batch_id: string;
  /** Expiry date of these units. Absent if the product is not registered, has no stock, or does not expire. */
  expire_date?: string;
  /** Units on hand. */
  qty: number;
  /** Units on hand that are allocated to orders. */
  qty_lock: number;
  /** Units that can still be sold; 0 for bad stock. */
  qty_available: number;
};

export type DiagnoseData = {
  /** `true`: this request is signed correctly, and its timestamp is valid now. */
  signature_matches: boolean;
  /** The mistakes in the headers and the signature; empty if there are none. */
  findings: {
    /** The kind of mistake. New kinds may be added. */
    code: string;
    /** The mistake and how to fix it, as text for people. */
    message: string;
  }[];
};

export type TokenRetval = {
  /** A JWT. Send it as `Authorization: Bearer <access_token>`, and reuse it until it expires. */
  access_token: string;
  /** Always `Bearer` */
  token_type: 'Bearer';
  /** Lifetime of the token in seconds. */
  expires_in: number;
  /** Only present if there are any: unknown fields (UAT accounts only), or a repeated number with a different body. At most 100. */
  warnings?: Warning[];
};

export type StocksSearch = {
  /** Your key for the product. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'products_stock.sku_id'?: string | string[] | {
    /** Greater than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** Greater than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** Less than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Different from this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** Starts with this text. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** Batch of the lot; `""` for lots without one. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'products_stock.batch_id'?: string | string[] | {
    /** Greater than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** Greater than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** Less than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Different from this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** Starts with this text. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** Expiry date. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`. */
  'products_stock.expire_date'?: string | string[] | {
    /** Greater than or equal to this value. A date, YYYY-MM-DD. */
    gte?: string;
    /** Greater than this value. A date, YYYY-MM-DD. */
    gt?: string;
    /** Less than or equal to this value. A date, YYYY-MM-DD. */
    lte?: string;
    /** Less than this value. A date, YYYY-MM-DD. */
    lt?: string;
    /** Different from this value. A date, YYYY-MM-DD. */
    ne?: string;
  } | null;
  /** Units on hand. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`. */
  'products_stock.qty'?: number | number[] | {
    /** Greater than or equal to this value. */
    gte?: number;
    /** Greater than this value. */
    gt?: number;
    /** Less than or equal to this value. */
    lte?: number;
    /** Less than this value. */
    lt?: number;
    /** Different from this value. */
    ne?: number;
  } | null;
  /** Units that can still be sold. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`. */
  'products_stock.qty_available'?: number | number[] | {
    /** Greater than or equal to this value. */
    gte?: number;
    /** Greater than this value. */
    gt?: number;
    /** Less than or equal to this value. */
    lte?: number;
    /** Less than this value. */
    lt?: number;
    /** Different from this value. */
    ne?: number;
  } | null;
  /** The warehouse of the lot. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`. */
  'products_stock.warehouse_no'?: number | number[] | {
    /** Greater than or equal to this value. */
    gte?: number;
    /** Greater than this value. */
    gt?: number;
    /** Less than or equal to this value. */
    lte?: number;
    /** Less than this value. */
    lt?: number;
    /** Different from this value. */
    ne?: number;
  } | null;
  /** Good or defective. Either a value to match exactly, an array of 1-100 values, or an object with `ne`. */
  'products_stock.stock_type'?: 'good' | 'bad' | ('good' | 'bad')[] | {
    /** Different from this value. */
    ne?: 'good' | 'bad';
  } | null;
  /** Maximum number of rows per page; 50 by default. */
  page_size?: number | null;
  /** `next_cursor` of the previous page, with the same filters and the same sort. */
  cursor?: string | null;
  /** `sku_id`, `batch_id`, `expire_date`, `qty`, `warehouse_no`, `stock_type`; put `-` before it for descending order. */
  sort?: string | null;
  /** `true`: the response also has `total` and `total_is_more`. */
  total?: boolean | null;
};

export type StockRow = {
  /** The warehouse of the lot. */
  warehouse_no: number;
  /** Your key for the product. */
  sku_id: string;
  /** `bad` units are defective and never sold. */
  stock_type: 'good' | 'bad';
  /** Batch of the lot; may be empty. */
  batch_id: string;
  /** Expiry date; `null` if the lot does not expire. */
  expire_date: string | null;
  /** Units on hand. */
  qty: number;
  /** Units on hand that are allocated to orders. */
  qty_lock: number;
  /** Units that can still be sold; 0 for bad stock. */
  qty_available: number;
};

export type ProductsSearch = {
  /** Our number for the product. Either a value to match exactly, or an array of 1-100 values. */
  'products.products_id'?: number | number[] | null;
  /** Your key for the product. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'products.sku_id'?: string | string[] | {
    /** Greater than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** Greater than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** Less than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Different from this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** Starts with this text. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** Name of the product. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'products.sku_name'?: string | string[] | {
    /** Greater than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** Greater than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** Less than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Different from this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** Starts with this text. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** Time of the last sync. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`. */
  'products.updated_at'?: string | string[] | {
    /** Greater than or equal to this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    gte?: string;
    /** Greater than this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    gt?: string;
    /** Less than or equal to this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    lte?: string;
    /** Less than this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    lt?: string;
    /** Different from this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    ne?: string;
  } | null;
  /** Time of the first sync. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`. */
  'products.created_at'?: string | string[] | {
    /** Greater than or equal to this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    gte?: string;
    /** Greater than this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    gt?: string;
    /** Less than or equal to this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    lte?: string;
    /** Less than this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    lt?: string;
    /** Different from this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    ne?: string;
  } | null;
  /** Storage type: `ambient`, `air_conditioned`, `frozen`, `chilled`, or another category. Either a value to match exactly, or an array of 1-100 values. */
  'products.storage_type'?: string | string[] | null;
  /** Maximum number of rows per page; 50 by default. */
  page_size?: number | null;
  /** `next_cursor` of the previous page, with the same filters and the same sort. */
  cursor?: string | null;
  /** `sku_id`, `sku_name`, `updated_at`, `created_at`, `storage_type`; put `-` before it for descending order. */
  sort?: string | null;
  /** `true`: the response also has `total` and `total_is_more`. */
  total?: boolean | null;
};

export type ProductRow = {
  /** Our number for the product. */
  products_id: number;
  /** Your key for the product. */
  sku_id: string;
  /** Name of the product. */
  sku_name: string;
  /** `ambient`, `air_conditioned`, `frozen`, `chilled`, or a category named by a logistics system. */
  storage_type: string;
  /** Length in centimetres; `null` if it is unknown. */
  length: number | null;
  /** Width in centimetres; `null` if it is unknown. */
  width: number | null;
  /** Height in centimetres; `null` if it is unknown. */
  height: number | null;
  /** Weight in kilograms; `null` if it is unknown. */
  weight: number | null;
  /** Codes of units and cartons, set by `products/update`. */
  codes: {
    /** The text that a scanner reads. */
    code: string;
    /** The units that one scan means. */
    units: number;
  }[];
  /** Locations in warehouses, set by `products/update`. */
  locations: {
    /** The warehouse. */
    warehouse_no: number;
    /** Where people find the product there. */
    location: string;
  }[];
  /** Time of the first sync. */
  created_at: string;
  /** Time of the last sync. */
  updated_at: string;
};

export type OrdersSearch = {
  /** Our number for the order. Either a value to match exactly, or an array of 1-100 values. */
  'orders.orders_id'?: string | string[] | null;
  /** Your number for an order of the warehouse API or the main API. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'orders.outbound_short_id'?: string | string[] | {
    /** Greater than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** Greater than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** Less than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Different from this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** Starts with this text. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** Your number for an order of the logistics webhook. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'orders.internal_name'?: string | string[] | {
    /** Greater than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** Greater than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** Less than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Different from this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** Starts with this text. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** Shipment number of the first parcel. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'orders.shipment_no'?: string | string[] | {
    /** Greater than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** Greater than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** Less than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Different from this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** Starts with this text. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** The e-commerce order number; only orders of the logistics webhook have one. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'orders.name'?: string | string[] | {
    /** Greater than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** Greater than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** Less than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Different from this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** Starts with this text. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** Time at which the order was put on hold. It is kept if the order is cancelled later. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`. */
  'orders.held_at'?: string | string[] | {
    /** Greater than or equal to this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    gte?: string;
    /** Greater than this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    gt?: string;
    /** Less than or equal to this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    lte?: string;
    /** Less than this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    lt?: string;
    /** Different from this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    ne?: string;
  } | null;
  /** The recipient's phone number, digits only: all digits that you sent, or the last four. Requires the permission `orders.recipients`; every use is recorded in the operator's audit log, without the value. Either a value to match exactly, or an array of 1-100 values. */
  'orders.consignee_phone'?: string | string[] | null;
  /** The recipient's name. Requires the permission `orders.recipients`; every use is recorded in the operator's audit log, without the value. Either a value to match exactly, an array of 1-100 values, or an object with `prefix`. */
  'orders.consignee_name'?: string | string[] | {
    /** Starts with this text. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** A product of the order. Without `sort`, the newest orders come first. Either a value to match exactly, or an array of 1-100 values. */
  'orders.sku_id'?: string | string[] | null;
  /** Time of the last change. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`. */
  'orders.updated_at'?: string | string[] | {
    /** Greater than or equal to this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    gte?: string;
    /** Greater than this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    gt?: string;
    /** Less than or equal to this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    lte?: string;
    /** Less than this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    lt?: string;
    /** Different from this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    ne?: string;
  } | null;
  /** Time of creation. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`. */
  'orders.created_at'?: string | string[] | {
    /** Greater than or equal to this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    gte?: string;
    /** Greater than this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    gt?: string;
    /** Less than or equal to this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    lte?: string;
    /** Less than this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    lt?: string;
    /** Different from this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    ne?: string;
  } | null;
  /** Status of the order. Either a value to match exactly, an array of 1-100 values, or an object with `ne`. */
  'orders.status'?: 'awaiting_stock' | 'pending_warehouse_transfer' | 'in_warehouse' | 'picking' | 'packed' | 'partially_shipped' | 'shipped' | 'arrived' | 'delivered' | 'undelivered' | 'cancelled' | ('awaiting_stock' | 'pending_warehouse_transfer' | 'in_warehouse' | 'picking' | 'packed' | 'partially_shipped' | 'shipped' | 'arrived' | 'delivered' | 'undelivered' | 'cancelled')[] | {
    /** Different from this value. */
    ne?: 'awaiting_stock' | 'pending_warehouse_transfer' | 'in_warehouse' | 'picking' | 'packed' | 'partially_shipped' | 'shipped' | 'arrived' | 'delivered' | 'undelivered' | 'cancelled';
  } | null;
  /** The warehouse that ships the order. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`. */
  'orders.warehouse_no'?: number | number[] | {
    /** Greater than or equal to this value. */
    gte?: number;
    /** Greater than this value. */
    gt?: number;
    /** Less than or equal to this value. */
    lte?: number;
    /** Less than this value. */
    lt?: number;
    /** Different from this value. */
    ne?: number;
  } | null;
  /** The store to which the order belongs. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`. */
  'orders.store_no'?: number | number[] | {
    /** Greater than or equal to this value. */
    gte?: number;
    /** Greater than this value. */
    gt?: number;
    /** Less than or equal to this value. */
    lte?: number;
    /** Less than this value. */
    lt?: number;
    /** Different from this value. */
    ne?: number;
  } | null;
  /** The API through which it was created. Either a value to match exactly, an array of 1-100 values, or an object with `ne`. */
  'orders.channel'?: 'warehouse' | 'main' | 'logistics' | ('warehouse' | 'main' | 'logistics')[] | {
    /** Different from this value. */
    ne?: 'warehouse' | 'main' | 'logistics';
  } | null;
  /** Maximum number of rows per page; 50 by default. */
  page_size?: number | null;
  /** `next_cursor` of the previous page, with the same filters and the same sort. */
  cursor?: string | null;
  /** `updated_at`, `created_at`, `status`, `warehouse_no`; put `-` before it for descending order. */
  sort?: string | null;
  /** `true`: the response also has `total` and `total_is_more`. */
  total?: boolean | null;
};

export type OrderRow = {
  /** Our number for the order. */
  orders_id: string;
  /** Your number for the order; `null` for orders of the logistics webhook. */
  outbound_short_id: string | null;
  /** Your number for the order; only orders of the logistics webhook have one. */
  internal_name: string | null;
  /** The e-commerce order number; only orders of the logistics webhook have one. */
  name: string | null;
  /** Status of the order. */
  status: 'awaiting_stock' | 'pending_warehouse_transfer' | 'in_warehouse' | 'picking' | 'packed' | 'partially_shipped' | 'shipped' | 'arrived' | 'delivered' | 'undelivered' | 'cancelled';
  /** The API through which it was created. */
  channel: 'warehouse' | 'main' | 'logistics';
  /** The warehouse that ships the order. */
  warehouse_no: number;
  /** The store to which the order belongs. */
  store_no: number;
  /** Number of the shipment, once it is known; of the first parcel, if there are several. */
  shipment_no: string | null;
  /** The carrier of that shipment, once it is known. */
  carrier: string | null;
  /** The parcels that have left, in the order reported. */
  parcels: {
    /** Number of the shipment. */
    shipment_no: string;
    /** The carrier. */
    carrier: string | null;
    /** Time of the report. */
    shipped_at: string;
    /** The units in the parcel, by batch and expiry date. */
    items: {
      /** Your key for the product. */
      sku_id: string;
      /** Units in the parcel. */
      qty: number;
      /** Their batch; empty: none. */
      batch_id: string;
      /** Their expiry date; `null` if they do not expire. */
      expire_date: string | null;
    }[];
  }[];
  /** Units that were ordered but will not be shipped; empty if the order is complete, and until the warehouse has reported its last parcel. */
  short: {
    /** Your key for the product. */
    sku_id: string;
    /** Units that were ordered but will not be shipped. */
    qty: number;
  }[];
  /** Why the order did not reach its recipient; `null` unless it is `undelivered`. */
  undelivered_reason: 'not_collected' | 'refused' | 'lost' | 'damaged' | null;
  /** The value in the request. */
  logistics_type: 'home' | 'csvs' | null;
  /** The value in the request. */
  express_type: 'tcat' | 'hct' | 'post' | 'pcsc' | 'family' | 'hilife' | null;
  /** The value in the request. */
  consignee_country: 'TW' | null;
  /** The value in the request. */
  consignee_name: string | null;
  /** The value in the request. */
  consignee_phone: string | null;
  /** The value in the request. */
  consignee_address: string | null;
  /** The value in the request. */
  consignee_zip: string | null;
  /** The lines, in the order sent. */
  details: {
    /** Your key for the product. */
    sku_id: string;
    /** Units ordered. */
    qty: number;
    /** The item as sent; only orders of the logistics webhook have it. */
    item: {
      /** The value in the request. */
      name: string | null;
      /** The storage type that we read from the request. */
      storage_type: string | null;
      /** Price per unit in New Taiwan dollars. */
      price: number | null;
      /** The only batch that may be shipped. */
      batch: string | null;
      /** The value in the request. */
      identifier: string | null;
      /** The value in the request. */
      combo_sku: string | null;
    } | null;
  }[];
  /** The fields that only orders of the logistics webhook have. */
  shipping: {
    /** The value in the request. */
    customer_name: string;
    /** Shipping fee in New Taiwan dollars. */
    delivery_charge: number;
    /** The value in the request. */
    city: string | null;
    /** The value in the request. */
    note: string | null;
    /** The URL that receives the callbacks. */
    callback_url: string | null;
    /** Data for the label of a convenience-store pickup, as sent. */
    store_pickup_label_data: object | null;
  } | null;
  /** The returns of the order, the oldest first; only the latest 100. */
  returns: {
    /** Our number for the return. */
    stock_in_no: string;
    /** Status of the return. */
    status: 'expected' | 'receiving' | 'received' | 'cancelled' | 'stopped';
  }[];
  /** The order is on hold: it is not handed over to its warehouse. A report that it is in the warehouse ends the hold. Always `false` once it is picked, shipped or cancelled. */
  held: boolean;
  /** Time at which it was put on hold; `null` if it never was or was released. */
  held_at: string | null;
  /** Changes of the order other than those of its status, oldest first. */
  changes: {
    /** The kind of change: of fields of the order, or of its hold. */
    kind: 'update' | 'hold' | 'release';
    /** `made`: in force. `requested`: the system of the warehouse has the order and has not answered yet. `refused`: it refused, and the order is as before. */
    status: 'made' | 'requested' | 'refused';
    /** Time of the change or request. */
    at: string;
    /** The person or system that made the change. */
    by: string;
    /** Trace id of the request; `null` if no request did. */
    trace_id: string | null;
    /** The fields, by their names in `orders/update`. */
    fields: string[];
    /** The previous values by field; `null` if there are none or they were erased. */
    old_values: object | null;
    /** The new values by field; `null` if there are none or they were erased. */
    new_values: object | null;
    /** The reason for a hold. */
    reason: string | null;
    /** Time at which the system of the warehouse answered; `null` if it was not asked or has not answered. */
    answered_at: string | null;
    /** Why the warehouse refused the change. */
    message: string | null;
  }[];
  /** The history of the document, oldest first. */
  timeline: {
    /** The event; `create`: the document was created. */
    event: 'create' | 'allocate' | 'transfer' | 'pick' | 'pack' | 'ship_part' | 'ship' | 'arrive' | 'deliver' | 'fail' | 'cancel';
    /** The previous status; `null` on creation. */
    from: 'awaiting_stock' | 'pending_warehouse_transfer' | 'in_warehouse' | 'picking' | 'packed' | 'partially_shipped' | 'shipped' | 'arrived' | 'delivered' | 'undelivered' | 'cancelled' | null;
    /** The new status. */
    to: 'awaiting_stock' | 'pending_warehouse_transfer' | 'in_warehouse' | 'picking' | 'packed' | 'partially_shipped' | 'shipped' | 'arrived' | 'delivered' | 'undelivered' | 'cancelled';
    /** Time of the event. */
    at: string;
    /** The person or system that caused the event; `null` for events before this was recorded. */
    by: string | null;
    /** Trace id of the request that caused the event; `null` if no request did. */
    trace_id: string | null;
  }[];
  /** Time at which the recipient was erased; `null` if it was not. An erased order has no `consignee_name`, `consignee_phone`, `consignee_address`, `consignee_zip`, `city`, `note` and label (`null`), and an empty `customer_name`. */
  recipient_erased_at: string | null;
  /** Time of creation. */
  created_at: string;
  /** Time of the last change. */
  updated_at: string;
};

export type InboundsSearch = {
  /** Our number for the document. Either a value to match exactly, or an array of 1-100 values. */
  'inbounds.stock_in_no'?: string | string[] | null;
  /** Your number for a document of the warehouse API. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'inbounds.inbound_short_id'?: string | string[] | {
    /** Greater than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** Greater than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** Less than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Different from this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** Starts with this text. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** Your number for a form of the logistics webhook. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'inbounds.form_no'?: string | string[] | {
    /** Greater than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** Greater than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** Less than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Different from this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** Starts with this text. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** Returns only: number of the returned order. Either a value to match exactly, or an array of 1-100 values. */
  'inbounds.outbound_short_id'?: string | string[] | null;
  /** Time of the last status change. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`. */
  'inbounds.updated_at'?: string | string[] | {
    /** Greater than or equal to this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    gte?: string;
    /** Greater than this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    gt?: string;
    /** Less than or equal to this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    lte?: string;
    /** Less than this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    lt?: string;
    /** Different from this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    ne?: string;
  } | null;
  /** Time of creation. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`. */
  'inbounds.created_at'?: string | string[] | {
    /** Greater than or equal to this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    gte?: string;
    /** Greater than this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    gt?: string;
    /** Less than or equal to this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    lte?: string;
    /** Less than this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    lt?: string;
    /** Different from this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    ne?: string;
  } | null;
  /** Status of the document. Either a value to match exactly, an array of 1-100 values, or an object with `ne`. */
  'inbounds.status'?: 'expected' | 'receiving' | 'received' | 'cancelled' | 'stopped' | ('expected' | 'receiving' | 'received' | 'cancelled' | 'stopped')[] | {
    /** Different from this value. */
    ne?: 'expected' | 'receiving' | 'received' | 'cancelled' | 'stopped';
  } | null;
  /** An inbound document or a return. Either a value to match exactly, an array of 1-100 values, or an object with `ne`. */
  'inbounds.kind'?: 'inbound' | 'return' | ('inbound' | 'return')[] | {
    /** Different from this value. */
    ne?: 'inbound' | 'return';
  } | null;
  /** The store to which the goods belong. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`. */
  'inbounds.store_no'?: number | number[] | {
    /** Greater than or equal to this value. */
    gte?: number;
    /** Greater than this value. */
    gt?: number;
    /** Less than or equal to this value. */
    lte?: number;
    /** Less than this value. */
    lt?: number;
    /** Different from this value. */
    ne?: number;
  } | null;
  /** The warehouse that receives the goods. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`. */
  'inbounds.warehouse_no'?: number | number[] | {
    /** Greater than or equal to this value. */
    gte?: number;
    /** Greater than this value. */
    gt?: number;
    /** Less than or equal to this value. */
    lte?: number;
    /** Less than this value. */
    lt?: number;
    /** Different from this value. */
    ne?: number;
  } | null;
  /** The API through which it was created. Either a value to match exactly, an array of 1-100 values, or an object with `ne`. */
  'inbounds.channel'?: 'warehouse' | 'logistics' | ('warehouse' | 'logistics')[] | {
    /** Different from this value. */
    ne?: 'warehouse' | 'logistics';
  } | null;
  /** Maximum number of rows per page; 50 by default. */
  page_size?: number | null;
  /** `next_cursor` of the previous page, with the same filters and the same sort. */
  cursor?: string | null;
  /** `updated_at`, `created_at`, `status`, `kind`, `store_no`, `warehouse_no`, `channel`; put `-` before it for descending order. */
  sort?: string | null;
  /** `true`: the response also has `total` and `total_is_more`. */
  total?: boolean | null;
};

export type InboundRow = {
  /** Our number for the document. */
  stock_in_no: string;
  /** Your number for the document; `null` for forms of the logistics webhook. */
  inbound_short_id: string | null;
  /** Your number for the form; only forms of the logistics webhook have one. */
  form_no: string | null;
  /** An inbound document or a return. */
  kind: 'inbound' | 'return';
  /** Status of the document; `stopped`: receiving was stopped, and no more goods are expected. */
  status: 'expected' | 'receiving' | 'received' | 'cancelled' | 'stopped';
  /** The API through which it was created. */
  channel: 'warehouse' | 'logistics';
  /** The warehouse that receives the goods. */
  warehouse_no: number;
  /** The store to which the goods belong. */
  store_no: number;
  /** Returns only: your number for the returned order; `null` if it is an order of the logistics webhook. */
  outbound_short_id: string | null;
  /** Returns only: our number for the returned order; `null` while we do not know the order. */
  orders_id: string | null;
  /** Expected arrival of the goods, if it was given. */
  estimated_arrival_at: string | null;
  /** The announced goods, in the order sent. */
  details: {
    /** Your key for the product. */
    sku_id: string;
    /** Expiry date of these units. */
    expire_date: string | null;
    /** Their batch; may be empty. */
    batch_id: string;
    /** Units announced. */
    qty: number;
    /** The item as sent; only forms of the logistics webhook have it. */
    item: {
      /** The value in the request. */
      name: string | null;
      /** The storage type that we read from the request. */
      storage_type: string | null;
      /** Price per unit in New Taiwan dollars. */
      price: number | null;
      /** The value in the request. */
      identifier: string | null;
    } | null;
  }[];
  /** The goods received so far, by sku, condition, expiry date and batch. */
  received: {
    /** Your key for the product. */
    sku_id: string;
    /** Condition of the units on arrival. */
    stock_type: 'good' | 'bad';
    /** Their batch; may be empty. */
    batch_id: string;
    /** Expiry date of these units. */
    expire_date: string | null;
    /** Units received. */
    qty: number;
  }[];
  /** Products with more or fewer units received than announced; until the document is received, this includes units still to come. */
  differences: {
    /** Your key for the product. */
    sku_id: string;
    /** Units announced, all details together. */
    announced: number;
    /** Units received, good and bad together. */
    received: number;
  }[];
  /** The fields that only forms of the logistics webhook have. */
  form: {
    /** The value in the request. */
    internal_form_no: string;
    /** The value in the request. 1 = vendor pickup, 2 = logistics delivery, 3 = vendor delivery. */
    shipping_type: 1 | 2 | 3;
    /** The value in the request. */
    sender_name: string | null;
    /** The value in the request. */
    sender_address: string | null;
    /** The URL that receives the callbacks. */
    callback_url: string | null;
  } | null;
  /** The history of the document, oldest first. */
  timeline: {
    /** The event; `create`: the document was created. */
    event: 'create' | 'receive' | 'complete' | 'stop' | 'cancel';
    /** The previous status; `null` on creation. */
    from: 'expected' | 'receiving' | 'received' | 'cancelled' | 'stopped' | null;
    /** The new status. */
    to: 'expected' | 'receiving' | 'received' | 'cancelled' | 'stopped';
    /** Time of the event. */
    at: string;
    /** The person or system that caused the event; `null` for events before this was recorded. */
    by: string | null;
    /** Trace id of the request that caused the event; `null` if no request did. */
    trace_id: string | null;
  }[];
  /** Time of creation. */
  created_at: string;
  /** Time of the last status change. */
  updated_at: string;
};

export type CallbacksSearch = {
  /** ID of the event. Either a value to match exactly, or an array of 1-100 values. */
  'callbacks.event_id'?: string | string[] | null;
  /** Your number for the document. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'callbacks.document_no'?: string | string[] | {
    /** Greater than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** Greater than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** Less than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Different from this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** Starts with this text. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** Time of the last status change. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`. */
  'callbacks.updated_at'?: string | string[] | {
    /** Greater than or equal to this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    gte?: string;
    /** Greater than this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    gt?: string;
    /** Less than or equal to this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    lte?: string;
    /** Less than this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    lt?: string;
    /** Different from this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    ne?: string;
  } | null;
  /** Time at which the callback was created. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`. */
  'callbacks.created_at'?: string | string[] | {
    /** Greater than or equal to this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    gte?: string;
    /** Greater than this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    gt?: string;
    /** Less than or equal to this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    lte?: string;
    /** Less than this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    lt?: string;
    /** Different from this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    ne?: string;
  } | null;
  /** Delivery status. Either a value to match exactly, an array of 1-100 values, or an object with `ne`. */
  'callbacks.status'?: 'pending' | 'delivered' | 'failed' | ('pending' | 'delivered' | 'failed')[] | {
    /** Different from this value. */
    ne?: 'pending' | 'delivered' | 'failed';
  } | null;
  /** The event, such as `order.shipped`. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'callbacks.event'?: string | string[] | {
    /** Greater than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** Greater than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** Less than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Different from this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** Starts with this text. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** The kind of document. Either a value to match exactly, an array of 1-100 values, or an object with `ne`. */
  'callbacks.document_type'?: 'order' | 'inbound' | 'return' | ('order' | 'inbound' | 'return')[] | {
    /** Different from this value. */
    ne?: 'order' | 'inbound' | 'return';
  } | null;
  /** Maximum number of rows per page; 50 by default. */
  page_size?: number | null;
  /** `next_cursor` of the previous page, with the same filters and the same sort. */
  cursor?: string | null;
  /** `document_no`, `updated_at`, `created_at`, `status`, `event`, `document_type`; put `-` before it for descending order. */
  sort?: string | null;
  /** `true`: the response also has `total` and `total_is_more`. */
  total?: boolean | null;
};

export type CallbackRow = {
  /** ID of the event, the same in every attempt. */
  event_id: string;
  /** The event. */
  event: 'order.partially_shipped' | 'order.shipped' | 'order.arrived' | 'order.delivered' | 'order.undelivered' | 'order.cancelled' | 'inbound.received' | 'inbound.stopped' | 'inbound.cancelled' | 'return.received' | 'return.stopped' | 'return.cancelled';
  /** The kind of document. */
  document_type: 'order' | 'inbound' | 'return';
  /** Your number for the document. */
  document_no: string;
  /** `true`: a test callback; the event has not happened. */
  test: boolean;
  /** Sequence number of this callback within its document, starting at 1. Callbacks arrive in this order. */
  sequence: number;
  /** The request body exactly as sent; `{}` if it was erased. */
  body: string;
  /** Time at which the body was erased together with the recipient of its order; `null` if it was not. Such a callback cannot be redelivered. */
  body_erased_at: string | null;
  /** The URL to which it is sent. */
  callback_url: string;
  /** `failed`: the last attempt failed, and the callback must be redelivered manually. */
  status: 'pending' | 'delivered' | 'failed';
  /** All attempts, oldest first. */
  attempts: {
    /** Time of the attempt. */
    at: string;
    /** Duration of the attempt. */
    duration_ms: number;
    /** HTTP status of the response; `null` if there was none. */
    http_status: number | null;
    /** Why there was no response. `the host of callback_url has no usable address` covers every problem with the name or address of the host. */
    error: string | null;
    /** The IP address of the connection; `null` if there was none. */
    address: string | null;
    /** The first 16 KiB of the response. */
    response: string | null;
  }[];
  /** Earliest time of the next attempt; `null` if there will be none, or if an earlier callback of the same document must be delivered first. */
  next_attempt_at: string | null;
  /** Time of the event. */
  occurred_at: string;
  /** Time at which the callback was created. */
  created_at: string;
  /** Time of the last status change. */
  updated_at: string;
};

export type OrdersCreateRetval = {
  /** Our number for the order: `ow_<outbound_short_id>_<suffix>`. */
  orders_id: string;
  /** `true` if the number was already used: the original order is returned unchanged. */
  idempotent: boolean;
  /** Only present if a number was reused with a different body. The original remains unchanged. */
  payload_differs?: true;
  /** Only present if there are any: unknown fields (UAT accounts only), or a repeated number with a different body. At most 100. */
  warnings?: Warning[];
};

export type OrdersCancelBody = {
  outbound_short_ids?: string[] | null;
  /** 1-100 of your own numbers of orders of the logistics webhook. One of the two is needed; both may be given. */
  internal_names?: string[] | null;
};

export type OrdersCancelResult = OutboundCancelResult | {
  /** Your `internal_name`. */
  internal_name: string;
  /** `cancelled`: the order is cancelled, now or by an earlier request. `not_found`: you have no order with that number. */
  status: 'cancelled' | 'not_found';
} | {
  /** Your `internal_name`. */
  internal_name: string;
  /** The order has reached the warehouse and is not cancelled. */
  status: 'cannot_cancel_after_picking';
  /** The order can no longer be cancelled. */
  code: 'LST-TPW-6001';
};

export type OrderUpdate = {
  /** Your number for an order of the warehouse API or the main API. Send either this or `internal_name`. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  outbound_short_id?: string | null;
  /** Your number for an order of the logistics webhook. Send either this or `outbound_short_id`. 1-30 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  internal_name?: string | null;
  /** Country of the recipient; only `TW` is supported. Only orders of the warehouse API and the main API. */
  consignee_country?: 'TW' | null;
  /** Name of the recipient (`delivery_name` in the logistics webhook). Orders of every channel. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
  consignee_name?: string | null;
  /** Phone number of the recipient (`phone` in the logistics webhook). Orders of every channel. 1-50 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
  consignee_phone?: string | null;
  /** Address of the recipient, or the pickup store (`address` in the logistics webhook). Orders of every channel. At most 500 characters, without control characters other than line breaks and tabs, which become spaces. */
  consignee_address?: string | null;
  /** City of the recipient (`city` in the logistics webhook). Only orders of the logistics webhook. At most 100 characters, without control characters other than line breaks and tabs, which become spaces. */
  consignee_city?: string | null;
  /** Postal code of the recipient. Only orders of the warehouse API and the main API. At most 20 characters, without control characters other than line breaks and tabs, which become spaces. */
  consignee_zip?: string | null;
  /** Home delivery or convenience-store pickup. Must fit `express_type`, which stays as it is unless you send it too. Only orders of the warehouse API and the main API. `home` or `csvs` */
  logistics_type?: string | null;
  /** The carrier or the convenience-store chain. Must fit `logistics_type`. Only orders of the warehouse API and the main API. With `home`: `tcat`, `hct`, `post`; with `csvs`: `pcsc`, `family`, `hilife` */
  express_type?: string | null;
  /** A note for the warehouse; also part of the callback. Only orders of the logistics webhook. At most 2000 characters, without control characters other than line breaks and tabs. */
  note?: string | null;
  /** Data for the label of a convenience-store pickup; replaces the previous data as a whole. Only orders of the logistics webhook. Any JSON object of at most 64 KiB. */
  store_pickup_label_data?: object | null;
};

export type OrdersUpdateResult = {
  /** The value in the request. */
  outbound_short_id?: string;
  /** The value in the request. */
  internal_name?: string;
  /** `updated`: the order has the new values. `requested`: the system of the warehouse has the order, and we ask it to make the change; `changes` of the order shows its answer. `too_late`: the order can no longer be changed. `refused`: the change itself is not possible. `not_found`: you have no such order. With the last three, nothing was changed. */
  status: 'updated' | 'requested' | 'too_late' | 'refused' | 'not_found';
  /** The reason for programs, with `too_late` and `refused`; one of the codes in `errors`. New codes may be added. */
  code?: string;
  /** The reason, with `too_late` and `refused`. */
  message?: string;
  /** The fields at fault, with `refused`. */
  fields?: string[];
};

export type OrderHold = {
  /** Your number for an order of the warehouse API or the main API. Send either this or `internal_name`. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  outbound_short_id?: string | null;
  /** Your number for an order of the logistics webhook. Send either this or `outbound_short_id`. 1-30 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  internal_name?: string | null;
  /** The reason, for people. It is part of the history and is erased with the recipient. 1-500 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
  reason?: string | null;
};

export type OrdersHoldResult = {
  /** The value in the request. */
  outbound_short_id?: string;
  /** The value in the request. */
  internal_name?: string;
  /** `held`: the order is on hold, now or by an earlier request. `requested`: the system of the warehouse has the order, and we ask it to make the change; `changes` of the order shows its answer. `too_late`: the order can no longer be changed. `refused`: the change itself is not possible. `not_found`: you have no such order. With the last three, nothing was changed. */
  status: 'held' | 'requested' | 'too_late' | 'refused' | 'not_found';
  /** The reason for programs, with `too_late` and `refused`; one of the codes in `errors`. New codes may be added. */
  code?: string;
  /** The reason, with `too_late` and `refused`. */
  message?: string;
  /** The fields at fault, with `refused`. */
  fields?: string[];
};

export type OrderRelease = {
  /** Your number for an order of the warehouse API or the main API. Send either this or `internal_name`. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  outbound_short_id?: string | null;
  /** Your number for an order of the logistics webhook. Send either this or `outbound_short_id`. 1-30 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  internal_name?: string | null;
};

export type OrdersReleaseResult = {
  /** The value in the request. */
  outbound_short_id?: string;
  /** The value in the request. */
  internal_name?: string;
  /** `released`: the order is not on hold. `requested`: the system of the warehouse has the order, and we ask it to make the change; `changes` of the order shows its answer. `too_late`: the order can no longer be changed. `refused`: the change itself is not possible. `not_found`: you have no such order. With the last three, nothing was changed. */
  status: 'released' | 'requested' | 'too_late' | 'refused' | 'not_found';
  /** The reason for programs, with `too_late` and `refused`; one of the codes in `errors`. New codes may be added. */
  code?: string;
  /** The reason, with `too_late` and `refused`. */
  message?: string;
  /** The fields at fault, with `refused`. */
  fields?: string[];
};

export type InboundsReceiveBody = {
  /** Your number for a document of the warehouse API. Send either this or `form_no`. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  inbound_short_id?: string | null;
  /** Your number for a form of the logistics webhook. Send either this or `inbound_short_id`. 1-255 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  form_no?: string | null;
  /** Your number for this delivery, unique within the document. With it, the request can be repeated safely; without it, every request adds units. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  receipt_no?: string | null;
  /** 1-500 entries of received units; may be empty if `final` is `true` */
  details: {
    /** Your key for the product, which the document must announce. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
    sku_id: string;
    /** Expiry date as found on the goods. Omitted, `null` or `""`: they do not expire. A date, YYYY-MM-DD. */
    expire_date?: string | null;
    /** Batch as found on the goods. Omitted or empty: no batch. At most 125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
    batch_id?: string | null;
    /** A whole number of units. */
    qty: number;
    /** `bad`: defective, must not be sold. */
    stock_type: 'good' | 'bad';
  }[];
  /** `true`: this is the last delivery. Missing units are no longer expected. */
  final?: boolean | null;
};

export type InboundsReceiveRetval = {
  /** Status of the document: `receiving`, or `received` when it is complete. */
  status: 'expected' | 'receiving' | 'received' | 'cancelled' | 'stopped';
  /** `true` if the `receipt_no` was already used with the same content: no units were added again. */
  idempotent: boolean;
  /** Only present if there are any: unknown fields (UAT accounts only), or a repeated number with a different body. At most 100. */
  warnings?: Warning[];
};

export type InboundsStopBody = {
  /** Your number for a document of the warehouse API. Send either this or `form_no`. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  inbound_short_id?: string | null;
  /** Your number for a form of the logistics webhook. Send either this or `inbound_short_id`. 1-255 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  form_no?: string | null;
};

export type InboundsStopRetval = {
  /** Received goods stay in stock, and no more are expected. */
  status: 'stopped';
  /** `true` if receiving was already stopped. */
  idempotent: boolean;
  /** Only present if there are any: unknown fields (UAT accounts only), or a repeated number with a different body. At most 100. */
  warnings?: Warning[];
};

export type InboundsCancelBody = {
  inbound_short_ids?: string[] | null;
  /** 1-100 of your form numbers of the logistics webhook. At least one of the two lists is required. */
  form_nos?: string[] | null;
};

export type InboundsCancelResult = {
  /** Your `inbound_short_id`. */
  inbound_short_id: string;
  /** `cancelled`: the document is cancelled, now or by an earlier request. `not_found`: you have no document with that number. `cannot_cancel_after_receiving`: too late. */
  status: 'cancelled' | 'not_found' | 'cannot_cancel_after_receiving';
} | {
  /** Your `form_no`. */
  form_no: string;
  /** `cancelled`: the document is cancelled, now or by an earlier request. `not_found`: you have no document with that number. `cannot_cancel_after_receiving`: too late. */
  status: 'cancelled' | 'not_found' | 'cannot_cancel_after_receiving';
};

export type AdvanceReport = {
  /** Your number for an order of the warehouse API or the main API. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  outbound_short_id?: string | null;
  /** Your number for an order of the logistics webhook. 1-30 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  internal_name?: string | null;
  /** The status that the order has reached. */
  status: 'in_warehouse' | 'picking' | 'packed' | 'partially_shipped' | 'shipped' | 'arrived' | 'delivered' | 'undelivered';
  /** Number of the shipment. `shipped` requires it or `parcels`, unless it was reported earlier; it cannot be changed afterwards. It means one parcel with all units that have not left yet. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  shipment_no?: string | null;
  /** The carrier. 1-100 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
  carrier?: string | null;
  /** 1-100 parcels, with `partially_shipped` or `shipped` and instead of `shipment_no`. A parcel that was reported before changes nothing. */
  parcels?: {
    /** Number of the shipment, unique in your account for each carrier. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
    shipment_no: string;
    /** The carrier of this parcel; by default that of the report. 1-100 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    carrier?: string | null;
    /** 1-500 entries of units. Omitted: all units of the order that have not left yet. */
    items?: {
      /** Your key for the product. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
      sku_id: string;
      /** Units in the parcel. A whole number of units. */
      qty: number;
      /** Their batch. Omitted or empty: any that the order holds, earliest expiry first. At most 125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
      batch_id?: string | null;
      /** Their expiry date. Omitted, `null` or `""`: any that the order holds, earliest expiry first. A date, YYYY-MM-DD. */
      expire_date?: string | null;
    }[] | null;
  }[] | null;
  /** Only with `shipped`. `true`: no more parcels follow. Units that have not left are released and listed as `short`. */
  final?: boolean | null;
  /** `true`: another order may have left with the same shipment number, for several orders in one parcel. */
  allow_repeat?: boolean | null;
  /** Required with `undelivered`: why the order did not reach its recipient. */
  reason?: 'not_collected' | 'refused' | 'lost' | 'damaged' | null;
};

export type AdvanceResult = {
  /** The value in the request. */
  outbound_short_id?: string;
  /** The value in the request. */
  internal_name?: string;
  /** Current status of the order; `not_found`: you have no such order; `refused`: nothing was changed, and `message` gives the reason. */
  status: 'in_warehouse' | 'picking' | 'packed' | 'partially_shipped' | 'shipped' | 'arrived' | 'delivered' | 'undelivered' | 'not_found' | 'refused';
  /** The reason for the rejection, for programs; one of the codes in `errors`. New codes may be added. */
  code?: string;
  /** The reason for the rejection. */
  message?: string;
};

export type CallbacksRedeliverBody = {
  /** 1-1000 event IDs, as an alternative to filters. IDs that do not belong to your account are ignored. */
  event_ids?: string[] | null;
  /** ID of the event. Either a value to match exactly, or an array of 1-100 values. */
  'callbacks.event_id'?: string | string[] | null;
  /** Your number for the document. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'callbacks.document_no'?: string | string[] | {
    /** Greater than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** Greater than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** Less than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Different from this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** Starts with this text. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** Time of the last status change. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`. */
  'callbacks.updated_at'?: string | string[] | {
    /** Greater than or equal to this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    gte?: string;
    /** Greater than this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    gt?: string;
    /** Less than or equal to this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    lte?: string;
    /** Less than this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    lt?: string;
    /** Different from this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    ne?: string;
  } | null;
  /** Time at which the callback was created. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`. */
  'callbacks.created_at'?: string | string[] | {
    /** Greater than or equal to this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    gte?: string;
    /** Greater than this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    gt?: string;
    /** Less than or equal to this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    lte?: string;
    /** Less than this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    lt?: string;
    /** Different from this value. A date (YYYY-MM-DD, that day in Taipei), or a time as in RFC 3339 with its offset. */
    ne?: string;
  } | null;
  /** Delivery status. Either a value to match exactly, an array of 1-100 values, or an object with `ne`. */
  'callbacks.status'?: 'pending' | 'delivered' | 'failed' | ('pending' | 'delivered' | 'failed')[] | {
    /** Different from this value. */
    ne?: 'pending' | 'delivered' | 'failed';
  } | null;
  /** The event, such as `order.shipped`. Either a value to match exactly, an array of 1-100 values, or an object with `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'callbacks.event'?: string | string[] | {
    /** Greater than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** Greater than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** Less than or equal to this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Different from this value. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** Starts with this text. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** The kind of document. Either a value to match exactly, an array of 1-100 values, or an object with `ne`. */
  'callbacks.document_type'?: 'order' | 'inbound' | 'return' | ('order' | 'inbound' | 'return')[] | {
    /** Different from this value. */
    ne?: 'order' | 'inbound' | 'return';
  } | null;
  /** `true`: only count the callbacks that would be redelivered. */
  dry_run?: boolean | null;
};

export type CallbacksRedeliverRetval = {
  /** Number of callbacks that are (or would be) redelivered. */
  count: number;
  /** Number of selected callbacks that cannot be redelivered, because their body was erased together with the recipient of their order. */
  erased: number;
};

export type ProductsUpdateBody = {
  /** 1-500 products, all of which are changed or none. */
  products: {
    /** Your key for the product, which has been synced before. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
    sku_id: string;
    /** All codes of the product from now on. Omitted or `null`: they stay as they are. An empty list removes them. */
    codes?: {
      /** The text that a scanner reads, such as an EAN. It belongs to one product of your account. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
      code: string;
      /** The units that one scan means: 12 for a carton of twelve. Omitted: 1. */
      units?: number | null;
    }[] | null;
    /** Locations in warehouses. Those that are not listed stay as they are. */
    locations?: {
      /** One of your warehouses. */
      warehouse_no: number;
      /** Where people find the product there, such as `A-02-13`. Pick lists are sorted by it. Empty: the location is removed. At most 50 characters, without control, zero-width or bidirectional characters and without white space at either end. */
      location: string;
    }[] | null;
  }[];
};

export type ProductsUpdateRetval = {
  /** One per product, in the order sent. */
  results: {
    /** Your key for the product. */
    sku_id: string;
    /** Also if the product was like that before. */
    status: 'updated';
  }[];
  /** Only present if there are any: unknown fields (UAT accounts only), or a repeated number with a different body. At most 100. */
  warnings?: Warning[];
};

export type StocksAdjustBody = {
  /** Your number for this change, unique within your account among adjustments and moves. A repeat with the same content returns the same result and changes nothing. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  reference_no: string;
  /** 1-500 lines, all of which are applied or none. A lot with `counted` has one line only. */
  lines: {
    /** The warehouse of the lot: one in which your account has a tenant or a logistics key. */
    warehouse_no: number;
    /** Your key for the product. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
    sku_id: string;
    /** `bad`: defective, must not be sold. */
    stock_type: 'good' | 'bad';
    /** Batch of the lot. Omitted or empty: no batch. At most 125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
    batch_id?: string | null;
    /** Expiry date of the lot. Omitted, `null` or `""`: the lot that does not expire. A date, YYYY-MM-DD. */
    expire_date?: string | null;
    /** Units to add or, if negative, to remove. Send either this or `counted`. Units added to a lot that does not exist create it. A whole number of units. */
    delta?: number | null;
    /** All units of the lot that are on hand, as counted, including those that orders have locked. Send either this or `delta`. */
    counted?: number | null;
    /** The reason, stored with the movement. 1-500 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    reason: string;
  }[];
};

export type StocksAdjustRetval = {
  /** Your `reference_no`. */
  reference_no: string;
  /** `true` if the `reference_no` was already used with the same content: nothing was changed again, and the figures are those of the first request. */
  idempotent: boolean;
  /** One per line, in the order sent. */
  results: {
    /** The warehouse of the lot. */
    warehouse_no: number;
    /** Your key for the product. */
    sku_id: string;
    /** Good or defective. */
    stock_type: 'good' | 'bad';
    /** Batch of the lot; may be empty. */
    batch_id: string;
    /** Expiry date; `null` if the lot does not expire. */
    expire_date: string | null;
    /** The units that were added or removed. With `counted`, the difference to the units on hand before. */
    delta: number;
    /** Units on hand after this line. */
    qty: number;
    /** Units of `qty` that are allocated to orders. */
    qty_lock: number;
  }[];
  /** Only present if there are any: unknown fields (UAT accounts only), or a repeated number with a different body. At most 100. */
  warnings?: Warning[];
};

export type StocksMoveBody = {
  /** Your number for this change, unique within your account among adjustments and moves. A repeat with the same content returns the same result and changes nothing. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  reference_no: string;
  /** The reason, stored with the movements. 1-500 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
  reason?: string | null;
  /** 1-500 lines, all of which are moved or none. */
  lines: {
    /** The warehouse that the units leave. */
    from_warehouse_no: number;
    /** The warehouse that the units reach: another one in which your account has a tenant or a logistics key. */
    to_warehouse_no: number;
    /** Your key for the product. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
    sku_id: string;
    /** `bad`: defective, must not be sold. */
    stock_type: 'good' | 'bad';
    /** Batch of the lot. Omitted or empty: no batch. At most 125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
    batch_id?: string | null;
    /** Expiry date of the lot. Omitted, `null` or `""`: the lot that does not expire. A date, YYYY-MM-DD. */
    expire_date?: string | null;
    /** Units to move. Only units that no order has locked can move. A whole number of units. */
    qty: number;
  }[];
};

export type StocksMoveRetval = {
  /** Your `reference_no`. */
  reference_no: string;
  /** `true` if the `reference_no` was already used with the same content: nothing was changed again, and the figures are those of the first request. */
  idempotent: boolean;
  /** One per line, in the order sent. */
  results: {
    /** The warehouse that the units have left. */
    from_warehouse_no: number;
    /** The warehouse that the units have reached. */
    to_warehouse_no: number;
    /** Your key for the product. */
    sku_id: string;
    /** Good or defective. */
    stock_type: 'good' | 'bad';
    /** Batch of the lot; may be empty. */
    batch_id: string;
    /** Expiry date; `null` if the lot does not expire. */
    expire_date: string | null;
    /** The units that were moved. */
    qty: number;
    /** Units on hand of the lot in `from_warehouse_no` after this line. */
    from_qty: number;
    /** Units on hand of the lot in `to_warehouse_no` after this line. */
    to_qty: number;
  }[];
  /** Only present if there are any: unknown fields (UAT accounts only), or a repeated number with a different body. At most 100. */
  warnings?: Warning[];
};

export type ShippingOrderBody = {
  /** Your number for the order. It must be unique in your account forever and is the idempotency key. 1-30 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  internal_name: string;
  /** The e-commerce order number. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  name: string;
  /** Name of the customer. 1-25 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
  customer_name: string;
  /** Name of the recipient. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
  delivery_name: string;
  /** Phone number of the customer. 1-50 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
  phone: string;
  /** Shipping fee in New Taiwan dollars. 0 or more, rounded to 2 decimals. */
  delivery_charge: number;
  /** The units to be shipped. */
  products: {
    /** Your key for the product. An unknown product is registered from this item. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
    sku: string;
    /** A whole number of units. */
    quantity: number;
    /** Name of the product. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    name?: string | null;
    /** Price per unit in New Taiwan dollars. Negative for a discount, rounded to 2 decimals. */
    price?: number | null;
    /** Your identifier for these units. At most 125 characters, without control characters other than line breaks and tabs, which become spaces. */
    identifier?: string | null;
    /** Category of storage: `1` or `ambient`, `2` or `air_conditioned`, `3` or `frozen`, `4` or `chilled`; any other text is stored unchanged. 1-50 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    storage_type: string;
    /** Code of the combo to which the item belongs. At most 125 characters, without control characters other than line breaks and tabs, which become spaces. */
    combo_sku?: string | null;
    /** Only units of this batch are allocated. Omitted or empty: any batch, earliest expiry first. At most 125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
    batch?: string | null;
  }[];
  /** Address of the recipient; may be empty for convenience-store pickup. At most 500 characters, without control characters other than line breaks and tabs, which become spaces. */
  address?: string | null;
  /** City of the recipient. At most 100 characters, without control characters other than line breaks and tabs, which become spaces. */
  city?: string | null;
  /** The URL that we notify when the order is shipped (in part or in full), arrives at its pickup store, is delivered, is not delivered or is cancelled. An absolute http(s) URL. */
  callback_url?: string | null;
  /** A note for the warehouse; also part of the callback. At most 2000 characters, without control characters other than line breaks and tabs. */
  note?: string | null;
  /** Data for the label of a convenience-store pickup; passed on to the warehouse. Any JSON object of at most 64 KiB. */
  store_pickup_label_data?: object | null;
};

export type ShippingOrderRetval = {
  /** Your number for the document. */
  document_no: string;
  /** `awaiting_stock`: the order waits until enough stock arrives, and gets it before newer orders. */
  status: 'awaiting_stock' | 'pending_warehouse_transfer' | 'in_warehouse' | 'picking' | 'packed' | 'partially_shipped' | 'shipped' | 'arrived' | 'delivered' | 'undelivered' | 'cancelled';
  /** `true` if the number was already used with the same body: the request had no further effect. */
  idempotent: boolean;
  /** Only present if there are any: unknown fields (UAT accounts only), or a repeated number with a different body. At most 100. */
  warnings?: Warning[];
};

export type InboundFormBody = {
  /** Your number for the form. It must be unique in your account forever and is the idempotency key. 1-255 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  form_no: string;
  /** Your internal number; returned in the callback. 1-255 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  internal_form_no: string;
  /** The kind of form. With 3, `form_no` names the inbound or return form for which receiving stops. 1 = inbound, 2 = return, 3 = stop receiving. */
  form_type: 1 | 2 | 3;
  /** How the goods are delivered. 1 = vendor pickup, 2 = logistics delivery, 3 = vendor delivery. */
  shipping_type: 1 | 2 | 3;
  /** The URL that we notify when the form is received, stopped or cancelled. An absolute http(s) URL. */
  callback_url: string;
  /** 1-500 items; may be empty if `form_type` is 3. */
  products: {
    /** Your key for the product. An unknown product is registered from this item. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
    sku: string;
    /** A whole number of units. */
    quantity: number;
    /** Name of the product. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    name?: string | null;
    /** Price per unit in New Taiwan dollars. Negative for a discount, rounded to 2 decimals. */
    price?: number | null;
    /** Your identifier for these units. At most 125 characters, without control characters other than line breaks and tabs, which become spaces. */
    identifier?: string | null;
    /** 1-50 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    storage_type?: string | null;
    /** Batch of these units. At most 125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
    batch?: string | null;
    /** Expiry date of these units. Omitted, `null` or `""`: they do not expire. A date, YYYY-MM-DD. */
    expire_date?: string | null;
  }[];
  /** Name of the sender. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
  sender_name?: string | null;
  /** Address of the sender. At most 500 characters, without control characters other than line breaks and tabs, which become spaces. */
  sender_address?: string | null;
};

export type InboundFormRetval = {
  /** Your number for the document. */
  document_no: string;
  /** Status of the document. */
  status: 'expected' | 'receiving' | 'received' | 'cancelled' | 'stopped';
  /** `true` if the number was already used with the same body: the request had no further effect. */
  idempotent: boolean;
  /** Only present if there are any: unknown fields (UAT accounts only), or a repeated number with a different body. At most 100. */
  warnings?: Warning[];
};

export type CallbackTestBody = {
  /** The event to try. */
  event: 'order.partially_shipped' | 'order.shipped' | 'order.arrived' | 'order.delivered' | 'order.undelivered' | 'order.cancelled' | 'inbound.received' | 'inbound.stopped' | 'inbound.cancelled' | 'return.received' | 'return.stopped' | 'return.cancelled';
  /** Your number for a document of your account whose content the callback has. Without it, the callback has the example of its event. 1-255 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  document_no?: string | null;
  /** UAT accounts only: the URL that receives the test. Without it, the test goes where callbacks of the document, or of your account, go. An absolute http(s) URL. */
  callback_url?: string | null;
};

export type CallbackTestRetval = {
  /** ID of the event; the list of callbacks shows its attempts and your responses. */
  event_id: string;
  /** The `document_no` in the body of the callback. */
  document_no: string;
  /** The URL to which it is sent. */
  callback_url: string;
  /** Only present if there are any: unknown fields (UAT accounts only), or a repeated number with a different body. At most 100. */
  warnings?: Warning[];
};

export type CallbackProduct = {
  /** Your key for the product. */
  sku: string;
  /** Units ordered or announced. */
  quantity: number;
  /** The value in the request. */
  name: string | null;
  /** The storage type that we read from the request. */
  storage_type: string | null;
  /** The value in the request. */
  price: number | null;
  /** The value in the request. */
  batch: string | null;
  /** The value in the request. */
  identifier: string | null;
  /** Orders only: as sent. */
  combo_sku?: string | null;
  /** Forms only: expiry date of the units. */
  expire_date?: string | null;
};

export type CallbackReceivedUnits = {
  /** Your key for the product. */
  sku: string;
  /** Units received. */
  quantity: number;
  /** Condition on arrival; `bad` units are not sold. */
  stock_type: 'good' | 'bad';
  /** Their batch. */
  batch: string | null;
  /** Expiry date of the units. */
  expire_date: string | null;
};

export type CallbackShippedUnits = {
  /** Your key for the product. */
  sku: string;
  /** Units in the parcel. */
  quantity: number;
  /** Their batch. */
  batch: string | null;
  /** Expiry date of the units. */
  expire_date: string | null;
};

export type CallbackParcel = {
  /** Number of the shipment. */
  shipment_no: string;
  /** The carrier. */
  carrier: string | null;
  /** The units in the parcel, by batch and expiry date. */
  items: CallbackShippedUnits[];
};

export type CallbackShortUnits = {
  /** Your key for the product. */
  sku: string;
  /** Units that were ordered but will not be shipped. */
  quantity: number;
};

export type OrderPartiallyShippedCallback = {
  /** ID of the event, the same in every attempt: ignore an event that you have already processed. */
  event_id: string;
  /** The event. */
  event: 'order.partially_shipped';
  /** Sequence number of this callback within its document, starting at 1. Callbacks arrive in this order. */
  sequence: number;
  /** `true`: a test callback; the event has not happened, so process nothing. Callbacks from before this field was added do not have it; they are no tests. */
  test: boolean;
  /** The kind of document. */
  document_type: 'order';
  /** Your number for the document: `internal_name`, `outbound_short_id`, `form_no` or `inbound_short_id`. */
  document_no: string;
  /** Your internal number for the document: `internal_name`, `outbound_short_id`, `internal_form_no` or `inbound_short_id`. */
  internal_no: string;
  /** Orders only: the e-commerce order number, as sent; `null` for a form. */
  name: string | null;
  /** Our number for the document: `orders_id` or `stock_in_no` in the lists of the main API. */
  lading_no: string;
  /** The status of the document. */
  status: 'partially_shipped';
  /** Shipped orders only: number of the shipment; of the first parcel, if there are several. */
  shipment_no: string;
  /** Shipped orders only: the carrier of that shipment. */
  carrier: string | null;
  /** All parcels that have left so far, in the order reported. */
  parcels: CallbackParcel[];
  /** Units that were ordered but will not be shipped; empty if the order is complete, and until the warehouse has reported its last parcel. */
  short: CallbackShortUnits[];
  /** Time of the event. */
  occurred_at: string;
  /** The items, in the order sent. */
  products: CallbackProduct[];
  /** Forms only: the goods that actually arrived, which may be more or fewer than announced in `products`; `null` for an order. */
  received: null;
  /** Orders only: as sent. */
  note: string | null;
};

export type OrderShippedCallback = {
  /** ID of the event, the same in every attempt: ignore an event that you have already processed. */
  event_id: string;
  /** The event. */
  event: 'order.shipped';
  /** Sequence number of this callback within its document, starting at 1. Callbacks arrive in this order. */
  sequence: number;
  /** `true`: a test callback; the event has not happened, so process nothing. Callbacks from before this field was added do not have it; they are no tests. */
  test: boolean;
  /** The kind of document. */
  document_type: 'order';
  /** Your number for the document: `internal_name`, `outbound_short_id`, `form_no` or `inbound_short_id`. */
  document_no: string;
  /** Your internal number for the document: `internal_name`, `outbound_short_id`, `internal_form_no` or `inbound_short_id`. */
  internal_no: string;
  /** Orders only: the e-commerce order number, as sent; `null` for a form. */
  name: string | null;
  /** Our number for the document: `orders_id` or `stock_in_no` in the lists of the main API. */
  lading_no: string;
  /** The status of the document. */
  status: 'shipped';
  /** Shipped orders only: number of the shipment; of the first parcel, if there are several. */
  shipment_no: string;
  /** Shipped orders only: the carrier of that shipment. */
  carrier: string | null;
  /** All parcels that have left so far, in the order reported. */
  parcels: CallbackParcel[];
  /** Units that were ordered but will not be shipped; empty if the order is complete, and until the warehouse has reported its last parcel. */
  short: CallbackShortUnits[];
  /** Time of the event. */
  occurred_at: string;
  /** The items, in the order sent. */
  products: CallbackProduct[];
  /** Forms only: the goods that actually arrived, which may be more or fewer than announced in `products`; `null` for an order. */
  received: null;
  /** Orders only: as sent. */
  note: string | null;
};

export type OrderArrivedCallback = {
  /** ID of the event, the same in every attempt: ignore an event that you have already processed. */
  event_id: string;
  /** The event. */
  event: 'order.arrived';
  /** Sequence number of this callback within its document, starting at 1. Callbacks arrive in this order. */
  sequence: number;
  /** `true`: a test callback; the event has not happened, so process nothing. Callbacks from before this field was added do not have it; they are no tests. */
  test: boolean;
  /** The kind of document. */
  document_type: 'order';
  /** Your number for the document: `internal_name`, `outbound_short_id`, `form_no` or `inbound_short_id`. */
  document_no: string;
  /** Your internal number for the document: `internal_name`, `outbound_short_id`, `internal_form_no` or `inbound_short_id`. */
  internal_no: string;
  /** Orders only: the e-commerce order number, as sent; `null` for a form. */
  name: string | null;
  /** Our number for the document: `orders_id` or `stock_in_no` in the lists of the main API. */
  lading_no: string;
  /** The status of the document. */
  status: 'arrived';
  /** Shipped orders only: number of the shipment; of the first parcel, if there are several. */
  shipment_no: string;
  /** Shipped orders only: the carrier of that shipment. */
  carrier: string | null;
  /** All parcels that have left so far, in the order reported. */
  parcels: CallbackParcel[];
  /** Units that were ordered but will not be shipped; empty if the order is complete, and until the warehouse has reported its last parcel. */
  short: CallbackShortUnits[];
  /** Time of the event. */
  occurred_at: string;
  /** The items, in the order sent. */
  products: CallbackProduct[];
  /** Forms only: the goods that actually arrived, which may be more or fewer than announced in `products`; `null` for an order. */
  received: null;
  /** Orders only: as sent. */
  note: string | null;
};

export type OrderDeliveredCallback = {
  /** ID of the event, the same in every attempt: ignore an event that you have already processed. */
  event_id: string;
  /** The event. */
  event: 'order.delivered';
  /** Sequence number of this callback within its document, starting at 1. Callbacks arrive in this order. */
  sequence: number;
  /** `true`: a test callback; the event has not happened, so process nothing. Callbacks from before this field was added do not have it; they are no tests. */
  test: boolean;
  /** The kind of document. */
  document_type: 'order';
  /** Your number for the document: `internal_name`, `outbound_short_id`, `form_no` or `inbound_short_id`. */
  document_no: string;
  /** Your internal number for the document: `internal_name`, `outbound_short_id`, `internal_form_no` or `inbound_short_id`. */
  internal_no: string;
  /** Orders only: the e-commerce order number, as sent; `null` for a form. */
  name: string | null;
  /** Our number for the document: `orders_id` or `stock_in_no` in the lists of the main API. */
  lading_no: string;
  /** The status of the document. */
  status: 'delivered';
  /** Shipped orders only: number of the shipment; of the first parcel, if there are several. */
  shipment_no: string;
  /** Shipped orders only: the carrier of that shipment. */
  carrier: string | null;
  /** All parcels that have left so far, in the order reported. */
  parcels: CallbackParcel[];
  /** Units that were ordered but will not be shipped; empty if the order is complete, and until the warehouse has reported its last parcel. */
  short: CallbackShortUnits[];
  /** Time of the event. */
  occurred_at: string;
  /** The items, in the order sent. */
  products: CallbackProduct[];
  /** Forms only: the goods that actually arrived, which may be more or fewer than announced in `products`; `null` for an order. */
  received: null;
  /** Orders only: as sent. */
  note: string | null;
};

export type OrderUndeliveredCallback = {
  /** ID of the event, the same in every attempt: ignore an event that you have already processed. */
  event_id: string;
  /** The event. */
  event: 'order.undelivered';
  /** Sequence number of this callback within its document, starting at 1. Callbacks arrive in this order. */
  sequence: number;
  /** `true`: a test callback; the event has not happened, so process nothing. Callbacks from before this field was added do not have it; they are no tests. */
  test: boolean;
  /** The kind of document. */
  document_type: 'order';
  /** Your number for the document: `internal_name`, `outbound_short_id`, `form_no` or `inbound_short_id`. */
  document_no: string;
  /** Your internal number for the document: `internal_name`, `outbound_short_id`, `internal_form_no` or `inbound_short_id`. */
  internal_no: string;
  /** Orders only: the e-commerce order number, as sent; `null` for a form. */
  name: string | null;
  /** Our number for the document: `orders_id` or `stock_in_no` in the lists of the main API. */
  lading_no: string;
  /** The status of the document. */
  status: 'undelivered';
  /** Shipped orders only: number of the shipment; of the first parcel, if there are several. */
  shipment_no: string;
  /** Shipped orders only: the carrier of that shipment. */
  carrier: string | null;
  /** Why the order did not reach its recipient. */
  reason: 'not_collected' | 'refused' | 'lost' | 'damaged';
  /** Our number for the return that we now expect, `stock_in_no` in the list of inbound documents; `null` if the goods are lost. */
  return_no: string | null;
  /** All parcels that have left so far, in the order reported. */
  parcels: CallbackParcel[];
  /** Units that were ordered but will not be shipped; empty if the order is complete, and until the warehouse has reported its last parcel. */
  short: CallbackShortUnits[];
  /** Time of the event. */
  occurred_at: string;
  /** The items, in the order sent. */
  products: CallbackProduct[];
  /** Forms only: the goods that actually arrived, which may be more or fewer than announced in `products`; `null` for an order. */
  received: null;
  /** Orders only: as sent. */
  note: string | null;
};

export type OrderCancelledCallback = {
  /** ID of the event, the same in every attempt: ignore an event that you have already processed. */
  event_id: string;
  /** The event. */
  event: 'order.cancelled';
  /** Sequence number of this callback within its document, starting at 1. Callbacks arrive in this order. */
  sequence: number;
  /** `true`: a test callback; the event has not happened, so process nothing. Callbacks from before this field was added do not have it; they are no tests. */
  test: boolean;
  /** The kind of document. */
  document_type: 'order';
  /** Your number for the document: `internal_name`, `outbound_short_id`, `form_no` or `inbound_short_id`. */
  document_no: string;
  /** Your internal number for the document: `internal_name`, `outbound_short_id`, `internal_form_no` or `inbound_short_id`. */
  internal_no: string;
  /** Orders only: the e-commerce order number, as sent; `null` for a form. */
  name: string | null;
  /** Our number for the document: `orders_id` or `stock_in_no` in the lists of the main API. */
  lading_no: string;
  /** The status of the document. */
  status: 'cancelled';
  /** Shipped orders only: number of the shipment; of the first parcel, if there are several. */
  shipment_no: string | null;
  /** Shipped orders only: the carrier of that shipment. */
  carrier: string | null;
  /** Time of the event. */
  occurred_at: string;
  /** The items, in the order sent. */
  products: CallbackProduct[];
  /** Forms only: the goods that actually arrived, which may be more or fewer than announced in `products`; `null` for an order. */
  received: null;
  /** Orders only: as sent. */
  note: string | null;
};

export type InboundReceivedCallback = {
  /** ID of the event, the same in every attempt: ignore an event that you have already processed. */
  event_id: string;
  /** The event. */
  event: 'inbound.received';
  /** Sequence number of this callback within its document, starting at 1. Callbacks arrive in this order. */
  sequence: number;
  /** `true`: a test callback; the event has not happened, so process nothing. Callbacks from before this field was added do not have it; they are no tests. */
  test: boolean;
  /** The kind of document. */
  document_type: 'inbound';
  /** Your number for the document: `internal_name`, `outbound_short_id`, `form_no` or `inbound_short_id`. */
  document_no: string;
  /** Your internal number for the document: `internal_name`, `outbound_short_id`, `internal_form_no` or `inbound_short_id`. */
  internal_no: string;
  /** Orders only: the e-commerce order number, as sent; `null` for a form. */
  name: string | null;
  /** Our number for the document: `orders_id` or `stock_in_no` in the lists of the main API. */
  lading_no: string;
  /** The status of the document. */
  status: 'received';
  /** Shipped orders only: number of the shipment; of the first parcel, if there are several. */
  shipment_no: string | null;
  /** Shipped orders only: the carrier of that shipment. */
  carrier: string | null;
  /** Time of the event. */
  occurred_at: string;
  /** The items, in the order sent. */
  products: CallbackProduct[];
  /** Forms only: the goods that actually arrived, which may be more or fewer than announced in `products`; `null` for an order. */
  received: CallbackReceivedUnits[];
  /** Orders only; `null` for a form. */
  note: null;
};

export type InboundStoppedCallback = {
  /** ID of the event, the same in every attempt: ignore an event that you have already processed. */
  event_id: string;
  /** The event. */
  event: 'inbound.stopped';
  /** Sequence number of this callback within its document, starting at 1. Callbacks arrive in this order. */
  sequence: number;
  /** `true`: a test callback; the event has not happened, so process nothing. Callbacks from before this field was added do not have it; they are no tests. */
  test: boolean;
  /** The kind of document. */
  document_type: 'inbound';
  /** Your number for the document: `internal_name`, `outbound_short_id`, `form_no` or `inbound_short_id`. */
  document_no: string;
  /** Your internal number for the document: `internal_name`, `outbound_short_id`, `internal_form_no` or `inbound_short_id`. */
  internal_no: string;
  /** Orders only: the e-commerce order number, as sent; `null` for a form. */
  name: string | null;
  /** Our number for the document: `orders_id` or `stock_in_no` in the lists of the main API. */
  lading_no: string;
  /** The status of the document. */
  status: 'stopped';
  /** Shipped orders only: number of the shipment; of the first parcel, if there are several. */
  shipment_no: string | null;
  /** Shipped orders only: the carrier of that shipment. */
  carrier: string | null;
  /** Time of the event. */
  occurred_at: string;
  /** The items, in the order sent. */
  products: CallbackProduct[];
  /** Forms only: the goods that actually arrived, which may be more or fewer than announced in `products`; `null` for an order. */
  received: CallbackReceivedUnits[];
  /** Orders only; `null` for a form. */
  note: null;
};

export type InboundCancelledCallback = {
  /** ID of the event, the same in every attempt: ignore an event that you have already processed. */
  event_id: string;
  /** The event. */
  event: 'inbound.cancelled';
  /** Sequence number of this callback within its document, starting at 1. Callbacks arrive in this order. */
  sequence: number;
  /** `true`: a test callback; the event has not happened, so process nothing. Callbacks from before this field was added do not have it; they are no tests. */
  test: boolean;
  /** The kind of document. */
  document_type: 'inbound';
  /** Your number for the document: `internal_name`, `outbound_short_id`, `form_no` or `inbound_short_id`. */
  document_no: string;
  /** Your internal number for the document: `internal_name`, `outbound_short_id`, `internal_form_no` or `inbound_short_id`. */
  internal_no: string;
  /** Orders only: the e-commerce order number, as sent; `null` for a form. */
  name: string | null;
  /** Our number for the document: `orders_id` or `stock_in_no` in the lists of the main API. */
  lading_no: string;
  /** The status of the document. */
  status: 'cancelled';
  /** Shipped orders only: number of the shipment; of the first parcel, if there are several. */
  shipment_no: string | null;
  /** Shipped orders only: the carrier of that shipment. */
  carrier: string | null;
  /** Time of the event. */
  occurred_at: string;
  /** The items, in the order sent. */
  products: CallbackProduct[];
  /** Forms only: the goods that actually arrived, which may be more or fewer than announced in `products`; `null` for an order. */
  received: CallbackReceivedUnits[];
  /** Orders only; `null` for a form. */
  note: null;
};

export type ReturnReceivedCallback = {
  /** ID of the event, the same in every attempt: ignore an event that you have already processed. */
  event_id: string;
  /** The event. */
  event: 'return.received';
  /** Sequence number of this callback within its document, starting at 1. Callbacks arrive in this order. */
  sequence: number;
  /** `true`: a test callback; the event has not happened, so process nothing. Callbacks from before this field was added do not have it; they are no tests. */
  test: boolean;
  /** The kind of document. */
  document_type: 'return';
  /** Your number for the document: `internal_name`, `outbound_short_id`, `form_no` or `inbound_short_id`. */
  document_no: string;
  /** Your internal number for the document: `internal_name`, `outbound_short_id`, `internal_form_no` or `inbound_short_id`. */
  internal_no: string;
  /** Orders only: the e-commerce order number, as sent; `null` for a form. */
  name: string | null;
  /** Our number for the document: `orders_id` or `stock_in_no` in the lists of the main API. */
  lading_no: string;
  /** The status of the document. */
  status: 'received';
  /** Shipped orders only: number of the shipment; of the first parcel, if there are several. */
  shipment_no: string | null;
  /** Shipped orders only: the carrier of that shipment. */
  carrier: string | null;
  /** Time of the event. */
  occurred_at: string;
  /** The items, in the order sent. */
  products: CallbackProduct[];
  /** Forms only: the goods that actually arrived, which may be more or fewer than announced in `products`; `null` for an order. */
  received: CallbackReceivedUnits[];
  /** Orders only; `null` for a form. */
  note: null;
};

export type ReturnStoppedCallback = {
  /** ID of the event, the same in every attempt: ignore an event that you have already processed. */
  event_id: string;
  /** The event. */
  event: 'return.stopped';
  /** Sequence number of this callback within its document, starting at 1. Callbacks arrive in this order. */
  sequence: number;
  /** `true`: a test callback; the event has not happened, so process nothing. Callbacks from before this field was added do not have it; they are no tests. */
  test: boolean;
  /** The kind of document. */
  document_type: 'return';
  /** Your number for the document: `internal_name`, `outbound_short_id`, `form_no` or `inbound_short_id`. */
  document_no: string;
  /** Your internal number for the document: `internal_name`, `outbound_short_id`, `internal_form_no` or `inbound_short_id`. */
  internal_no: string;
  /** Orders only: the e-commerce order number, as sent; `null` for a form. */
  name: string | null;
  /** Our number for the document: `orders_id` or `stock_in_no` in the lists of the main API. */
  lading_no: string;
  /** The status of the document. */
  status: 'stopped';
  /** Shipped orders only: number of the shipment; of the first parcel, if there are several. */
  shipment_no: string | null;
  /** Shipped orders only: the carrier of that shipment. */
  carrier: string | null;
  /** Time of the event. */
  occurred_at: string;
  /** The items, in the order sent. */
  products: CallbackProduct[];
  /** Forms only: the goods that actually arrived, which may be more or fewer than announced in `products`; `null` for an order. */
  received: CallbackReceivedUnits[];
  /** Orders only; `null` for a form. */
  note: null;
};

export type ReturnCancelledCallback = {
  /** ID of the event, the same in every attempt: ignore an event that you have already processed. */
  event_id: string;
  /** The event. */
  event: 'return.cancelled';
  /** Sequence number of this callback within its document, starting at 1. Callbacks arrive in this order. */
  sequence: number;
  /** `true`: a test callback; the event has not happened, so process nothing. Callbacks from before this field was added do not have it; they are no tests. */
  test: boolean;
  /** The kind of document. */
  document_type: 'return';
  /** Your number for the document: `internal_name`, `outbound_short_id`, `form_no` or `inbound_short_id`. */
  document_no: string;
  /** Your internal number for the document: `internal_name`, `outbound_short_id`, `internal_form_no` or `inbound_short_id`. */
  internal_no: string;
  /** Orders only: the e-commerce order number, as sent; `null` for a form. */
  name: string | null;
  /** Our number for the document: `orders_id` or `stock_in_no` in the lists of the main API. */
  lading_no: string;
  /** The status of the document. */
  status: 'cancelled';
  /** Shipped orders only: number of the shipment; of the first parcel, if there are several. */
  shipment_no: string | null;
  /** Shipped orders only: the carrier of that shipment. */
  carrier: string | null;
  /** Time of the event. */
  occurred_at: string;
  /** The items, in the order sent. */
  products: CallbackProduct[];
  /** Forms only: the goods that actually arrived, which may be more or fewer than announced in `products`; `null` for an order. */
  received: CallbackReceivedUnits[];
  /** Orders only; `null` for a form. */
  note: null;
};

export type CallbackBody = OrderPartiallyShippedCallback | OrderShippedCallback | OrderArrivedCallback | OrderDeliveredCallback | OrderUndeliveredCallback | OrderCancelledCallback | InboundReceivedCallback | InboundStoppedCallback | InboundCancelledCallback | ReturnReceivedCallback | ReturnStoppedCallback | ReturnCancelledCallback;
