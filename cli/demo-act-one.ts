import {
  MainClient,
  type OutboundCreateBody,
  type ProductSyncBody,
  type StockDetail,
  WarehouseClient,
} from '../sdk/client.ts';
import type { DemoService } from './demo-stage.ts';
import type { Story } from './demo-story.ts';
import type { DemoWire } from './demo-wire.ts';

export const uat = { accountNo: 'SHOP-UAT', warehouseTpwId: 'TPW-UAT', clientId: 'shop-uat' };

const tea: ProductSyncBody = { sku_id: 'TEA-1', sku_name: 'Oolong tea', storage_type: 1 };
const inbound = {
  inbound_short_id: 'IN-1',
  warehouse_tpw_id: uat.warehouseTpwId,
  details: [
    {
      sku_id: 'TEA-1',
      expires: [
        { expire_date: '2030-06-30', qty: 10 },
        { expire_date: '2031-06-30', qty: 20 },
      ],
    },
  ],
};
const order = (outbound_short_id: string, qty: number): OutboundCreateBody => ({
  outbound_short_id,
  warehouse_tpw_id: uat.warehouseTpwId,
  consignee_country: 'TW',
  logistics_type: 'home',
  express_type: 'tcat',
  consignee_name: 'Wang',
  details: [{ sku_id: 'TEA-1', qty }],
});
const orderInShort = (number: string, qty: number) =>
  `{"outbound_short_id":"${number}", … "details":[{"sku_id":"TEA-1","qty":${qty}}]}`;
const goods = (expire_date: string, qty: number, qty_lock: number) => ({
  stock_type: 'good',
  expire_date,
  qty,
  qty_lock,
  qty_available: qty - qty_lock,
});

function stockInShort({ stock_details }: { stock_details: StockDetail[] }): object {
  return {
    stock_details: stock_details.map(({ expire_date, qty, qty_lock, qty_available }) => ({
      expire_date,
      qty,
      qty_lock,
      qty_available,
    })),
  };
}

/** Plays the recommended order of requests of the warehouse API, on a UAT account. */
export async function playActOne(story: Story, { url, secretOf }: DemoService, wire: DemoWire): Promise<void> {
  story.act(
    'A warehouse partner tries the API',
    `The partner's account ${uat.accountNo} is a UAT account: everything is real, except that nothing is ever shipped. ` +
      'Each request is signed: sign is HMAC-SHA256 over body and timestamp, with a secret that only the two sides know.',
  );
  const warehouse = new WarehouseClient({
    ...wire.to(url),
    accountNo: uat.accountNo,
    secret: secretOf('account_secret', uat.accountNo),
  });

  const ordersId = await playCreations(story, warehouse);
  await playCancelsAndRepeats(story, warehouse, ordersId);
  const checkValue = secretOf('check_value', uat.clientId);
  await playEndOfUat(story, new MainClient({ ...wire.to(url), clientId: uat.clientId, checkValue }));
}

/** Returns the number that the service gave to OUT-1. */
async function playCreations(story: Story, warehouse: WarehouseClient): Promise<string> {
  await story.call({
    title: 'Sync a product',
    why: 'A product must be synced before it can be used. Syncing it again updates it.',
    call: () => warehouse.productSync(tea),
    expects: { body: { success: true, data: { success: true } } },
  });
  await story.call({
    title: 'Announce goods',
    why: 'Thirty units with two expiry dates. In UAT they are in stock immediately.',
    call: () => warehouse.inboundCreate(inbound),
    expects: { body: { success: true, data: { stock_in_no: /^si_/, stock_in_sn: 'IN-1' } } },
  });
  await story.call({
    title: 'Query stock',
    why: 'Stock by product, expiry date and batch: on hand, allocated to orders, available for sale.',
    call: () => warehouse.stockQuery(['TEA-1']),
    expects: { body: { data: { stock_details: [goods('2030-06-30', 10, 0), goods('2031-06-30', 20, 0)] } } },
    shown: stockInShort,
  });
  const created = await story.call({
    title: 'Create an order',
    why: 'Twelve units for a customer. They are allocated immediately, so no other order can take them.',
    call: () => warehouse.outboundCreate(order('OUT-1', 12)),
    expects: { body: { success: true, data: { orders_id: /^ow_OUT-1_/, idempotent: false } } },
  });
  await story.call({
    title: 'Query stock again',
    why: 'First expired, first out: all 10 units of the older lot are allocated, and 2 of the newer one.',
    call: () => warehouse.stockQuery(['TEA-1']),
    expects: { body: { data: { stock_details: [goods('2030-06-30', 10, 10), goods('2031-06-30', 20, 2)] } } },
    shown: stockInShort,
  });
  await story.call({
    title: 'Stock is never oversold',
    why: 'An order for more units than are available is rejected with a reason and changes nothing.',
    call: () => warehouse.outboundCreate(order('OUT-2', 100)),
    shownBody: orderInShort('OUT-2', 100),
    expects: { status: 400, body: { success: false, message: 'sku TEA-1 available=18 < requested=100' } },
    shown: () => undefined,
  });
  await story.call({
    title: 'A smaller order is accepted',
    why: 'A rejected order does not use up its number.',
    call: () => warehouse.outboundCreate(order('OUT-2', 5)),
    shownBody: orderInShort('OUT-2', 5),
    expects: { body: { success: true, data: { orders_id: /^ow_OUT-2_/, idempotent: false } } },
  });
  return created.data.orders_id;
}

