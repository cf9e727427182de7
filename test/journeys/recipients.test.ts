import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { ladingProgram } from '../../cli/lading.ts';
import { callbackDetail, callbackRedeliver } from '../../contract/console/callbacks.ts';
import type { ConsoleCall } from '../../contract/console/console-call.ts';
import { exportFile, exportLists } from '../../contract/console/exports.ts';
import { importsTemplate } from '../../contract/console/imports.ts';
import { orderDetail, orderForget, orderNoteAdd, orderViewRecipient } from '../../contract/console/orders.ts';
import { printOrders } from '../../contract/console/print.ts';
import { startReceiver } from '../callbacks/receiver.ts';
import { makeRunHere } from '../cli/run-here.ts';
import { startWarehouseSystem } from '../push/warehouse-system.ts';
import { startTestApp } from '../support/app.ts';
import { startTestBackground } from '../support/background.ts';
import { settingsFor } from '../support/command.ts';
import { actionsOf, provisionOperators, signIn } from '../support/console.ts';
import { beginCount } from '../support/counting.ts';
import { onCitus } from '../support/database.ts';
import { exported } from '../support/exports.ts';
import { live, provisionLive } from '../support/live.ts';
import { bring, form, formPath, item, orderPath, shippingOrder } from '../support/logistics.ts';
import { retvalOf } from '../support/main.ts';
import { claimed } from '../support/picking.ts';
import { assertAuditClean } from '../support/purge.ts';
import { orderBody, receive } from '../support/warehouse.ts';
import { until } from '../support/worker.ts';

// Every way in which details of a recipient could reach a person or a log. A new call of the console, a new command or a
// new table makes this test fail until somebody has decided about it.

const person = { name: '甄可辨', phone: '0987-654-321', address: '臺北市信義區祕密路九段88號7樓', zip: 'Z11077Q' };
const customer = '賈訂購';
const note = 'gate code PINKOTTER';
const label = { store: 'HUSHSTORE', receiver: { name: person.name, tel: '0987654321' }, pin: 'LBL-44871' };
const sender = { sender_name: '送貨員丙丁', sender_address: '花蓮縣隱密街5號' };

const needles = [
  ...[person.name, customer, '0987-654-321', '0987654321', '0987 654 321', '祕密路', person.zip],
  ...['PINKOTTER', 'HUSHSTORE', 'LBL-44871', '送貨員丙丁', '隱密街'],
];
const asciiOf = (text: string) =>
  text.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const forms = [...new Set(needles.flatMap((needle) => [needle, asciiOf(needle), encodeURIComponent(needle)]))];

function assertNobody(content: string, where: string): void {
  const found = forms.filter((needle) => content.includes(needle));
  assert.deepEqual(found, [], `${where}: ${content.slice(0, 2000)}`);
}

