// Drawn from contract/ by npm run draw: what goes over the wire, field by field.

export type ProductSyncBody = {
  /** Your own key of the product; the same one again is an update. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  sku_id: string;
  /** Name of the product, for people. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
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
  /** At most 5 addresses of images. They are neither checked nor fetched nor kept. */
  sku_images?: string[] | null;
};

export type ProductSyncData = {
  /** As in the envelope. */
  success: boolean;
  /** Our number of the product; it stays the same on every later sync. */
  products_id: number;
};

export type InboundCreateBody = {
  /** Your own number of the document, unique for ever; it is the idempotency key. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  inbound_short_id: string;
  /** Tenant identifier from the operator; with the account it decides the warehouse. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  warehouse_tpw_id: string;
  /** When the goods are expected. Epoch milliseconds. */
  estimated_arrival_time?: number | null;
  /** What arrives, by product. */
  details: {
    /** A product that was synced before. The same one may stand in several details. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
    sku_id: string;
    /** The units by their expiry date, at most 5000 in all details together. */
    expires: {
      /** Last day on which these units are good. Left out, `null` or `""`: they do not expire. A date, YYYY-MM-DD. */
      expire_date?: string | null;
      /** Units that expire on that day, or never. A whole number of units. */
      qty: number;
    }[];
    /** Where given, it must equal the sum of the `qty` of `expires`. A whole number of units. */
    qty?: number | null;
  }[];
};

export type InboundReturnBody = {
  /** Your own number of the document, unique for ever; it is the idempotency key. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  inbound_short_id: string;
  /** Tenant identifier from the operator; with the account it decides the warehouse. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  warehouse_tpw_id: string;
  /** When the goods are expected. Epoch milliseconds. */
  estimated_arrival_time?: number | null;
  /** What arrives, by product. */
  details: {
    /** A product that was synced before. The same one may stand in several details. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
    sku_id: string;
    /** The units by their expiry date, at most 5000 in all details together. */
    expires: {
      /** Last day on which these units are good. Left out, `null` or `""`: they do not expire. A date, YYYY-MM-DD. */
      expire_date?: string | null;
      /** Units that expire on that day, or never. A whole number of units. */
      qty: number;
    }[];
    /** Where given, it must equal the sum of the `qty` of `expires`. A whole number of units. */
    qty?: number | null;
  }[];
  /** Number of the original outbound order, which need not be known (yet). 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  outbound_short_id: string;
};

export type InboundData = {
  /** As in the envelope. */
  success: boolean;
  /** Our number of the document; begins with `si_`. */
  stock_in_no: string;
  /** Your `inbound_short_id`. */
  stock_in_sn: string;
  /** The warehouse that will receive it. */
  warehouse_no: number;
  /** Only where this body is another one than the original’s. The original stays as it was. */
  payload_differs?: true;
};

export type InboundCancelResult = {
  /** Your `inbound_short_id`. */
  stock_in_sn: string;
  /** `cancelled`: it is cancelled, now or since earlier. `not_found`: you have no document of that number. `cannot_cancel_after_receiving`: too late. */
  status: 'cancelled' | 'not_found' | 'cannot_cancel_after_receiving';
};

