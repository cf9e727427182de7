import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupHits, recipientTermOf } from '../../console/shell/search-hits.ts';
import { operatorsChange } from '../../contract/console/operators.ts';
import { orderSearchByRecipient, orderViewRecipient } from '../../contract/console/orders.ts';
import { searchFind } from '../../contract/console/search.ts';
import { fillSearch } from '../../server/domain/search/fill-search.ts';
import { alpha, beta } from '../support/app.ts';
import { clientsOf } from '../support/clients.ts';
import { actionsOf, startConsole } from '../support/console.ts';
import { live, provisionLive } from '../support/live.ts';
import { bring, form, formPath, item, ship, take } from '../support/logistics.ts';
import { letTimePass, purge } from '../support/purge.ts';
import { createInbound, order, receive } from '../support/warehouse.ts';

const { app, database, service, admin, staff, viewer } = await startConsole();
await provisionLive(app);
const { warehouse } = await clientsOf(app, live);
const nameProduct = (sku_id: string, sku_name: string) => warehouse.productSync({ sku_id, sku_name, storage_type: 1 });
await receive(app, { 'GT-500-XL': [['2030-01-01', 90]], 'CUP-7': [['2030-01-01', 90]] }, live);
await nameProduct('GT-500-XL', '高山烏龍茶 500g');
await nameProduct('CUP-7', 'Ceramic Cup');
await order(app, 'SO20261118-000123', [['GT-500-XL', 3]], live);
await order(app, 'SO20261118-000124', [['GT-500-XL', 1]], live);
await bring(app, [{ sku: 'CUP-7', quantity: 5 }], live.apiKey);
const person = { delivery_name: '王小明', phone: '0912-345-678', customer_name: '王小明' };
await ship(app, 'WEB-77001', [item('CUP-7', 1)], { name: '#Shop-1001', ...person }, live.apiKey);
await ship(app, 'WEB-77002', [item('CUP-7', 1)], { ...person, phone: '+886 912 345 678' }, live.apiKey);
await createInbound(app, 'PO-4477-AB', { 'GT-500-XL': [['2030-01-01', 5]] }, live);
await take(app, formPath, form('RMA-9921-Z', [{ sku: 'CUP-7', quantity: 1 }], { form_type: 2 }), live.apiKey);
const { main } = await clientsOf(app, live);
const parcels = ['907212340001', '907212340002', '555566667777'].map((shipment_no) => ({
  shipment_no,
  items: [{ sku_id: 'GT-500-XL', qty: 1 }],
}));
await main.fulfilmentAdvance([{ outbound_short_id: 'SO20261118-000123', status: 'shipped', parcels }]);

async function find(text: string, user = viewer): Promise<string[]> {
  const { hits } = await user.ask(searchFind, { text });
  return hits.map(({ kind, title, is_exact }) => `${kind} ${title}${is_exact ? ' !' : ''}`);
}

const fill = () => fillSearch(service, { youngestSeconds: 0, restRatio: 0, batchMax: 2 });

/** Every kind of text, and what it finds. */
const searches: [text: string, found: string[]][] = [
  ['SO20261118-000123', ['order SO20261118-000123 !']],
  ['so20261118-000123', ['order SO20261118-000123 !']],
  ['1118-00012', ['order SO20261118-000124', 'order SO20261118-000123']],
  ['0124', ['order SO20261118-000124']],
  ['ＳＯ２０２６１１１８', ['order SO20261118-000124', 'order SO20261118-000123']],
  ['7001', ['order WEB-77001']],
  ['shop-1001', ['order WEB-77001']],
  ['#Shop-1001', ['order WEB-77001 !']],
  ['2340', ['shipment 907212340001']],
  ['907212340002', ['shipment 907212340002 !']],
  ['340002', ['shipment 907212340002']],
  ['6666', ['shipment 555566667777']],
  ['4477', ['inbound PO-4477-AB']],
  ['-9921-', ['return RMA-9921-Z']],
  ['500-x', ['sku GT-500-XL']],
  ['烏龍', ['sku GT-500-XL']],
  ['茶', ['sku GT-500-XL']],
  ['MIC CU', ['sku CUP-7']],
  ['123', []],
  ['x', []],
  ['SO20261118-0001234', []],
];