const app = await startTestApp({ env: { CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' } });
await provisionLive(app);
await provisionOperators(app);
const [admin, staff, viewer] = [await signIn(app, 'admin'), await signIn(app, 'staff'), await signIn(app, 'viewer')];
const { database } = app.store;
const here = makeRunHere({ ...settingsFor(app.store), LOG_LEVEL: 'trace' });

/** A receiver and a warehouse that repeat the recipient in their responses, each in its own way. */
const echoing = (body: string) => `cannot find ${person.name}, 0987 654 321, ${asciiOf(person.address)}: ${body}`;
const receiver = await startReceiver(({ body }) => ({ status: 422, body: echoing(body) }));
const system = await startWarehouseSystem(({ body: { orders }, text }) => ({
  status: 200,
  body: {
    results: orders.map(({ transfer_id }) => ({ transfer_id, accepted: false, reason: echoing(text) })),
  } as never,
}));
await app.provision({
  warehouses: [
    { warehouse_no: 2, name: 'Strict', connector: { type: 'http', url: system.url }, transfer_every_s: 86_400 },
  ],
  accounts: [
    {
      account_no: live.accountNo,
      tenants: [{ warehouse_tpw_id: 'TPW-STRICT', warehouse_no: 2, store_no: 10, receiving: 'on_create' }],
    },
  ],
});
const strict = { ...live, warehouseTpwId: 'TPW-STRICT' };
await receive(app, { TEA: [['2030-01-01', 100]] }, live);
await receive(app, { TEA: [['2030-01-01', 100]] }, strict);
await bring(app, [{ sku: 'LAMP', quantity: 10 }], live.apiKey);

const consignee = {
  ...{ consignee_name: person.name, consignee_phone: person.phone, consignee_address: person.address },
  consignee_zip: person.zip,
};
const direct = (number: string, caller = live) => ({ ...orderBody(number, [['TEA', 1]], caller), ...consignee });
const shipping = shippingOrder('P-LOGISTICS', [item('LAMP', 1)], {
  ...{ customer_name: customer, delivery_name: person.name, phone: person.phone, address: person.address },
  ...{ city: '臺北市', note, store_pickup_label_data: label, callback_url: receiver.url },
});
const traceIds: string[] = [];

async function plantOrders(): Promise<void> {
  const answers = [
    await app.callWarehouse('/outbound/create', direct('P-WAREHOUSE', strict), live),
    await app.callMain('/orders/create', direct('P-MAIN'), { as: live }),
    await app.callLogistics(orderPath, shipping, live),
    await app.callLogistics(
      formPath,
      form('P-RETURN', [{ sku: 'LAMP', quantity: 1 }], { form_type: 2, ...sender }),
      live,
    ),
  ];
  for (const { status, text, headers } of answers) {
    assert.equal(status, 200, text);
    traceIds.push(String(headers['trace-id']));
  }
}

/** Requests that are refused because of, or together with, the recipient. */
async function plantRefusals(): Promise<void> {
  const wrong = [
    { consignee_phone: { number: person.phone } },
    { consignee_name: person.name.repeat(200) },
    { consignee_address: `${person.address}\u0007` },
    { consignee_country: person.name },
    { logistics_type: person.phone },
    { [person.name]: person.phone, outbound_short_id: ` ${person.name}` },
    { details: [{ sku_id: 'TEA', qty: 1_000_000 }] },
    { details: [{ sku_id: 'NO-SUCH', qty: 1 }] },
  ];
  const bad = { accountNo: live.accountNo, secret: 'wrong' };
  const answers = [
    ...(await Promise.all(wrong.map((one) => app.callWarehouse('/outbound/create', { ...direct('W'), ...one }, live)))),
    ...(await Promise.all(
      wrong.map((one) => app.callMain('/orders/create', { ...direct('M'), ...one }, { as: live })),
    )),
    ...(await Promise.all(
      [
        { phone: { number: person.phone } },
        { customer_name: customer.repeat(20) },
        { delivery_name: `${person.name}\u0007` },
        { store_pickup_label_data: note },
        { callback_url: `http://${asciiOf(person.name)}` },
        { delivery_name: '別人' },
      ].map((one) => app.callLogistics(orderPath, { ...shipping, ...one }, live)),
    )),
    await app.callWarehouse('/outbound/create', direct('BAD-SIGN'), bad),
    await app.callWarehouse('/outbound/create', `{"consignee_name":"${person.name}","consignee_name":1}`, live),
    await app.callLogistics(orderPath, `{"phone":"${person.phone}`, live),
  ];
  for (const { status, headers } of answers) {
    assert.ok([400, 401, 409].includes(status), String(status));
    traceIds.push(String(headers['trace-id']));
  }
}

async function idOf(number: string): Promise<number> {
  const [row] = await database.read((sql) => sql`select order_id from orders where partner_number = ${number}`);
  return row!.order_id;
}

/** Another recipient for a while: then the history has both, as old and new values. */
async function plantChanges(): Promise<void> {
  const other = { consignee_name: '別的人', consignee_phone: '0911-222-333', consignee_address: '高雄市別處路1號' };
  const { consignee_zip: _, ...own } = consignee;
  for (const name of [{ outbound_short_id: 'P-MAIN' }, { internal_name: 'P-LOGISTICS' }]) {
    const calls = [
      ['update', { ...name, ...other }],
      ['hold', { ...name, reason: `ask ${person.name}, 0987654321` }],
      ['update', { ...name, ...own }],
      ['release', name],
    ] as const;
    for (const [call, entry] of calls) {
      const answer = await app.callMain(`/orders/${call}`, { orders: [entry] }, { as: live });
      assert.match(retvalOf(answer).results[0].status, /^(updated|held|released)$/);
      traceIds.push(String(answer.headers['trace-id']));
    }
  }
}

const backgroundLines = startTestBackground(app);
await plantOrders();
await plantChanges();
await plantRefusals();
const ids = {
  warehouse: await idOf('P-WAREHOUSE'),
  main: await idOf('P-MAIN'),
  logistics: await idOf('P-LOGISTICS'),
};
await admin.send('/system/push-now', { warehouse_no: 2 });
for (const order_id of Object.values(ids)) {
  const text = `Called ${person.name} at 0987654321, ${person.address}`;
  await staff.ask(orderNoteAdd, { order_id, text });
}
const shipped = { internal_name: 'P-LOGISTICS', status: 'shipped', shipment_no: 'S-1' };
retvalOf(await app.callMain('/fulfilment/advance', { orders: [shipped] }, { as: live }));
const attempted = async () =>
  (
    await database.read(
      (sql) =>
        sql`select from callback_attempt join callback using (account_id, callback_id) where document_no = 'P-LOGISTICS'`,
    )
  ).length;
await until('the receiver has answered', async () => (await attempted()) > 0);
await until('the warehouse has rejected', async () => {
  const [row] = await database.read((sql) => sql`select status from transfer where order_id = ${ids.warehouse}`);
  return row?.status === 'rejected';
});
const [callback] = await database.read(
  (sql) => sql`select callback_id, event_id from callback where document_no = 'P-LOGISTICS'`,
);
const { callback_id, event_id } = callback as unknown as { callback_id: number; event_id: string };
await app.requestLog.flush();

/** The calls that change something, with the reason why they are not walked: their responses have numbers and kinds only. */
const changing = [
  ...['accounts', 'tenants', 'clients', 'logistics-keys', 'warehouses', 'stores', 'operators'].flatMap((noun) => [
    `/${noun}/create`,
    `/${noun}/change`,
  ]),
  ...['/secrets/rotate', '/operators/reset-password', '/operators/change-own-password', '/orders/note-add'],
  ...['/session/sign-in', '/session/sign-out', '/sessions/end', '/views/save', '/views/delete'],
  ...['/orders/update', '/orders/hold', '/orders/release'],
  ...['/orders/ship', '/orders/advance', '/orders/cancel', '/orders/transfer-retry', '/orders/forget'],
  '/orders/resend-reason',
  '/callbacks/redeliver',
  '/callbacks/test',
  ...['/callbacks/redeliver-filtered', '/receivers/pause', '/receivers/resume', '/inbound/receive', '/inbound/stop'],
  ...['/inbound/cancel', '/inbound/note-add', '/stock/correct', '/stock/regrade', '/stock/move'],
  '/stock/block-expired',
  ...['/stock/audit-run', '/products/change', '/imports/run'],
  ...['create', 'change', 'delete', 'rotate-secret', 'test'].map((call) => `/alerts/${call}`),
  ...['/onboarding/connect', '/handover/issue', '/handover/revoke'],
  ...['create', 'enter', 'undo', 'recount', 'book', 'discard'].map((call) => `/counts/${call}`),
  ...['/picking/claim', '/picking/confirm', '/picking/short', '/picking/finish'],
  ...['/packing/scan', '/packing/empty', '/packing/ship', '/packing/undo'],
  ...['/stock/audit-repair', '/system/push-now', '/system/retry-rejected', '/operators/reset-totp'],
  ...['/session/sign-in-code', '/second-factor/begin', '/second-factor/confirm', '/second-factor/remove'],
];

async function readingBodies(): Promise<Record<string, object[]>> {
  const [row] = await database.read(
    (sql) => sql`
      select (select min(lot_id) from lot where sku_id = 'LAMP') as lot_id, (select min(product_id) from product where sku_id = 'LAMP') as product_id,
        (select inbound_id from inbound_document where partner_number = 'P-RETURN') as inbound_id`,
  );
  const { lot_id, product_id, inbound_id } = row!;
  const batch_id = await claimed(staff, [ids.main]);
  const { count_id } = await beginCount(app, staff, ['LAMP']);
  const printed = { order_ids: Object.values(ids), print_id: traceIds[0] };
  return {
    '/orders/detail': Object.values(ids).map((order_id) => ({ order_id })),
    // Labels and packing slips name the recipient; each print is in the audit log.
    '/print/orders': (['order_codes', 'return_slip'] as const).map((document) => ({ document, ...printed })),
    '/orders/next-steps': Object.values(ids).map((order_id) => ({ order_id })),
    '/print/pick-list': [printed],
    '/orders/scan': ['P-WAREHOUSE', 'P-MAIN', 'P-LOGISTICS', 'S-1'].map((number) => ({ number })),
    '/orders/search-by-recipient': [
      { by: 'phone', text: person.phone.replaceAll(/[^0-9]/g, '') },
      { by: 'name', text: person.name },
    ],
    '/callbacks/detail': [{ callback_id }],
    '/requests/detail': traceIds.map((trace_id) => ({ trace_id })),
    '/requests/search': [{}, { minutes: 60 }],
    '/search/find': ['P-MAIN', 'S-1', person.name, person.phone, '0987654321'].map((text) => ({ text })),
    '/inbound/detail': [{ inbound_id }],
    '/inbound/find-by-scan': [{ number: 'P-RETURN' }, { inbound_id, text: 'LAMP' }],
    '/picking/batch': [{ batch_id }],
    '/packing/open': ['P-WAREHOUSE', 'P-MAIN', 'P-LOGISTICS', 'S-1'].map((number) => ({ number })),
    '/counts/sheet': [{ count_id }],
    '/counts/find': [{ count_id, code: 'LAMP' }],
    '/counts/review': [{ count_id }],
    '/products/detail': [{ product_id }],
    '/imports/columns': [{ kind: 'products', titles: ['sku_id', 'code'] }],
    '/imports/check': [
      {
        kind: 'products',
        account_no: live.accountNo,
        titles: ['sku_id', 'code'],
        rows: [{ row: 2, cells: ['LAMP', 'LAMP-CODE'] }],
      },
    ],
    '/accounts/progress': [{ account_no: live.accountNo }],
    '/handover/links': [{ account_no: live.accountNo }],
    '/stock/by-sku': [{ product_id }],
    '/stock/lot': [{ lot_id }],
    '/accounts/detail': [{ account_no: live.accountNo }],
    '/views/list': [{ page: 'orders' }],
    '/system/purge-preview': [{ older_than_days: 0 }],
    '/stock/expiring': [{ within_days: 3650 }, {}],
  };
}

const isCall = (value: unknown): value is ConsoleCall =>
  typeof value === 'object' && value !== null && 'path' in value && 'body' in value;
const contractFolder = new URL('../../contract/console/', import.meta.url);

test('no call of the console shows a recipient to anybody, except those that the audit log records', async () => {
  const modules = await Promise.all(
    readdirSync(contractFolder).map((file) => import(new URL(file, contractFolder).href)),
  );
  const paths = modules.flatMap((module) => Object.values(module).filter(isCall)).map(({ path }) => path);
  const otherwise: string[] = [orderViewRecipient.path, exportFile.path, importsTemplate.path];
  const reading = paths.filter((path) => !changing.includes(path) && !otherwise.includes(path));
  assert.deepEqual(
    changing.filter((path) => !paths.includes(path)),
    [],
  );
  const bodies = await readingBodies();
  const statuses = new Map<string, number[]>();
  for (const path of reading) {
    for (const user of [admin, staff, viewer]) {
      for (const body of bodies[path] ?? [{}]) {
        const { status, json } = await user.send(path, body);
        if (user === admin) statuses.set(path, [...(statuses.get(path) ?? []), status]);
        const sent = JSON.stringify(body);
        const namesRecipient = sent.includes(person.name) || sent.includes('0987');
        if (path === '/search/find' && namesRecipient) assert.deepEqual(json, { hits: [], more: [], is_behind: false });
        else assertNobody(JSON.stringify(json), `${user.signedIn.role}: ${path}`);
      }
    }
  }
  assert.deepEqual(
    [...statuses].filter(([, given]) => !given.includes(200)),
    [],
    'each was answered at least once',
  );

  for (const list of exportLists.filter((name) => name !== 'movements')) {
    const { statusCode, payload } = await exported(app, admin, { list });
    assert.ok(statusCode === 200 && (list !== 'orders' || payload.includes('P-MAIN')), list);
    assertNobody(payload, `the export of ${list}`);
  }
  assert.deepEqual(await actionsOf(app, 'orders/view-recipient'), []);

  const order = await viewer.ask(orderDetail, { order_id: ids.logistics });
  assert.deepEqual(
    [order.recipient.name, order.recipient.phone, order.recipient.address, order.recipient.customer_name],
    ['甄○辨', '09xx-xxx-321', '臺北市信義區***', '賈○購'],
  );
  const notes = order.timeline.filter((entry) => entry.kind === 'note').map((entry) => entry.text);
  assert.deepEqual(notes, ['Called 甄○辨 at ***, 臺北市信義區***']);
  const sent = await staff.ask(callbackDetail, { callback_id });
  assert.equal(JSON.parse(sent.body).note, '***');
  assert.match(sent.attempt_list[0]!.response!, /^cannot find 甄○辨, 09xx-xxx-321, 臺北市信義區\*\*\*: \{"event_id"/);

  for (const order_id of Object.values(ids)) {
    const { recipient } = await staff.ask(orderViewRecipient, { order_id });
    assert.deepEqual([recipient.name, recipient.phone, recipient.address], [person.name, person.phone, person.address]);
  }
  assert.deepEqual(
    (await actionsOf(app, 'orders/view-recipient')).map(({ username, subject }) => [username, subject]),
    Object.values(ids).map((orderId) => ['packer', `order ${orderId}`]),
  );
});

test('a label shows the recipient to the operator who prints it, and the audit log records that', async () => {
  const label = { document: 'store_label' as const, order_ids: [ids.logistics], print_id: traceIds[0]! };
  const [printed] = (await staff.ask(printOrders, label)).printed;
  assert.deepEqual([printed!.recipient!.name, printed!.recipient!.phone], [person.name, person.phone]);
  const { username, subject, details } = (await actionsOf(app, 'print/orders')).at(-1)!;
  assert.deepEqual(
    [username, subject, details],
    ['packer', `order ${ids.logistics}`, { document: label.document, order_ids: [ids.logistics] }],
  );
});

test('the history of an order masks former recipients as it masks the current one', async () => {
  const order = await viewer.ask(orderDetail, { order_id: ids.logistics });
  const changes = order.timeline.flatMap((entry) => (entry.kind === 'change' ? [entry] : []));
  assert.deepEqual(
    changes.map(({ change, reason, fields }) => [change, reason, fields[0]]),
    [
      ['update', null, { field: 'name', old: '甄○辨', new: '別○人' }],
      ['hold', 'ask 甄○辨, ***', undefined],
      ['update', null, { field: 'name', old: '別○人', new: '甄○辨' }],
      ['release', null, undefined],
    ],
  );
});

/** Commands that read no documents, act as a partner, who may see its own data, or copy the whole database into files. */
const otherCommands = [
  ...['serve', 'apply', 'migrate', 'distribute', 'sign', 'call', 'demo', 'purge', 'token-key', 'reseal', 'products'],
  ...['export', 'import', 'backup', 'restore', 'completion', 'status'],
];

test('no command prints a recipient, unless it is asked to, which the audit log records', async () => {
  const partners = ['warehouse', 'store', 'account', 'tenant', 'client', 'key', 'operator'];
  const commands = [
    ...partners.map((noun) => `${noun} list`),
    ...['P-WAREHOUSE', 'P-MAIN', 'P-LOGISTICS'].map((number) => `order show ${number}`),
    ...['inbound show P-RETURN', 'callbacks list', `callbacks show ${event_id}`, 'transfer list', 'transfer schedule'],
    ...['stock list --account LIVE', 'stock movements --account LIVE --sku LAMP', 'stock expiring', 'audit'],
    ...traceIds.map((traceId) => `doctor ${traceId}`),
  ];
  const walked = new Set(commands.map((command) => command.split(' ')[0]!));
  const all = (await ladingProgram([])).commands.map((command) => command.name());
  assert.deepEqual(
    all.filter((name) => !walked.has(name) && !otherCommands.includes(name)),
    [],
  );
  for (const command of commands) {
    // The text and the JSON of a document are made by different code.
    const isDocument = /^(order|inbound|callbacks|transfer) /.test(command);
    for (const asked of isDocument ? [command, `${command} --json`] : [`${command} --json`]) {
      const { code, stdout, stderr } = await here.run(asked);
      assert.equal(code, 0, `${asked}: ${stderr}`);
      assertNobody(stdout + stderr, asked);
    }
  }
  const before = (await actionsOf(app, 'orders/view-recipient')).length;
  const { stdout } = await here.run('order show P-LOGISTICS --show-recipient');
  for (const shown of [person.name, person.phone, person.address, customer, note, 'LBL-44871'])
    assert.ok(stdout.includes(shown), shown);
  assert.equal((await actionsOf(app, 'orders/view-recipient')).length, before + 1);
});

test('no recipient is in the metrics or in a line of the log', async () => {
  for (const url of ['/metrics', '/health/ready', '/health/live'])
    assertNobody((await app.http.inject({ url })).payload, url);
  assert.ok(app.logLines.length > 0 && backgroundLines.length > 0);
  assertNobody(app.logLines.join(''), 'the log of the service');
  assertNobody(backgroundLines.join(''), 'the log of the background work');
});

async function tablesWithRecipients(): Promise<string[]> {
  const tables = await database.read(
    (sql) =>
      sql<
        { name: string }[]
      >`select format('%I', tablename) as name from pg_tables where schemaname = 'public' order by tablename`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await database.read((sql) => sql.unsafe<{ line: string }[]>(`select t::text as line from ${name} t`));
    if (rows.some(({ line }) => forms.some((needle) => line.includes(needle)))) found.push(name);
  }
  return found;
}

const skip = onCitus && 'not on Citus';

test('recipients are stored in six tables only, senders of forms in one', { skip }, async () => {
  const holding = ['callback', 'callback_attempt', 'document_note', 'order_change', 'orders', 'shipping_order'];
  assert.deepEqual(await tablesWithRecipients(), [...holding, 'inbound_form'].toSorted());
});

test('a partner reads its own recipients from the API as it sent them', async () => {
  const answer = await app.callMain(
    '/getOrdersData/searchList',
    { 'orders.internal_name': 'P-LOGISTICS' },
    { as: live },
  );
  const [row] = retvalOf<{ rows: Record<string, unknown>[] }>(answer).rows;
  const { consignee_name, consignee_phone, consignee_address, recipient_erased_at } = row!;
  assert.deepEqual(
    [consignee_name, consignee_phone, consignee_address, recipient_erased_at],
    [person.name, person.phone, person.address, null],
  );
});

test('after all orders are erased no table has a recipient; numbers, states and books stay, and repeats are repeats', {
  skip,
}, async () => {
  await app.callMain('/orders/cancel', { outbound_short_ids: ['P-WAREHOUSE', 'P-MAIN'] }, { as: live });
  assert.equal((await admin.ask(orderForget, { order_id: ids.logistics })).kind, 'callbacks_pending');
  receiver.behave(({ body }) => ({ status: 200, body: echoing(body) }));
  await staff.ask(callbackRedeliver, { callback_ids: [callback_id] });
  await until('the callback is delivered', async () => {
    const [row] = await database.read((sql) => sql`select status from callback where callback_id = ${callback_id}`);
    return row!.status === 'delivered';
  });
  for (const order_id of Object.values(ids))
    assert.deepEqual(await admin.ask(orderForget, { order_id }), { kind: 'erased' });

  assert.deepEqual(await tablesWithRecipients(), ['inbound_form']);
  await assertAuditClean(app);
  const repeats = [
    await app.callWarehouse('/outbound/create', direct('P-WAREHOUSE', strict), live),
    await app.callMain('/orders/create', direct('P-MAIN'), { as: live }),
    await app.callLogistics(orderPath, shipping, live),
  ];
  assert.deepEqual(
    repeats.map(({ status, json }) => [
      status,
      (json.data ?? json.retval).idempotent,
      (json.data ?? json.retval).payload_differs,
    ]),
    [
      [200, true, undefined],
      [200, true, undefined],
      [200, true, undefined],
    ],
  );
  const other = { ...direct('P-WAREHOUSE', strict), consignee_name: '別人' };
  assert.equal((await app.callWarehouse('/outbound/create', other, live)).json.data.payload_differs, true);
  assert.equal((await app.callLogistics(orderPath, { ...shipping, delivery_name: '別人' }, live)).status, 409);
  assert.deepEqual(await tablesWithRecipients(), ['inbound_form'], 'a repeat stores nothing');

  const again = await staff.ask(callbackRedeliver, { callback_ids: [callback_id] });
  assert.deepEqual(again, { kind: 'redelivered', count: 0, held: 0, behind: 0, erased: 1 });
  const order = await admin.ask(orderDetail, { order_id: ids.logistics });
  assert.deepEqual(
    [order.status, order.shipment_no, order.has_recipient, order.can.forget],
    ['shipped', 'S-1', false, false],
  );
  assert.match(order.recipient_erased_at!, /^\d{4}-\d\d-\d\dT/);
  assert.deepEqual(
    order.timeline.flatMap((entry) => (entry.kind === 'note' ? [entry.text] : [])),
    [''],
  );
  assert.deepEqual(
    order.timeline.flatMap((entry) => (entry.kind === 'change' ? [[entry.change, entry.is_erased, entry.reason]] : [])),
    [
      ['update', true, null],
      ['hold', false, null],
      ['update', true, null],
      ['release', false, null],
    ],
  );
});