export type OutboundCreateBody = {
  /** Your own number of the order, unique for ever; it is the idempotency key. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  outbound_short_id: string;
  /** Tenant identifier from the operator; with the account it decides warehouse and store. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  warehouse_tpw_id: string;
  /** Country of the recipient: only `TW`. */
  consignee_country: 'TW';
  /** Home delivery or convenience-store pickup. `home` or `csvs` */
  logistics_type: string;
  /** The carrier or the chain. With `home`: `tcat`, `hct`, `post`; with `csvs`: `pcsc`, `family`, `hilife` */
  express_type: string;
  /** What is to be shipped. */
  details: {
    /** A product that was synced before. The same one may stand in several details. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
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
  /** As in the envelope. */
  success: boolean;
  /** Our number of the order: `ow_<outbound_short_id>_<suffix>`. */
  orders_id: string;
  /** `true` where the number was known: the original order is returned and nothing was rebuilt. */
  idempotent: boolean;
  /** Only where a known number came with another body. The original stays as it was. */
  payload_differs?: true;
};

export type OutboundCancelResult = {
  /** Your `outbound_short_id`. */
  outbound_short_id: string;
  /** `cancelled`: it is cancelled, now or since earlier. `not_found`: you have no order of that number. */
  status: 'cancelled' | 'not_found';
} | {
  /** Your `outbound_short_id`. */
  outbound_short_id: string;
  /** The order has reached the warehouse; it goes on unchanged. */
  status: 'cannot_cancel_after_picking';
  /** The order can no longer be cancelled. */
  code: 'LST-TPW-6001';
};

export type StockDetail = {
  /** Your own key of the product. */
  sku_id: string;
  /** `not_found`: the product is not registered; all quantities are 0. */
  status: 'ok' | 'not_found';
  /** `bad` is defective and never sellable. Absent where the product is not registered. */
  stock_type?: 'good' | 'bad';
  /** The warehouse of the tenant. Only where `warehouse_tpw_id` was sent. */
  warehouse_no?: number;
  /** Batch of these units; may be empty. */
  batch_id: string;
  /** Expiry date of these units. Absent where the product is not registered, has no stock, or does not expire. */
  expire_date?: string;
  /** Units on hand. */
  qty: number;
  /** Units of these that are allocated to orders. */
  qty_lock: number;
  /** Units that can still be sold; 0 for bad stock. */
  qty_available: number;
};

export type TokenRetval = {
  /** A JWT. Send it as `Authorization: Bearer <access_token>`, and keep it until it expires. */
  access_token: string;
  /** Always `Bearer` */
  token_type: 'Bearer';
  /** Seconds until it expires. */
  expires_in: number;
};

export type StocksSearch = {
  /** Your own key of the product. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'products_stock.sku_id'?: string | string[] | {
    /** At least this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** More than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** At most this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Anything but this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** What begins so. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** Batch of the lot; `""` for lots without one. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'products_stock.batch_id'?: string | string[] | {
    /** At least this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** More than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** At most this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Anything but this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** What begins so. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** Expiry date. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`. */
  'products_stock.expire_date'?: string | string[] | {
    /** At least this. A date, YYYY-MM-DD. */
    gte?: string;
    /** More than this. A date, YYYY-MM-DD. */
    gt?: string;
    /** At most this. A date, YYYY-MM-DD. */
    lte?: string;
    /** Less than this. A date, YYYY-MM-DD. */
    lt?: string;
    /** Anything but this. A date, YYYY-MM-DD. */
    ne?: string;
  } | null;
  /** Units on hand. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`. */
  'products_stock.qty'?: number | number[] | {
    /** At least this. */
    gte?: number;
    /** More than this. */
    gt?: number;
    /** At most this. */
    lte?: number;
    /** Less than this. */
    lt?: number;
    /** Anything but this. */
    ne?: number;
  } | null;
  /** Units that can still be sold. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`. */
  'products_stock.qty_available'?: number | number[] | {
    /** At least this. */
    gte?: number;
    /** More than this. */
    gt?: number;
    /** At most this. */
    lte?: number;
    /** Less than this. */
    lt?: number;
    /** Anything but this. */
    ne?: number;
  } | null;
  /** Where the lot lies. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`. */
  'products_stock.warehouse_no'?: number | number[] | {
    /** At least this. */
    gte?: number;
    /** More than this. */
    gt?: number;
    /** At most this. */
    lte?: number;
    /** Less than this. */
    lt?: number;
    /** Anything but this. */
    ne?: number;
  } | null;
  /** Good or defective. A value to equal, a list of 1-100 values, or an object of `ne`. */
  'products_stock.stock_type'?: 'good' | 'bad' | ('good' | 'bad')[] | {
    /** Anything but this. */
    ne?: 'good' | 'bad';
  } | null;
  /** How many rows a page has at most; 50 where it is left out. */
  page_size?: number | null;
  /** `next_cursor` of the page before, with the same filters and the same sort. */
  cursor?: string | null;
  /** `sku_id`, `batch_id`, `expire_date`, `qty`, `warehouse_no`, `stock_type`; with `-` before it for descending order. */
  sort?: string | null;
};

export type StockRow = {
  /** Where the lot lies. */
  warehouse_no: number;
  /** Your own key of the product. */
  sku_id: string;
  /** `bad` is defective and never sellable. */
  stock_type: 'good' | 'bad';
  /** Batch of the lot; may be empty. */
  batch_id: string;
  /** Expiry date; `null` where the lot does not expire. */
  expire_date: string | null;
  /** Units on hand. */
  qty: number;
  /** Units of these that are allocated to orders. */
  qty_lock: number;
  /** Units that can still be sold; 0 for bad stock. */
  qty_available: number;
};

export type ProductsSearch = {
  /** Our number of the product. A value to equal, or a list of 1-100 values. */
  'products.products_id'?: number | number[] | null;
  /** Your own key of the product. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'products.sku_id'?: string | string[] | {
    /** At least this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** More than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** At most this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Anything but this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** What begins so. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** Its name. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'products.sku_name'?: string | string[] | {
    /** At least this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** More than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** At most this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Anything but this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** What begins so. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** When it was last synced. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`. */
  'products.updated_at'?: string | string[] | {
    /** At least this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    gte?: string;
    /** More than this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    gt?: string;
    /** At most this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    lte?: string;
    /** Less than this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    lt?: string;
    /** Anything but this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    ne?: string;
  } | null;
  /** When it was first synced. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`. */
  'products.created_at'?: string | string[] | {
    /** At least this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    gte?: string;
    /** More than this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    gt?: string;
    /** At most this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    lte?: string;
    /** Less than this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    lt?: string;
    /** Anything but this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    ne?: string;
  } | null;
  /** How it is stored: `ambient`, `air_conditioned`, `frozen`, `chilled`, or another category. A value to equal, or a list of 1-100 values. */
  'products.storage_type'?: string | string[] | null;
  /** How many rows a page has at most; 50 where it is left out. */
  page_size?: number | null;
  /** `next_cursor` of the page before, with the same filters and the same sort. */
  cursor?: string | null;
  /** `sku_id`, `sku_name`, `updated_at`, `created_at`, `storage_type`; with `-` before it for descending order. */
  sort?: string | null;
};

export type ProductRow = {
  /** Our number of the product. */
  products_id: number;
  /** Your own key of the product. */
  sku_id: string;
  /** Its name. */
  sku_name: string;
  /** `ambient`, `air_conditioned`, `frozen`, `chilled`, or the category that a logistics system gave it. */
  storage_type: string;
  /** Length in centimetres; `null` where it is not known. */
  length: number | null;
  /** Width in centimetres; `null` where it is not known. */
  width: number | null;
  /** Height in centimetres; `null` where it is not known. */
  height: number | null;
  /** Weight in kilograms; `null` where it is not known. */
  weight: number | null;
  /** When it was first synced. */
  created_at: string;
  /** When it was last synced. */
  updated_at: string;
};

export type OrdersSearch = {
  /** Our number of the order. A value to equal, or a list of 1-100 values. */
  'orders.orders_id'?: string | string[] | null;
  /** Your own number of an order of the warehouse or the main API. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'orders.outbound_short_id'?: string | string[] | {
    /** At least this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** More than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** At most this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Anything but this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** What begins so. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** Your own number of an order of the logistics webhook. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'orders.internal_name'?: string | string[] | {
    /** At least this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** More than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** At most this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Anything but this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** What begins so. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** Number of the shipment. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'orders.shipment_no'?: string | string[] | {
    /** At least this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** More than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** At most this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Anything but this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** What begins so. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** The e-commerce order number, of orders of the logistics webhook. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'orders.name'?: string | string[] | {
    /** At least this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** More than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** At most this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Anything but this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** What begins so. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** When its status changed last. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`. */
  'orders.updated_at'?: string | string[] | {
    /** At least this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    gte?: string;
    /** More than this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    gt?: string;
    /** At most this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    lte?: string;
    /** Less than this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    lt?: string;
    /** Anything but this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    ne?: string;
  } | null;
  /** When it was created. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`. */
  'orders.created_at'?: string | string[] | {
    /** At least this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    gte?: string;
    /** More than this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    gt?: string;
    /** At most this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    lte?: string;
    /** Less than this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    lt?: string;
    /** Anything but this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    ne?: string;
  } | null;
  /** How far it has come. A value to equal, a list of 1-100 values, or an object of `ne`. */
  'orders.status'?: 'awaiting_stock' | 'pending_warehouse_transfer' | 'in_warehouse' | 'picking' | 'packed' | 'shipped' | 'delivered' | 'cancelled' | ('awaiting_stock' | 'pending_warehouse_transfer' | 'in_warehouse' | 'picking' | 'packed' | 'shipped' | 'delivered' | 'cancelled')[] | {
    /** Anything but this. */
    ne?: 'awaiting_stock' | 'pending_warehouse_transfer' | 'in_warehouse' | 'picking' | 'packed' | 'shipped' | 'delivered' | 'cancelled';
  } | null;
  /** To which store it belongs. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`. */
  'orders.store_no'?: number | number[] | {
    /** At least this. */
    gte?: number;
    /** More than this. */
    gt?: number;
    /** At most this. */
    lte?: number;
    /** Less than this. */
    lt?: number;
    /** Anything but this. */
    ne?: number;
  } | null;
  /** From where it is shipped. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`. */
  'orders.warehouse_no'?: number | number[] | {
    /** At least this. */
    gte?: number;
    /** More than this. */
    gt?: number;
    /** At most this. */
    lte?: number;
    /** Less than this. */
    lt?: number;
    /** Anything but this. */
    ne?: number;
  } | null;
  /** Through which contract it came. A value to equal, a list of 1-100 values, or an object of `ne`. */
  'orders.channel'?: 'warehouse' | 'main' | 'logistics' | ('warehouse' | 'main' | 'logistics')[] | {
    /** Anything but this. */
    ne?: 'warehouse' | 'main' | 'logistics';
  } | null;
  /** How many rows a page has at most; 50 where it is left out. */
  page_size?: number | null;
  /** `next_cursor` of the page before, with the same filters and the same sort. */
  cursor?: string | null;
  /** `updated_at`, `created_at`, `status`, `store_no`, `warehouse_no`, `channel`; with `-` before it for descending order. */
  sort?: string | null;
};

export type OrderRow = {
  /** Our number of the order. */
  orders_id: string;
  /** Your own number of it; `null` for orders of the logistics webhook. */
  outbound_short_id: string | null;
  /** Your own number of it, of orders of the logistics webhook. */
  internal_name: string | null;
  /** The e-commerce order number, of orders of the logistics webhook. */
  name: string | null;
  /** How far it has come. */
  status: 'awaiting_stock' | 'pending_warehouse_transfer' | 'in_warehouse' | 'picking' | 'packed' | 'shipped' | 'delivered' | 'cancelled';
  /** Through which contract it came. */
  channel: 'warehouse' | 'main' | 'logistics';
  /** From where it is shipped. */
  warehouse_no: number;
  /** To which store it belongs. */
  store_no: number;
  /** Number of the shipment, once there is one. */
  shipment_no: string | null;
  /** Who carries it, once that is known. */
  carrier: string | null;
  /** As it was sent. */
  logistics_type: 'home' | 'csvs' | null;
  /** As it was sent. */
  express_type: 'tcat' | 'hct' | 'post' | 'pcsc' | 'family' | 'hilife' | null;
  /** As it was sent. */
  consignee_country: 'TW' | null;
  /** As it was sent. */
  consignee_name: string | null;
  /** As it was sent. */
  consignee_phone: string | null;
  /** As it was sent. */
  consignee_address: string | null;
  /** As it was sent. */
  consignee_zip: string | null;
  /** Its lines, in the order sent. */
  details: {
    /** Your own key of the product. */
    sku_id: string;
    /** Units ordered. */
    qty: number;
    /** Of orders of the logistics webhook: the item as it was sent. */
    item: {
      /** As it was sent. */
      name: string | null;
      /** As it was understood. */
      storage_type: string | null;
      /** Price of one unit, in New Taiwan dollars. */
      price: number | null;
      /** The only batch that may be taken. */
      batch: string | null;
      /** As it was sent. */
      identifier: string | null;
      /** As it was sent. */
      combo_sku: string | null;
    } | null;
  }[];
  /** What only orders of the logistics webhook say. */
  shipping: {
    /** As it was sent. */
    customer_name: string;
    /** Shipping fee, in New Taiwan dollars. */
    delivery_charge: number;
    /** As it was sent. */
    city: string | null;
    /** As it was sent. */
    note: string | null;
    /** Where you are told what becomes of it. */
    callback_url: string | null;
    /** What the label of a convenience-store pickup needs, as it was sent. */
    store_pickup_label_data: object | null;
  } | null;
  /** All that happened to it, in that order. */
  timeline: {
    /** What happened; `create`: the document was made. */
    event: 'create' | 'allocate' | 'transfer' | 'pick' | 'pack' | 'ship' | 'deliver' | 'cancel';
    /** The status that it left; `null`: it was made. */
    from: 'awaiting_stock' | 'pending_warehouse_transfer' | 'in_warehouse' | 'picking' | 'packed' | 'shipped' | 'delivered' | 'cancelled' | null;
    /** The status that it reached. */
    to: 'awaiting_stock' | 'pending_warehouse_transfer' | 'in_warehouse' | 'picking' | 'packed' | 'shipped' | 'delivered' | 'cancelled';
    /** When. */
    at: string;
    /** Who or which system brought it about; `null`: before this was kept. */
    by: string | null;
    /** In which call; `null`: not by a call. */
    trace_id: string | null;
  }[];
  /** When it was created. */
  created_at: string;
  /** When its status changed last. */
  updated_at: string;
};

export type InboundsSearch = {
  /** Our number of the document. A value to equal, or a list of 1-100 values. */
  'inbounds.stock_in_no'?: string | string[] | null;
  /** Your own number of a document of the warehouse API. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'inbounds.inbound_short_id'?: string | string[] | {
    /** At least this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** More than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** At most this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Anything but this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** What begins so. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** Your own number of a form of the logistics webhook. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'inbounds.form_no'?: string | string[] | {
    /** At least this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** More than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** At most this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Anything but this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** What begins so. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** Of a return: the number of the order that it brings back. A value to equal, or a list of 1-100 values. */
  'inbounds.outbound_short_id'?: string | string[] | null;
  /** When its status changed last. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`. */
  'inbounds.updated_at'?: string | string[] | {
    /** At least this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    gte?: string;
    /** More than this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    gt?: string;
    /** At most this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    lte?: string;
    /** Less than this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    lt?: string;
    /** Anything but this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    ne?: string;
  } | null;
  /** When it was created. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`. */
  'inbounds.created_at'?: string | string[] | {
    /** At least this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    gte?: string;
    /** More than this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    gt?: string;
    /** At most this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    lte?: string;
    /** Less than this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    lt?: string;
    /** Anything but this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    ne?: string;
  } | null;
  /** How far it has come. A value to equal, a list of 1-100 values, or an object of `ne`. */
  'inbounds.status'?: 'expected' | 'receiving' | 'received' | 'cancelled' | 'stopped' | ('expected' | 'receiving' | 'received' | 'cancelled' | 'stopped')[] | {
    /** Anything but this. */
    ne?: 'expected' | 'receiving' | 'received' | 'cancelled' | 'stopped';
  } | null;
  /** Goods, or a return. A value to equal, a list of 1-100 values, or an object of `ne`. */
  'inbounds.kind'?: 'inbound' | 'return' | ('inbound' | 'return')[] | {
    /** Anything but this. */
    ne?: 'inbound' | 'return';
  } | null;
  /** To which store the goods belong. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`. */
  'inbounds.store_no'?: number | number[] | {
    /** At least this. */
    gte?: number;
    /** More than this. */
    gt?: number;
    /** At most this. */
    lte?: number;
    /** Less than this. */
    lt?: number;
    /** Anything but this. */
    ne?: number;
  } | null;
  /** Where the goods arrive. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`. */
  'inbounds.warehouse_no'?: number | number[] | {
    /** At least this. */
    gte?: number;
    /** More than this. */
    gt?: number;
    /** At most this. */
    lte?: number;
    /** Less than this. */
    lt?: number;
    /** Anything but this. */
    ne?: number;
  } | null;
  /** Through which contract it came. A value to equal, a list of 1-100 values, or an object of `ne`. */
  'inbounds.channel'?: 'warehouse' | 'logistics' | ('warehouse' | 'logistics')[] | {
    /** Anything but this. */
    ne?: 'warehouse' | 'logistics';
  } | null;
  /** How many rows a page has at most; 50 where it is left out. */
  page_size?: number | null;
  /** `next_cursor` of the page before, with the same filters and the same sort. */
  cursor?: string | null;
  /** `updated_at`, `created_at`, `status`, `kind`, `store_no`, `warehouse_no`, `channel`; with `-` before it for descending order. */
  sort?: string | null;
};

export type InboundRow = {
  /** Our number of the document. */
  stock_in_no: string;
  /** Your own number of it; `null` for forms of the logistics webhook. */
  inbound_short_id: string | null;
  /** Your own number of it, of forms of the logistics webhook. */
  form_no: string | null;
  /** Goods, or a return. */
  kind: 'inbound' | 'return';
  /** How far it has come; `stopped`: receiving was stopped, the rest is closed. */
  status: 'expected' | 'receiving' | 'received' | 'cancelled' | 'stopped';
  /** Through which contract it came. */
  channel: 'warehouse' | 'logistics';
  /** Where the goods arrive. */
  warehouse_no: number;
  /** To which store they belong. */
  store_no: number;
  /** Of a return: the number of the order that it brings back. */
  outbound_short_id: string | null;
  /** When the goods are expected, where it was said. */
  estimated_arrival_at: string | null;
  /** What was announced, in the order sent. */
  details: {
    /** Your own key of the product. */
    sku_id: string;
    /** Expiry date of these units. */
    expire_date: string | null;
    /** Their batch; may be empty. */
    batch_id: string;
    /** Units announced. */
    qty: number;
    /** Of forms of the logistics webhook: the item as it was sent. */
    item: {
      /** As it was sent. */
      name: string | null;
      /** As it was understood. */
      storage_type: string | null;
      /** Price of one unit, in New Taiwan dollars. */
      price: number | null;
      /** As it was sent. */
      identifier: string | null;
    } | null;
  }[];
  /** What has really arrived until now, by sku, good or bad, expiry date and batch. */
  received: {
    /** Your own key of the product. */
    sku_id: string;
    /** How the units were found. */
    stock_type: 'good' | 'bad';
    /** Their batch; may be empty. */
    batch_id: string;
    /** Expiry date of these units. */
    expire_date: string | null;
    /** Units that have arrived. */
    qty: number;
  }[];
  /** Of which products more or fewer units have arrived than announced; until it is received, what is still to come. */
  differences: {
    /** Your own key of the product. */
    sku_id: string;
    /** Units announced, all details together. */
    announced: number;
    /** Units that have arrived, good and bad together. */
    received: number;
  }[];
  /** What only forms of the logistics webhook say. */
  form: {
    /** As it was sent. */
    internal_form_no: string;
    /** As it was sent. 1 = vendor pickup, 2 = logistics delivery, 3 = vendor delivery. */
    shipping_type: 1 | 2 | 3;
    /** As it was sent. */
    sender_name: string | null;
    /** As it was sent. */
    sender_address: string | null;
    /** Where you are told what becomes of it. */
    callback_url: string | null;
  } | null;
  /** All that happened to it, in that order. */
  timeline: {
    /** What happened; `create`: the document was made. */
    event: 'create' | 'receive' | 'complete' | 'stop' | 'cancel';
    /** The status that it left; `null`: it was made. */
    from: 'expected' | 'receiving' | 'received' | 'cancelled' | 'stopped' | null;
    /** The status that it reached. */
    to: 'expected' | 'receiving' | 'received' | 'cancelled' | 'stopped';
    /** When. */
    at: string;
    /** Who or which system brought it about; `null`: before this was kept. */
    by: string | null;
    /** In which call; `null`: not by a call. */
    trace_id: string | null;
  }[];
  /** When it was created. */
  created_at: string;
  /** When its status changed last. */
  updated_at: string;
};

export type CallbacksSearch = {
  /** Number of the event. A value to equal, or a list of 1-100 values. */
  'callbacks.event_id'?: string | string[] | null;
  /** Your own number of the document. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'callbacks.document_no'?: string | string[] | {
    /** At least this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** More than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** At most this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Anything but this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** What begins so. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** When its status changed last. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`. */
  'callbacks.updated_at'?: string | string[] | {
    /** At least this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    gte?: string;
    /** More than this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    gt?: string;
    /** At most this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    lte?: string;
    /** Less than this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    lt?: string;
    /** Anything but this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    ne?: string;
  } | null;
  /** When the callback was written. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`. */
  'callbacks.created_at'?: string | string[] | {
    /** At least this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    gte?: string;
    /** More than this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    gt?: string;
    /** At most this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    lte?: string;
    /** Less than this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    lt?: string;
    /** Anything but this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    ne?: string;
  } | null;
  /** Whether it has arrived. A value to equal, a list of 1-100 values, or an object of `ne`. */
  'callbacks.status'?: 'pending' | 'delivered' | 'failed' | ('pending' | 'delivered' | 'failed')[] | {
    /** Anything but this. */
    ne?: 'pending' | 'delivered' | 'failed';
  } | null;
  /** What happened, such as `order.shipped`. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'callbacks.event'?: string | string[] | {
    /** At least this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** More than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** At most this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Anything but this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** What begins so. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** What it happened to. A value to equal, a list of 1-100 values, or an object of `ne`. */
  'callbacks.document_type'?: 'order' | 'inbound' | 'return' | ('order' | 'inbound' | 'return')[] | {
    /** Anything but this. */
    ne?: 'order' | 'inbound' | 'return';
  } | null;
  /** How many rows a page has at most; 50 where it is left out. */
  page_size?: number | null;
  /** `next_cursor` of the page before, with the same filters and the same sort. */
  cursor?: string | null;
  /** `document_no`, `updated_at`, `created_at`, `status`, `event`, `document_type`; with `-` before it for descending order. */
  sort?: string | null;
};

export type CallbackRow = {
  /** Number of the event; the same in every try. */
  event_id: string;
  /** What happened. */
  event: 'order.shipped' | 'order.cancelled' | 'inbound.received' | 'inbound.stopped' | 'inbound.cancelled' | 'return.received' | 'return.stopped' | 'return.cancelled';
  /** What it happened to. */
  document_type: 'order' | 'inbound' | 'return';
  /** Your own number of that document. */
  document_no: string;
  /** The how-manieth callback of that document it is; they arrive in this order. */
  sequence: number;
  /** What is sent, to the byte. */
  body: string;
  /** Where it is sent. */
  callback_url: string;
  /** `failed`: the last try was in vain, and it waits for a redelivery by hand. */
  status: 'pending' | 'delivered' | 'failed';
  /** Each try, the first one first. */
  attempts: {
    /** When it was tried. */
    at: string;
    /** How long it took. */
    duration_ms: number;
    /** What was answered; `null` where nothing was. */
    http_status: number | null;
    /** Why there was no response. `the host of callback_url has no usable address` covers every problem with the name or address of the host. */
    error: string | null;
    /** The address that was dialled; `null` where it did not come to that. */
    address: string | null;
    /** The first 16 KiB of what was answered. */
    response: string | null;
  }[];
  /** When it is tried next, at the earliest; `null` where it is not, or an earlier one of the same document has to arrive first. */
  next_attempt_at: string | null;
  /** When it happened. */
  occurred_at: string;
  /** When the callback was written. */
  created_at: string;
  /** When its status changed last. */
  updated_at: string;
};

export type OrdersCreateRetval = {
  /** Our number of the order: `ow_<outbound_short_id>_<suffix>`. */
  orders_id: string;
  /** `true` where the number was known: the original order is returned and nothing was rebuilt. */
  idempotent: boolean;
  /** Only where a known number came with another body. The original stays as it was. */
  payload_differs?: true;
};

export type OrdersCancelBody = {
  outbound_short_ids?: string[] | null;
  /** 1-100 of your own numbers of orders of the logistics webhook. One of the two is needed; both may be given. */
  internal_names?: string[] | null;
};

export type OrdersCancelResult = OutboundCancelResult | {
  /** Your `internal_name`. */
  internal_name: string;
  /** `cancelled`: it is cancelled, now or since earlier. `not_found`: you have no order of that number. */
  status: 'cancelled' | 'not_found';
} | {
  /** Your `internal_name`. */
  internal_name: string;
  /** The order has reached the warehouse; it goes on unchanged. */
  status: 'cannot_cancel_after_picking';
  /** The order can no longer be cancelled. */
  code: 'LST-TPW-6001';
};

export type InboundsReceiveBody = {
  /** Your own number of a document of the warehouse API. This or `form_no`. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  inbound_short_id?: string | null;
  /** Your own number of a form of the logistics webhook. This or `inbound_short_id`. 1-255 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  form_no?: string | null;
  /** Your own number of this delivery, unique in the document: with it, the call can be repeated safely. Without it, each call counts. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  receipt_no?: string | null;
  /** 1-500 entries of units that have arrived; may be empty where `final` is `true` */
  details: {
    /** Your own key of the product; the document must announce it. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
    sku_id: string;
    /** Expiry date as it was found on the goods. Left out, `null` or `""`: they do not expire. A date, YYYY-MM-DD. */
    expire_date?: string | null;
    /** Their batch as it was found; left out or empty: of no batch. At most 125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
    batch_id?: string | null;
    /** A whole number of units. */
    qty: number;
    /** `bad`: defective, not to be sold. */
    stock_type: 'good' | 'bad';
  }[];
  /** `true`: nothing more will come. What is missing is not waited for. */
  final?: boolean | null;
};

export type InboundsReceiveRetval = {
  /** How far the document has come: `receiving`, or `received` when it is done with. */
  status: 'expected' | 'receiving' | 'received' | 'cancelled' | 'stopped';
  /** `true` where the `receipt_no` was known, with the same content: nothing was counted again. */
  idempotent: boolean;
};

export type InboundsStopBody = {
  /** Your own number of a document of the warehouse API. This or `form_no`. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  inbound_short_id?: string | null;
  /** Your own number of a form of the logistics webhook. This or `inbound_short_id`. 1-255 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  form_no?: string | null;
};

export type InboundsStopRetval = {
  /** What has arrived stays, the rest is closed. */
  status: 'stopped';
  /** `true` where it was stopped before. */
  idempotent: boolean;
};

export type InboundsCancelBody = {
  inbound_short_ids?: string[] | null;
  /** 1-100 of your own numbers of forms of the logistics webhook. One of the two is needed; both may be given. */
  form_nos?: string[] | null;
};

export type InboundsCancelResult = {
  /** Your `inbound_short_id`. */
  inbound_short_id: string;
  /** `cancelled`: it is cancelled, now or since earlier. `not_found`: you have no document of that number. `cannot_cancel_after_receiving`: too late. */
  status: 'cancelled' | 'not_found' | 'cannot_cancel_after_receiving';
} | {
  /** Your `form_no`. */
  form_no: string;
  /** `cancelled`: it is cancelled, now or since earlier. `not_found`: you have no document of that number. `cannot_cancel_after_receiving`: too late. */
  status: 'cancelled' | 'not_found' | 'cannot_cancel_after_receiving';
};

export type AdvanceReport = {
  /** Your number of an order of the warehouse or the main API. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  outbound_short_id?: string | null;
  /** Your number of an order of the logistics webhook. 1-30 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  internal_name?: string | null;
  /** How far the order has come. */
  status: 'in_warehouse' | 'picking' | 'packed' | 'shipped' | 'delivered';
  /** Number of the shipment. Needed with `shipped`, unless it was said before; from then on it stays. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  shipment_no?: string | null;
  /** Who carries it. 1-100 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
  carrier?: string | null;
};

export type AdvanceResult = {
  /** As it was sent. */
  outbound_short_id?: string;
  /** As it was sent. */
  internal_name?: string;
  /** The state the order is in now; `not_found`: you have no such order; `refused`: nothing was changed, and `message` says why. */
  status: 'in_warehouse' | 'picking' | 'packed' | 'shipped' | 'delivered' | 'not_found' | 'refused';
  /** Why it was refused. */
  message?: string;
};

export type CallbacksRedeliverBody = {
  /** 1-1000 numbers of events; those that are not yours are passed over. Instead of filters. */
  event_ids?: string[] | null;
  /** Number of the event. A value to equal, or a list of 1-100 values. */
  'callbacks.event_id'?: string | string[] | null;
  /** Your own number of the document. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'callbacks.document_no'?: string | string[] | {
    /** At least this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** More than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** At most this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Anything but this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** What begins so. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** When its status changed last. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`. */
  'callbacks.updated_at'?: string | string[] | {
    /** At least this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    gte?: string;
    /** More than this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    gt?: string;
    /** At most this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    lte?: string;
    /** Less than this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    lt?: string;
    /** Anything but this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    ne?: string;
  } | null;
  /** When the callback was written. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`. */
  'callbacks.created_at'?: string | string[] | {
    /** At least this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    gte?: string;
    /** More than this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    gt?: string;
    /** At most this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    lte?: string;
    /** Less than this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    lt?: string;
    /** Anything but this. A time as in RFC 3339, with its offset and at most 6 decimals. */
    ne?: string;
  } | null;
  /** Whether it has arrived. A value to equal, a list of 1-100 values, or an object of `ne`. */
  'callbacks.status'?: 'pending' | 'delivered' | 'failed' | ('pending' | 'delivered' | 'failed')[] | {
    /** Anything but this. */
    ne?: 'pending' | 'delivered' | 'failed';
  } | null;
  /** What happened, such as `order.shipped`. A value to equal, a list of 1-100 values, or an object of `gte`, `gt`, `lte`, `lt`, `ne`, `prefix`. */
  'callbacks.event'?: string | string[] | {
    /** At least this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gte?: string;
    /** More than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    gt?: string;
    /** At most this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lte?: string;
    /** Less than this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    lt?: string;
    /** Anything but this. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    ne?: string;
    /** What begins so. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    prefix?: string;
  } | null;
  /** What it happened to. A value to equal, a list of 1-100 values, or an object of `ne`. */
  'callbacks.document_type'?: 'order' | 'inbound' | 'return' | ('order' | 'inbound' | 'return')[] | {
    /** Anything but this. */
    ne?: 'order' | 'inbound' | 'return';
  } | null;
  /** `true`: only count what would be sent again. */
  dry_run?: boolean | null;
};

export type CallbacksRedeliverRetval = {
  /** How many are sent again, or would be. */
  count: number;
};

export type ShippingOrderBody = {
  /** Your own number of the order, unique for ever in your account; it is the idempotency key. 1-30 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  internal_name: string;
  /** The e-commerce order number. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  name: string;
  /** Name of the customer. 1-25 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
  customer_name: string;
  /** Name of the recipient. 1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
  delivery_name: string;
  /** Phone number of the customer. 1-50 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
  phone: string;
  /** Shipping fee, in New Taiwan dollars. 0 or more, rounded to 2 decimals. */
  delivery_charge: number;
  /** What is to be shipped. */
  products: {
    /** Your own key of the product. One that is not known yet is registered from this item. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
    sku: string;
    /** A whole number of units. */
    quantity: number;
    /** Name of the product. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    name?: string | null;
    /** Price of one unit, in New Taiwan dollars. Negative for a discount, rounded to 2 decimals. */
    price?: number | null;
    /** Your identifier of these units. At most 125 characters, without control characters other than line breaks and tabs, which become spaces. */
    identifier?: string | null;
    /** Category of storage: `1` or `ambient`, `2` or `air_conditioned`, `3` or `frozen`, `4` or `chilled`; any other is kept as it is. 1-50 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    storage_type: string;
    /** Code of the combo that the item is part of. At most 125 characters, without control characters other than line breaks and tabs, which become spaces. */
    combo_sku?: string | null;
    /** Only units of this batch are taken. Left out or empty: of any batch, earliest expiry first. At most 125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
    batch?: string | null;
  }[];
  /** Address of the recipient; may be empty for convenience-store pickup. At most 500 characters, without control characters other than line breaks and tabs, which become spaces. */
  address?: string | null;
  /** City of the recipient. At most 100 characters, without control characters other than line breaks and tabs, which become spaces. */
  city?: string | null;
  /** Where you are told that the order was shipped or cancelled. An absolute http(s) URL. */
  callback_url?: string | null;
  /** For the warehouse; also part of the callback. At most 2000 characters, without control characters other than line breaks and tabs. */
  note?: string | null;
  /** What the label of a convenience-store pickup needs; handed to the warehouse. Any JSON object of at most 64 KiB. */
  store_pickup_label_data?: object | null;
};

export type ShippingOrderRetval = {
  /** Your own number of the document. */
  document_no: string;
  /** `awaiting_stock`: it waits until there is enough; it is then its turn before younger ones. */
  status: 'awaiting_stock' | 'pending_warehouse_transfer' | 'in_warehouse' | 'picking' | 'packed' | 'shipped' | 'delivered' | 'cancelled';
  /** `true` where the number was known, with the same body: nothing was done again. */
  idempotent: boolean;
};

export type InboundFormBody = {
  /** Your own number of the form, unique for ever in your account; it is the idempotency key. 1-255 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  form_no: string;
  /** Your internal number; handed back with the callback. 1-255 characters, without control, zero-width or bidirectional characters and without white space at either end. */
  internal_form_no: string;
  /** What the form is. With 3, `form_no` names the inbound or return whose receiving stops. 1 = inbound, 2 = return, 3 = stop receiving. */
  form_type: 1 | 2 | 3;
  /** How the goods come. 1 = vendor pickup, 2 = logistics delivery, 3 = vendor delivery. */
  shipping_type: 1 | 2 | 3;
  /** Where you are told that the form was received, stopped or cancelled. An absolute http(s) URL. */
  callback_url: string;
  /** 1-500 items; may be empty where receiving stops. */
  products: {
    /** Your own key of the product. One that is not known yet is registered from this item. 1-125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
    sku: string;
    /** A whole number of units. */
    quantity: number;
    /** Name of the product. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
    name?: string | null;
    /** Price of one unit, in New Taiwan dollars. Negative for a discount, rounded to 2 decimals. */
    price?: number | null;
    /** Your identifier of these units. At most 125 characters, without control characters other than line breaks and tabs, which become spaces. */
    identifier?: string | null;
    /** 1-50 characters, not blank, without control characters other than line breaks and tabs, which become spaces. */
    storage_type?: string | null;
    /** Batch of these units. At most 125 characters, without control, zero-width or bidirectional characters and without white space at either end. */
    batch?: string | null;
    /** Last day on which these units are good. Left out, `null` or `""`: they do not expire. A date, YYYY-MM-DD. */
    expire_date?: string | null;
  }[];
  /** Who sends the goods. At most 255 characters, without control characters other than line breaks and tabs, which become spaces. */
  sender_name?: string | null;
  /** From where. At most 500 characters, without control characters other than line breaks and tabs, which become spaces. */
  sender_address?: string | null;
};

export type InboundFormRetval = {
  /** Your own number of the document. */
  document_no: string;
  /** How far the document has come. */
  status: 'expected' | 'receiving' | 'received' | 'cancelled' | 'stopped';
  /** `true` where the number was known, with the same body: nothing was done again. */
  idempotent: boolean;
};

export type CallbackBody = {
  /** Number of the event, the same in every try: who has seen it need not look at it again. */
  event_id: string;
  /** What happened. */
  event: 'order.shipped' | 'order.cancelled' | 'inbound.received' | 'inbound.stopped' | 'inbound.cancelled' | 'return.received' | 'return.stopped' | 'return.cancelled';
  /** The how-manieth callback of its document it is, from 1 on. They arrive in this order. */
  sequence: number;
  /** What it happened to. */
  document_type: 'order' | 'inbound' | 'return';
  /** Your own number of it: `internal_name` or `form_no`. */
  document_no: string;
  /** Your internal number of it: `internal_name` or `internal_form_no`. */
  internal_no: string;
  /** Of an order: the e-commerce order number, as it was sent; `null` for a form. */
  name: string | null;
  /** Our number of it: `orders_id` or `stock_in_no` in the lists of the main API. */
  lading_no: string;
  /** The state that it has reached. */
  status: 'shipped' | 'cancelled' | 'received' | 'stopped';
  /** Of an order that was shipped: number of the shipment. */
  shipment_no: string | null;
  /** Of an order that was shipped: who carries it. */
  carrier: string | null;
  /** When it happened. */
  occurred_at: string;
  /** Its items, in the order sent. */
  products: {
    /** Your own key of the product. */
    sku: string;
    /** Units, as they were ordered or announced. */
    quantity: number;
    /** As it was sent. */
    name: string | null;
    /** As it was understood. */
    storage_type: string | null;
    /** As it was sent. */
    price: number | null;
    /** As it was sent. */
    batch: string | null;
    /** As it was sent. */
    identifier: string | null;
    /** Of an order: as it was sent. */
    combo_sku?: string | null;
    /** Of a form: last day on which the units are good. */
    expire_date?: string | null;
  }[];
  /** Of a form: what has really arrived, which may be more or less than `products` announce; `null` for an order. */
  received: {
    /** Your own key of the product. */
    sku: string;
    /** Units that have arrived. */
    quantity: number;
    /** How they were found; `bad` units are not sold. */
    stock_type: 'good' | 'bad';
    /** Their batch. */
    batch: string | null;
    /** Last day on which they are good. */
    expire_date: string | null;
  }[] | null;
  /** Of an order: as it was sent. */
  note: string | null;
};