async function playCancelsAndRepeats(story: Story, warehouse: WarehouseClient, ordersId: string): Promise<void> {
  await story.call({
    title: 'Announce a return',
    why: 'A return names the original order.',
    call: () =>
      warehouse.inboundReturn({
        inbound_short_id: 'RE-1',
        warehouse_tpw_id: uat.warehouseTpwId,
        outbound_short_id: 'OUT-1',
        details: [{ sku_id: 'TEA-1', expires: [{ expire_date: '2030-06-30', qty: 1 }] }],
      }),
    expects: { body: { success: true, data: { stock_in_sn: 'RE-1' } } },
  });
  await story.call({
    title: 'Cancel orders',
    why: 'One request, one result per order. The five units of OUT-2 are available again immediately.',
    call: () => warehouse.outboundCancel(['OUT-2', 'OUT-77']),
    expects: {
      body: {
        data: {
          results: [
            { outbound_short_id: 'OUT-2', status: 'cancelled' },
            { outbound_short_id: 'OUT-77', status: 'not_found' },
          ],
        },
      },
    },
  });
  await story.call({
    title: 'Cancel inbound documents',
    why: 'The return is cancelled. IN-1 is not, because some of its goods are allocated to an order.',
    call: () => warehouse.inboundCancel(['RE-1', 'IN-1']),
    expects: {
      body: {
        data: {
          results: [
            { stock_in_sn: 'RE-1', status: 'cancelled' },
            { stock_in_sn: 'IN-1', status: 'cannot_cancel_after_receiving' },
          ],
        },
      },
    },
  });
  await story.call({
    title: 'Repeat the order, as if its response had been lost',
    why: 'The number identifies the repeat: the original order is returned, and nothing is allocated twice.',
    call: () => warehouse.outboundCreate(order('OUT-1', 12)),
    shownBody: orderInShort('OUT-1', 12),
    expects: { body: { success: true, data: { orders_id: ordersId, idempotent: true } } },
  });
  await story.call({
    title: 'Repeat the inbound document',
    why: 'HTTP 400 with the code for a duplicate. This is not an error: the original was accepted.',
    call: () => warehouse.inboundCreate(inbound),
    shownBody: '{"inbound_short_id":"IN-1", … the same as before … }',
    expects: { status: 400, body: { success: false, code: /-2001$/, data: { stock_in_sn: 'IN-1' } } },
  });
}

async function playEndOfUat(story: Story, main: MainClient): Promise<void> {
  await story.call({
    title: 'Try to ship the order',
    why: 'Orders of a UAT account are never shipped, not even if a warehouse reports it through the main API.',
    call: () => main.fulfilmentAdvance([{ outbound_short_id: 'OUT-1', status: 'picking' }]),
    expects: { body: { retval: { results: [{ outbound_short_id: 'OUT-1', status: 'refused' }] } } },
  });
  await story.call({
    title: 'The order keeps its status',
    why: 'The order list of the main API shows it.',
    call: () => Array.fromAsync(main.searchOrders({ 'orders.outbound_short_id': 'OUT-1' })),
    expects: { body: { retval: { rows: [{ outbound_short_id: 'OUT-1', status: 'pending_warehouse_transfer' }] } } },
    shown: ({ rows: [{ orders_id, channel, status }] }) => ({ rows: [{ orders_id, channel, status }] }),
  });
}
