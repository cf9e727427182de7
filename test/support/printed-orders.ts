import type { TestApp } from './app.ts';
import { live, provisionLive } from './live.ts';
import { bring, item, ship } from './logistics.ts';
import { retvalOf } from './main.ts';
import { dataOf, order, orderBody, orderRow, receive } from './warehouse.ts';

const person = {
  consignee_name: '林美華',
  consignee_phone: '0912-345-678',
  consignee_address: '臺北市信義區松仁路 100 號 12 樓之 3',
  consignee_zip: '110',
};

/** Data for a label as three chains use it, with fields that nobody knows. */
export const storeLabel = {
  store_id: '991182',
  store_name: '鑫台大門市',
  barcode: 'F0012345678901',
  qr_code: 'B1||991182||F0012345678901',
  route: { area: 'N3', stop: 17 },
  pickup_deadline: '2026-11-25',
};

/** Orders with everything that print-outs show: lots, locations, temperatures, parcels, a pickup store. Their ids. */
export async function prepareOrders(app: TestApp) {
  await provisionLive(app);
  const stock = {
    TEA: [
      ['2030-01-01', 3],
      ['2031-01-01', 100],
    ],
    CUP: [[null, 100]],
    ICE: [['2027-03-01', 40]],
  };
  await receive(app, stock as never, live);
  const sync = { sku_id: 'ICE', sku_name: '手工芒果冰淇淋（家庭號）', storage_type: 3 };
  dataOf(await app.callWarehouse('/product/sync', sync, live));
  const at = (sku_id: string, location: string) => ({ sku_id, locations: [{ warehouse_no: 1, location }] });
  const products = [at('TEA', 'A-10-02'), at('CUP', 'A-2-11')];
  retvalOf(await app.callMain('/products/update', { products }, { as: live }));
  await ordered(app, 'PRINT-1', [
    ['TEA', 5],
    ['CUP', 2],
  ]);
  await ordered(app, 'PRINT-2', [
    ['TEA', 1],
    ['ICE', 4],
  ]);
  await ordered(app, 'PRINT-SENT', [
    ['CUP', 1],
    ['TEA', 2],
  ]);
  const parcels = [
    { shipment_no: '9012345678901', carrier: '黑貓宅急便', items: [{ sku_id: 'CUP', qty: 1 }] },
    { shipment_no: '9012345678912', carrier: '黑貓宅急便', items: [{ sku_id: 'TEA', qty: 2 }] },
  ];
  const sent = { outbound_short_id: 'PRINT-SENT', status: 'shipped', parcels };
  retvalOf(await app.callMain('/fulfilment/advance', { orders: [sent] }, { as: live }));
  await bring(app, [{ sku: 'LAMP', quantity: 50 }], live.apiKey);
  const other = {
    delivery_name: '陳大文',
    phone: '0987654321',
    note: '易碎，請輕放',
    store_pickup_label_data: storeLabel,
  };
  await ship(app, 'PRINT-STORE', [item('LAMP', 2, { name: '桌燈' })], other, live.apiKey);
  await receive(app, { TEA: [['2030-01-01', 10]] });
  await ordered(app, '訂單七', [['CUP', 1]]);
  await order(app, 'PRINT-UAT', [['TEA', 1]]);
  const idOf = async (number: string) => Number((await orderRow(app, number))!.order_id);
  return {
    one: await idOf('PRINT-1'),
    two: await idOf('PRINT-2'),
    sent: await idOf('PRINT-SENT'),
    store: await idOf('PRINT-STORE'),
    uat: await idOf('PRINT-UAT'),
    chinese: await idOf('訂單七'),
  };
}

export async function ordered(app: TestApp, number: string, lines: [sku: string, qty: number][]): Promise<void> {
  dataOf(await app.callWarehouse('/outbound/create', { ...orderBody(number, lines, live), ...person }, live));
}
