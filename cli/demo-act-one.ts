import { MainClient, type OutboundCreateBody, type ProductSyncBody, type StockDetail, WarehouseClient } from '../sdk/client.ts';
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
const orderInShort = (number: string, qty: number) => `{"outbound_short_id":"${number}", … "details":[{"sku_id":"TEA-1","qty":${qty}}]}`;
const goods = (expire_date: string, qty: number, qty_lock: number) => ({
  stock_type: 'good',
  expire_date,
  qty,
  qty_lock,
  qty_available: qty - qty_lock,
});

function stockInShort({ stock_details }: { stock_details: StockDetail[] }): object {
  return {
    stock_details: stock_details.map(({ expire_date, qty, qty_lock, qty_available }) => ({ expire_date, qty, qty_lock, qty_available })),
  };
}

/** The recommended call order of the warehouse API, on an account for trying things out. */
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

  await story.call({
    title: 'A product becomes known',
    why: 'A product must be known before anything can be done with it. The same again is an update.',
    call: () => warehouse.productSync(tea),
    expects: { body: { success: true, data: { success: true } } },
  });
  await story.call({
    title: 'Goods come in',
    why: 'Thirty units on two expiry dates. In UAT they are on hand at once.',
    call: () => warehouse.inboundCreate(inbound),
    expects: { body: { success: true, data: { stock_in_no: /^si_/, stock_in_sn: 'IN-1' } } },
  });
  await story.call({
    title: 'What is there?',
    why: 'Stock by product, expiry and batch: on hand, locked by orders, free to sell.',
    call: () => warehouse.stockQuery(['TEA-1']),
    expects: { body: { data: { stock_details: [goods('2030-06-30', 10, 0), goods('2031-06-30', 20, 0)] } } },
    shown: stockInShort,
  });
  const created = await story.call({
    title: 'An order comes in',
    why: 'Twelve units for a customer. They are locked in the same instant, so nobody else can buy them.',
    call: () => warehouse.outboundCreate(order('OUT-1', 12)),
    expects: { body: { success: true, data: { orders_id: /^ow_OUT-1_/, idempotent: false } } },
  });
  await story.call({
    title: 'What is there now?',
    why: 'What expires first goes first: all 10 of the older lot are locked, and 2 of the younger one.',
    call: () => warehouse.stockQuery(['TEA-1']),
    expects: { body: { data: { stock_details: [goods('2030-06-30', 10, 10), goods('2031-06-30', 20, 2)] } } },
    shown: stockInShort,
  });
  await story.call({
    title: 'Nobody sells what is not there',
    why: 'An order of more than is free is refused as a whole, says why, and changes nothing.',
    call: () => warehouse.outboundCreate(order('OUT-2', 100)),
    shownBody: orderInShort('OUT-2', 100),
    expects: { status: 400, body: { success: false, message: 'sku TEA-1 available=18 < requested=100' } },
    shown: () => undefined,
  });
  await story.call({
    title: 'A smaller one is accepted',
    why: 'The number of an order that was refused is still free.',
    call: () => warehouse.outboundCreate(order('OUT-2', 5)),
    shownBody: orderInShort('OUT-2', 5),
    expects: { body: { success: true, data: { orders_id: /^ow_OUT-2_/, idempotent: false } } },
  });
  await story.call({
    title: 'A customer sends something back',
    why: 'A return names the order that it belongs to.',
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
    title: 'Orders are cancelled',
    why: 'A batch, with a result for each. The five units of OUT-2 are free again at once.',
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
    title: 'Inbound documents too',
    why: 'The return is taken back. The goods of IN-1 are not: an order has locked some of them.',
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
    title: 'The same order again: its answer was lost on the way, say',
    why: 'The number makes it a repeat: the original is answered, and nothing is locked twice.',
    call: () => warehouse.outboundCreate(order('OUT-1', 12)),
    shownBody: orderInShort('OUT-1', 12),
    expects: { body: { success: true, data: { orders_id: created.data.orders_id, idempotent: true } } },
  });
  await story.call({
    title: 'The same inbound document again',
    why: 'HTTP 400 with the code for "I have this one already": not an error, the original was accepted.',
    call: () => warehouse.inboundCreate(inbound),
    shownBody: '{"inbound_short_id":"IN-1", … the same as before … }',
    expects: { status: 400, body: { success: false, code: /-2001$/, data: { stock_in_sn: 'IN-1' } } },
  });
  const checkValue = secretOf('check_value', uat.clientId);
  await playEndOfUat(story, new MainClient({ ...wire.to(url), clientId: uat.clientId, checkValue }));
}

async function playEndOfUat(story: Story, main: MainClient): Promise<void> {
  await story.call({
    title: 'Can somebody ship it all the same?',
    why: 'No door leads further in UAT, not even the main API, through which warehouses report.',
    call: () => main.fulfilmentAdvance([{ outbound_short_id: 'OUT-1', status: 'picking' }]),
    expects: { body: { retval: { results: [{ outbound_short_id: 'OUT-1', status: 'refused' }] } } },
  });
  await story.call({
    title: 'So the order stays where it is',
    why: 'Looked up in the list of orders of the main API.',
    call: () => Array.fromAsync(main.searchOrders({ 'orders.outbound_short_id': 'OUT-1' })),
    expects: { body: { retval: { rows: [{ outbound_short_id: 'OUT-1', status: 'pending_warehouse_transfer' }] } } },
    shown: ({ rows: [{ orders_id, channel, status }] }) => ({ rows: [{ orders_id, channel, status }] }),
  });
}