test('any part of a number or a product name is found before the job has run, and the same afterwards', async () => {
  for (const [text, found] of searches) assert.deepEqual(await find(text), found, `${text}, before`);
  await fill();
  for (const [text, found] of searches) assert.deepEqual(await find(text), found, `${text}, after`);

  await database.transaction((tx) => tx`delete from search_part`);
  assert.deepEqual(await find('1118-00012'), [], 'nothing is read directly any more');
  await database.transaction((tx) => tx`delete from search_progress`);
  await fill();
  assert.deepEqual((await find('1118-00012')).length, 2);
});

test('a parcel that leaves and a product that is renamed are found by their new texts, also after the job has run', async () => {
  await order(app, 'LATER-1', [['CUP-7', 1]], live);
  await fill();
  await main.fulfilmentAdvance([{ outbound_short_id: 'LATER-1', status: 'shipped', shipment_no: '440088' }]);
  await nameProduct('CUP-7', 'Porcelain Mug');
  for (const state of ['before', 'after']) {
    assert.deepEqual(await find('4008'), ['shipment 440088'], state);
    assert.deepEqual(await find('lain mu'), ['sku CUP-7'], state);
    assert.deepEqual(await find('ceramic'), [], state);
    await fill();
  }
  const series = 'Limited porcelain collection of the lake, ';
  await nameProduct('CUP-7', `${series}blue`);
  await fill();
  await nameProduct('CUP-7', `${series}crimson`);
  await fill();
  assert.deepEqual(await find('crimson'), ['sku CUP-7']);
  assert.deepEqual(await find(`${series}crimson`), ['sku CUP-7']);
  assert.deepEqual(await find('e, blue'), []);
  await nameProduct('CUP-7', 'Ceramic Cup');
});

test('a document has its status, account and time; too many of a kind are cut, and the answer says so', async () => {
  const { hits } = await viewer.ask(searchFind, { text: '907212340001' });
  const [{ path, created_at, ...hit }] = hits as [(typeof hits)[0]];
  assert.deepEqual(hit, {
    kind: 'shipment',
    title: '907212340001',
    subtitle: 'LIVE · SO20261118-000123',
    is_exact: true,
    order_status: 'shipped',
  });
  assert.match(path, /^\/orders\/\d+$/);
  assert.match(created_at!, /^\d{4}-\d\d-\d\dT.*\+08:00$/);

  for (let n = 10; n < 20; n++) await order(app, `MANY-PARTS-${n}`, [['CUP-7', 1]], live);
  await order(app, 'PARTS', [['CUP-7', 1]], live);
  const found = await viewer.ask(searchFind, { text: 'PARTS' });
  assert.deepEqual(found.more, ['order']);
  assert.deepEqual(
    found.hits.map(({ title }) => title),
    ['PARTS', ...[19, 18, 17, 16, 15, 14, 13].map((n) => `MANY-PARTS-${n}`)],
  );
});

test('the same part is found in every account, and other accounts than those of a statement stay unseen', async () => {
  for (const caller of [alpha, beta]) {
    await receive(app, { TEA: [['2030-01-01', 5]] }, caller);
    await order(app, 'BOTH-31337', [['TEA', 1]], caller);
  }
  const accounts = async () =>
    (await viewer.ask(searchFind, { text: '31337' })).hits.map(({ subtitle }) => subtitle.split(' ')[0]).toSorted();
  assert.deepEqual(await accounts(), ['ALPHA', 'BETA']);
  await fill();
  assert.deepEqual(await accounts(), ['ALPHA', 'BETA']);
});

test('operators who are restricted to a warehouse find only its documents by a part', async () => {
  await app.provision({ warehouses: [{ warehouse_no: 2, name: '高雄倉', connector: { type: 'manual' } }] });
  const restrict = (warehouse_nos: number[]) => admin.ask(operatorsChange, { username: 'packer', warehouse_nos });
  await restrict([2]);
  for (const text of ['1118-00012', '2340', '4477']) assert.deepEqual(await find(text, staff), [], text);
  await restrict([1]);
  assert.deepEqual(await find('1118-00012', staff), ['order SO20261118-000124', 'order SO20261118-000123']);
  await restrict([]);
});

