import type { PublicErrorCode } from '../../contract/errors/codes.ts';
import type { InboundCancelBody } from '../../contract/warehouse/inbound-cancel.ts';
import type { InboundCreateBody } from '../../contract/warehouse/inbound-create.ts';
import type { InboundReturnBody } from '../../contract/warehouse/inbound-return.ts';
import type { OutboundCancelBody } from '../../contract/warehouse/outbound-cancel.ts';
import type { OutboundCreateBody } from '../../contract/warehouse/outbound-create.ts';
import type { ProductSyncBody } from '../../contract/warehouse/product-sync.ts';
import type { StockQueryBody } from '../../contract/warehouse/stock-query.ts';
import { duplicateItem, errorItem, payloadDiffers } from '../support/errors.ts';

export type AccountNo = 'MODEL-1' | 'MODEL-2';

/** One call of the warehouse API. */
export type Call = { by: AccountNo } & (
  | { path: '/product/sync'; body: ProductSyncBody }
  | { path: '/inbound/create'; body: InboundCreateBody }
  | { path: '/inbound/return'; body: InboundReturnBody }
  | { path: '/inbound/cancel'; body: InboundCancelBody }
  | { path: '/outbound/create'; body: OutboundCreateBody }
  | { path: '/outbound/cancel'; body: OutboundCancelBody }
  | { path: '/stock/query'; body: StockQueryBody }
);

/** The answer that the contract requires. A RegExp stands for free text, `Made` for a generated id. */
export interface Expected {
  status: number;
  code: string;
  message: string | RegExp;
  success: boolean;
  data: object;
}

/** An id that only the service knows; it never changes, and no other document has it. */
export class Made {
  readonly of: string;
  readonly form: RegExp;
  constructor(of: string, form: RegExp) {
    this.of = of;
    this.form = form;
  }
}

interface ModelTenant {
  warehouseNo: number;
  receiving: 'on_create' | 'on_confirm';
  sellsExpired: boolean;
}

/** Two accounts: they share a tenant name, and each lacks a tenant or has two in one warehouse. */
export const modelTenants: Record<AccountNo, Record<string, ModelTenant>> = {
  'MODEL-1': {
    'TPW-NOW': { warehouseNo: 1, receiving: 'on_create', sellsExpired: true },
    'TPW-LATER': { warehouseNo: 1, receiving: 'on_confirm', sellsExpired: true },
    'TPW-FRESH': { warehouseNo: 2, receiving: 'on_create', sellsExpired: false },
  },
  'MODEL-2': {
    'TPW-NOW': { warehouseNo: 1, receiving: 'on_create', sellsExpired: true },
    'TPW-LATER': { warehouseNo: 2, receiving: 'on_confirm', sellsExpired: true },
  },
};

/** Every expiry date of the model's calls is either before this or long after today. */
const expiredBefore = '2025-01-01';
const noExpiry = 'infinity';
const shipMethods = ['home/tcat', 'home/hct', 'home/post', 'csvs/pcsc', 'csvs/family', 'csvs/hilife'];

interface ModelLot {
  by: AccountNo;
  skuId: string;
  warehouseNo: number;
  /** `noExpiry` for units that do not expire: it is later than every date. */
  expireDate: string;
  onHand: number;
  locked: number;
}

interface ModelDocument {
  by: AccountNo;
  number: string;
  content: string;
  status: 'expected' | 'received' | 'cancelled' | 'pending_warehouse_transfer';
  /** Brought into lots by an inbound document, locked in lots by an order. */
  units: { lot: string; qty: number }[];
}

/** The state of the service according to the contract: one call after the other, without databases and groups. */
export interface World {
  products: Set<string>;
  lots: Map<string, ModelLot>;
  /** By account and number. */
  inbounds: Map<string, ModelDocument & { warehouseNo: number }>;
  orders: Map<string, ModelDocument>;
  /** The generated ids so far, by their documents. */
  made: Map<string, unknown>;
}

export function emptyWorld(): World {
  return { products: new Set(), lots: new Map(), inbounds: new Map(), orders: new Map(), made: new Map() };
}

/** Carries out a call in the model and returns the required answer. */
export function carryOut(world: World, call: Call): Expected {
  switch (call.path) {
    case '/product/sync':
      world.products.add(`${call.by}/${call.body.sku_id}`);
      return success({
        success: true,
        products_id: new Made(`product ${call.by}/${call.body.sku_id}`, /^[1-9][0-9]*$/),
      });
    case '/inbound/create':
    case '/inbound/return':
      return takeInbound(world, call);
    case '/inbound/cancel':
      return success({ results: call.body.inbound_short_ids.map((number) => cancelInbound(world, call.by, number)) });
    case '/outbound/create':
      return takeOrder(world, call.by, call.body);
    case '/outbound/cancel':
      return success({ results: call.body.outbound_short_ids.map((number) => cancelOrder(world, call.by, number)) });
    case '/stock/query':
      return queryStock(world, call.by, call.body);
    default:
      return call satisfies never;
  }
}

