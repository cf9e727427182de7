import fc from 'fast-check';
import type { AccountNo, Call } from './stock-model.ts';

/** A call with short names, so that a counterexample is readable; `callOf` adds numbers and skus of its run. */
export type Command = { by: AccountNo } & (
  | { sync: string }
  | { inbound: string; tenant: string; lines: InboundLine[] }
  | { returns: string; of: string; tenant: string; lines: InboundLine[] }
  | { cancelInbounds: string[] }
  | { order: string; tenant: string; ship: string; lines: OrderLine[] }
  | { cancelOrders: string[] }
  | { stock: string[]; tenant?: string | undefined }
);

type InboundLine = [skuId: string, ...units: [expireDate: string | null, qty: number][]];
type OrderLine = [skuId: string, qty: number];

/** The last one is never synced. */
export const skuIds = ['TEA', 'RICE', 'SALT', 'DUST'] as const;

/** The first calls of every run, so that there is stock to sell. */
export const beginning: Command[] = [
  ...(['MODEL-1', 'MODEL-2'] as const).flatMap((by) => [
    { by, sync: 'TEA' },
    { by, sync: 'RICE' },
  ]),
  {
    by: 'MODEL-1',
    inbound: '1',
    tenant: 'TPW-NOW',
    lines: [
      ['TEA', ['2035-01-01', 4], ['2036-02-29', 3]],
      ['RICE', ['2020-01-01', 3]],
    ],
  },
  { by: 'MODEL-2', inbound: '2', tenant: 'TPW-NOW', lines: [['TEA', ['2035-01-01', 4]]] },
];

const by = fc.constantFrom<AccountNo>('MODEL-1', 'MODEL-1', 'MODEL-2');
const anySku = often(fc.constantFrom('TEA', 'TEA', 'RICE'), fc.constantFrom(...skuIds));
// Few numbers, and the same for all: repeats, numbers of the other account and cancels after cancels are common.
const number = fc.constantFrom<string>('1', '2', '3', '4', '5', '6');
// A node looks an unknown tenant up, which takes a moment, so it is rare.
const tenant = fc.oneof(
  { weight: 12, arbitrary: fc.constant('TPW-NOW') },
  { weight: 4, arbitrary: fc.constant('TPW-LATER') },
  { weight: 2, arbitrary: fc.constant('TPW-FRESH') },
  { weight: 1, arbitrary: fc.constant('TPW-NOWHERE') },
);
const ship = often(
  fc.constantFrom('home/tcat', 'csvs/hilife'),
  fc.constantFrom('home/hilife', 'csvs/', 'toString/call'),
);
const expireDate = fc.constantFrom('2020-01-01', '2035-01-01', '2036-02-29', null, '');
const inboundQty = fc.integer({ min: 1, max: 6 });
const orderQty = fc.integer({ min: 1, max: 3 });
const numbers = fc.oneof(
  fc.constant<string[]>(['1', '2', '3', '4', '5', '6']),
  fc.array(number, { minLength: 1, maxLength: 4 }),
);

const inboundLines: fc.Arbitrary<InboundLine[]> = fc.array(
  fc
    .tuple(anySku, fc.array(fc.tuple(expireDate, inboundQty), { minLength: 1, maxLength: 2 }))
    .map(([skuId, units]): InboundLine => [skuId, ...units]),
  { minLength: 1, maxLength: 3 },
);
const orderLines: fc.Arbitrary<OrderLine[]> = fc.array(fc.tuple(anySku, orderQty), { minLength: 1, maxLength: 3 });
// Half of the documents are nearly equal, so that repeats are equal or differ in one quantity, and share a lot.
const oneOrTwo = fc.integer({ min: 1, max: 2 });
const plainInbound = oneOrTwo.map((qty): { tenant: string; lines: InboundLine[] } => ({
  tenant: 'TPW-NOW',
  lines: [['TEA', ['2035-01-01', qty]]],
}));
const plainOrder = oneOrTwo.map((qty): { tenant: string; ship: string; lines: OrderLine[] } => ({
  tenant: 'TPW-NOW',
  ship: 'home/tcat',
  lines: [['TEA', qty]],
}));
const inboundContent = fc.oneof(plainInbound, fc.record({ tenant, lines: inboundLines }));
const orderContent = fc.oneof(plainOrder, fc.record({ tenant, ship, lines: orderLines }));