test('recipients are found by phone, its last four digits or name, masked; search and show are in the audit log', async () => {
  for (const text of ['王小明', '0912345678', '5678', '345678']) assert.deepEqual(await find(text), [], text);
  const byRecipient = async (by: 'phone' | 'name', text: string) =>
    (await staff.ask(orderSearchByRecipient, { by, text })).rows;
  const whole = await byRecipient('phone', '0912345678');
  assert.deepEqual(
    whole.map(({ partner_number, recipient_name, recipient_phone }) => [
      partner_number,
      recipient_name,
      recipient_phone,
    ]),
    [
      ['WEB-77002', '王○明', '09xx-xxx-678'],
      ['WEB-77001', '王○明', '09xx-xxx-678'],
    ],
  );
  assert.deepEqual(await byRecipient('phone', '886912345678'), whole);
  assert.deepEqual(await byRecipient('phone', '5678'), whole);
  assert.equal((await byRecipient('name', '王小')).length, 2);
  const viewed = await staff.ask(orderViewRecipient, { order_id: whole[0]!.order_id });
  assert.equal(viewed.recipient.name, '王小明');
  assert.deepEqual(
    (await actionsOf(app, 'orders/search-by-recipient')).map(({ username, details }) => [username, details]),
    ['phone', 'phone', 'phone', 'name'].map((by) => ['packer', { filters: [by] }]),
  );
  assert.deepEqual(
    (await actionsOf(app, 'orders/view-recipient')).map(({ subject }) => subject),
    [`order ${whole[0]!.order_id}`],
  );
});

test('the table of parts has nothing about recipients', async () => {
  const rows = await database.read((sql) => sql<{ part: string }[]>`select part from search_part`);
  assert.ok(rows.length > 100);
  const personal = /王|小明|0912|345-678|345678/;
  assert.deepEqual(
    rows.filter(({ part }) => personal.test(part)),
    [],
  );
});

test('a purge removes the parts of the documents that it deletes, and no others', async () => {
  await receive(app, { TEA: [['2030-01-01', 5]] });
  await order(app, 'OLD-PURGED-1', [['TEA', 1]]);
  await fill();
  await letTimePass(app, 400);
  await order(app, 'OLD-PURGED-2', [['TEA', 1]]);
  await fill();
  const partsOf = async (accountNo: string) => {
    const rows = await database.read(
      (sql) => sql`select kind || ' ' || part as part from search_part join account using (account_id)
        where account_no = ${accountNo} and kind <> 'p' order by 1`,
    );
    return rows.map(({ part }) => part as string);
  };
  const production = await partsOf('LIVE');
  await purge(app);
  assert.deepEqual(
    await partsOf('ALPHA'),
    [...'old-purged-2']
      .slice(3)
      .map((_, start) => `o ${'old-purged-2'.slice(start)}`)
      .toSorted(),
  );
  assert.deepEqual(await partsOf('LIVE'), production);
  assert.deepEqual(await find('PURGED'), ['order OLD-PURGED-2']);
});

test('a text may mean a recipient if it is four digits, a whole phone number or a name', () => {
  const phone = (text: string, isLikely = true) => ({ by: 'phone', text, isLikely });
  assert.deepEqual(recipientTermOf('5678'), phone('5678'));
  assert.deepEqual(recipientTermOf('0912-345 678'), phone('0912345678'));
  assert.deepEqual(recipientTermOf('+886 912 345 678'), phone('886912345678'));
  assert.deepEqual(recipientTermOf('907212340001'), phone('907212340001', false));
  assert.deepEqual(recipientTermOf('王小'), { by: 'name', text: '王小', isLikely: false });
  for (const text of ['567', '56789', 'SO-1', '王', '']) assert.equal(recipientTermOf(text), null, text);
});

test('the kinds with the very number come first, then a likely recipient', () => {
  const hit = (kind: 'order' | 'shipment', is_exact: boolean) => ({
    kind,
    title: '',
    subtitle: '',
    path: kind,
    is_exact,
  });
  const groupsOf = (isExact: boolean) =>
    groupHits({ hits: [hit('order', false), hit('shipment', isExact)], more: [] }, recipientTermOf('5678'), []).map(
      ({ kind }) => kind,
    );
  assert.deepEqual(groupsOf(true), ['shipment', 'recipient', 'order']);
  assert.deepEqual(groupsOf(false), ['recipient', 'order', 'shipment']);
});