function takeInbound(world: World, call: Call & { path: '/inbound/create' | '/inbound/return' }): Expected {
  const { by, body, path } = call;
  const { inbound_short_id: number, details } = body;
  const lines = details.flatMap(({ sku_id, expires }) =>
    expires.map(({ expire_date, qty }) => ({ sku_id, expire_date: expire_date || noExpiry, qty })),
  );
  const original = path === '/inbound/return' ? call.body.outbound_short_id : null;
  const content = JSON.stringify([path, body.warehouse_tpw_id, body.estimated_arrival_time ?? null, original, lines]);
  const numbers = (warehouseNo: number) => ({
    stock_in_no: new Made(`inbound ${by}/${number}`, /^si_\S+$/),
    stock_in_sn: number,
    warehouse_no: warehouseNo,
  });

  const known = world.inbounds.get(`${by}/${number}`);
  if (known) {
    const differs = known.content === content ? {} : payloadDiffers;
    const data = { success: false, ...numbers(known.warehouseNo), ...differs, errors: [duplicateItem] };
    return { status: 400, code: 'LST-TPW-2001', message: /./, success: false, data };
  }
  const tenant = modelTenants[by][body.warehouse_tpw_id];
  if (!tenant) return unknownTenant;
  if (hasUnknownSku(world, by, details)) return unknownSkus(world, by, details);

  const { warehouseNo } = tenant;
  const received = tenant.receiving === 'on_create';
  const units = received
    ? lines.map(({ sku_id, expire_date, qty }) => ({ lot: lotOf(world, by, sku_id, warehouseNo, expire_date), qty }))
    : [];
  for (const { lot, qty } of units) world.lots.get(lot)!.onHand += qty;
  world.inbounds.set(`${by}/${number}`, {
    by,
    number,
    content,
    status: received ? 'received' : 'expected',
    units: summed(units),
    warehouseNo,
  });
  return success({ success: true, ...numbers(warehouseNo) });
}

function lotOf(world: World, by: AccountNo, skuId: string, warehouseNo: number, expireDate: string): string {
  const key = `${by}/${skuId}/${warehouseNo}/${expireDate}`;
  if (!world.lots.has(key)) world.lots.set(key, { by, skuId, warehouseNo, expireDate, onHand: 0, locked: 0 });
  return key;
}

function summed(units: ModelDocument['units']): ModelDocument['units'] {
  return [...Map.groupBy(units, ({ lot }) => lot)].map(([lot, those]) => ({
    lot,
    qty: sum(those.map(({ qty }) => qty)),
  }));
}

function cancelInbound({ inbounds, lots }: World, by: AccountNo, number: string) {
  const document = inbounds.get(`${by}/${number}`);
  if (!document) return { stock_in_sn: number, status: 'not_found' };
  if (document.status === 'cancelled') return { stock_in_sn: number, status: 'cancelled' };
  if (document.units.some(({ lot, qty }) => freeOf(lots.get(lot)!) < qty))
    return { stock_in_sn: number, status: 'cannot_cancel_after_receiving' };
  for (const { lot, qty } of document.units) lots.get(lot)!.onHand -= qty;
  document.status = 'cancelled';
  return { stock_in_sn: number, status: 'cancelled' };
}

function takeOrder(world: World, by: AccountNo, body: OutboundCreateBody): Expected {
  const { outbound_short_id: number, warehouse_tpw_id, details } = body;
  const content = JSON.stringify(body);
  const ordersId = new Made(`order ${by}/${number}`, new RegExp(`^ow_${number}_\\w+$`));

  const known = world.orders.get(`${by}/${number}`);
  if (known) {
    const differs = known.content === content ? {} : payloadDiffers;
    return success({ success: true, orders_id: ordersId, idempotent: true, ...differs });
  }
  const tenant = modelTenants[by][warehouse_tpw_id];
  if (!tenant) return unknownTenant;
  if (hasUnknownSku(world, by, details)) return unknownSkus(world, by, details);
  if (!shipMethods.includes(`${body.logistics_type}/${body.express_type}`))
    return unknownShipMethod(body.logistics_type);

  const sellable = [...world.lots.entries()]
    .filter(
      ([, lot]) => lot.by === by && lot.warehouseNo === tenant.warehouseNo && freeOf(lot) > 0 && sells(tenant, lot),
    )
    .sort(([, a], [, b]) => (a.expireDate < b.expireDate ? -1 : 1));
  const units: ModelDocument['units'] = [];
  const shortages: [path: string, message: string][] = [];
  for (const [skuId, those] of Map.groupBy(details, ({ sku_id }) => sku_id)) {
    const lots = sellable.filter(([, lot]) => lot.skuId === skuId);
    const requested = sum(those.map(({ qty }) => qty));
    const available = sum(lots.map(([, lot]) => freeOf(lot)));
    if (available < requested) {
      shortages.push([
        `details[${details.findIndex(({ sku_id }) => sku_id === skuId)}].qty`,
        `sku ${skuId} available=${available} < requested=${requested}`,
      ]);
    }
    let wanted = requested;
    for (const [lot, content] of lots) {
      const qty = Math.min(wanted, freeOf(content));
      if (qty > 0) units.push({ lot, qty });
      wanted -= qty;
    }
  }
  if (shortages.length > 0) return refusal('insufficient_stock', shortages[0]![1], ...shortages);

  for (const { lot, qty } of units) world.lots.get(lot)!.locked += qty;
  world.orders.set(`${by}/${number}`, { by, number, content, status: 'pending_warehouse_transfer', units });
  return success({ success: true, orders_id: ordersId, idempotent: false });
}