const sync = fc.record({ by, sync: fc.constantFrom('TEA', 'RICE', 'SALT') });
const inbound = fc
  .tuple(fc.record({ by, inbound: number }), inboundContent)
  .map(([who, what]) => ({ ...who, ...what }));
const returns = fc
  .tuple(fc.record({ by, returns: number, of: number }), inboundContent)
  .map(([who, what]) => ({ ...who, ...what }));
const cancelInbounds = fc.record({ by, cancelInbounds: numbers });
const order = fc.tuple(fc.record({ by, order: number }), orderContent).map(([who, what]) => ({ ...who, ...what }));
const cancelOrders = fc.record({ by, cancelOrders: numbers });
const stock = fc.record({
  by,
  stock: fc.array(fc.constantFrom(...skuIds), { minLength: 1, maxLength: 5 }),
  tenant: fc.option(tenant, { nil: undefined }),
});

export const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 1, arbitrary: sync },
  { weight: 5, arbitrary: inbound },
  { weight: 2, arbitrary: returns },
  { weight: 2, arbitrary: cancelInbounds },
  { weight: 8, arbitrary: order },
  { weight: 2, arbitrary: cancelOrders },
  { weight: 1, arbitrary: stock },
);

/** Commands that only take units, and commands that only bring or release them. */
export const takingCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: order },
  { weight: 3, arbitrary: cancelInbounds },
  { weight: 1, arbitrary: fc.oneof(stock, sync) },
);
export const givingCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: fc.oneof(inbound, returns) },
  { weight: 3, arbitrary: cancelOrders },
  { weight: 1, arbitrary: fc.oneof(stock, sync) },
);

function often<T>(usual: fc.Arbitrary<T>, unusual: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: unusual });
}

/** Makes the call of a command; `run` separates its numbers and skus from those of other runs. */
export function callOf(one: Command, run: string): Call {
  const { by } = one;
  const named = (name: string) => `${run}-${name}`;
  if ('sync' in one)
    return { by, path: '/product/sync', body: { sku_id: named(one.sync), sku_name: one.sync, storage_type: 1 } };
  if ('cancelInbounds' in one)
    return { by, path: '/inbound/cancel', body: { inbound_short_ids: one.cancelInbounds.map(named) } };
  if ('cancelOrders' in one)
    return { by, path: '/outbound/cancel', body: { outbound_short_ids: one.cancelOrders.map(named) } };
  if ('stock' in one)
    return { by, path: '/stock/query', body: { sku_ids: one.stock.map(named), warehouse_tpw_id: one.tenant ?? null } };
  if ('order' in one) {
    const [logistics_type, express_type] = one.ship.split('/') as [string, string];
    const details = one.lines.map(([skuId, qty]) => ({ sku_id: named(skuId), qty }));
    const where = {
      outbound_short_id: named(one.order),
      warehouse_tpw_id: one.tenant,
      consignee_country: 'TW' as const,
    };
    return { by, path: '/outbound/create', body: { ...where, logistics_type, express_type, details } };
  }

  const details = one.lines.map(([skuId, ...units]) => ({
    sku_id: named(skuId),
    expires: units.map(([expire_date, qty]) => ({ expire_date, qty })),
  }));
  if ('inbound' in one) {
    return {
      by,
      path: '/inbound/create',
      body: { inbound_short_id: named(one.inbound), warehouse_tpw_id: one.tenant, details },
    };
  }
  const numbers = { inbound_short_id: named(one.returns), outbound_short_id: named(one.of) };
  return { by, path: '/inbound/return', body: { ...numbers, warehouse_tpw_id: one.tenant, details } };
}