function cancelOrder({ orders, lots }: World, by: AccountNo, number: string) {
  const order = orders.get(`${by}/${number}`);
  if (!order) return { outbound_short_id: number, status: 'not_found' };
  if (order.status !== 'cancelled') for (const { lot, qty } of order.units) lots.get(lot)!.locked -= qty;
  order.status = 'cancelled';
  return { outbound_short_id: number, status: 'cancelled' };
}

function queryStock(world: World, by: AccountNo, { sku_ids, warehouse_tpw_id }: StockQueryBody): Expected {
  const tenant = warehouse_tpw_id ? modelTenants[by][warehouse_tpw_id] : null;
  if (tenant === undefined) return unknownTenant;
  return success({ stock_details: [...new Set(sku_ids)].flatMap((skuId) => stockOf(world, by, skuId, tenant)) });
}

/** For one tenant, or for the whole account if null. */
function stockOf({ products, lots }: World, by: AccountNo, skuId: string, tenant: ModelTenant | null): object[] {
  const place = tenant === null ? {} : { warehouse_no: tenant.warehouseNo };
  const nothing = { sku_id: skuId, ...place, batch_id: '', qty: 0, qty_lock: 0, qty_available: 0 };
  if (!products.has(`${by}/${skuId}`)) return [{ ...nothing, status: 'not_found' }];
  const isAsked = (lot: ModelLot) => tenant === null || (lot.warehouseNo === tenant.warehouseNo && sells(tenant, lot));
  const stocked = [...lots.values()].filter(
    (lot) => lot.by === by && lot.skuId === skuId && lot.onHand > 0 && isAsked(lot),
  );
  if (stocked.length === 0) return [{ ...nothing, status: 'ok', stock_type: 'good' }];
  return [...Map.groupBy(stocked, ({ expireDate }) => expireDate)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([expireDate, those]) => ({
      sku_id: skuId,
      status: 'ok',
      stock_type: 'good',
      ...place,
      batch_id: '',
      ...(expireDate === noExpiry ? {} : { expire_date: expireDate }),
      qty: sum(those.map(({ onHand }) => onHand)),
      qty_lock: sum(those.map(({ locked }) => locked)),
      qty_available: sum(
        those.filter((lot) => tenantsAt(by, lot.warehouseNo).some((tenant) => sells(tenant, lot))).map(freeOf),
      ),
    }));
}

function tenantsAt(by: AccountNo, warehouseNo: number): ModelTenant[] {
  return Object.values(modelTenants[by]).filter((tenant) => tenant.warehouseNo === warehouseNo);
}

function sells({ sellsExpired }: ModelTenant, { expireDate }: ModelLot): boolean {
  return sellsExpired || expireDate >= expiredBefore;
}

function freeOf({ onHand, locked }: ModelLot): number {
  return onHand - locked;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function hasUnknownSku({ products }: World, by: AccountNo, details: { sku_id: string }[]): boolean {
  return details.some(({ sku_id }) => !products.has(`${by}/${sku_id}`));
}

function unknownSkus({ products }: World, by: AccountNo, details: { sku_id: string }[]): Expected {
  const message = 'sku_id not found';
  const places = details.flatMap(({ sku_id }, index) =>
    products.has(`${by}/${sku_id}`) ? [] : [`details[${index}].sku_id`],
  );
  return refusal('unknown_sku', message, ...places.map((path): [string, string] => [path, message]));
}

const unknownTenant = refusal('unknown_tenant', 'unknown tenant', ['warehouse_tpw_id', 'unknown tenant']);
/** Every express type in the model belongs to a known logistics type, or neither of the two is known. */
const unknownShipMethod = (logisticsType: string) => {
  const message = 'unknown ship_method mapping';
  const allowed = { home: 'tcat, hct, post', csvs: 'pcsc, family, hilife' };
  const places: Record<string, string> = /^(home|csvs)$/.test(logisticsType)
    ? { express_type: allowed[logisticsType as keyof typeof allowed] }
    : { logistics_type: 'home, csvs', express_type: Object.values(allowed).join(', ') };
  const errors = Object.entries(places).map(([path, values]): [string, string] => [
    path,
    `${message}: must be one of ${values}`,
  ]);
  return refusal('unknown_ship_method', message, ...errors);
};

function refusal(error: PublicErrorCode, message: string, ...errors: [path: string, message: string][]): Expected {
  const data = { errors: errors.map(([path, text]) => errorItem(error, path, text)) };
  return { status: 400, code: 'PARAM_INVALID', message, success: false, data };
}

function success(data: object): Expected {
  return { status: 200, code: 'LST-TPW-2000', message: 'success', success: true, data };
}
