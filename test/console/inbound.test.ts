import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type InboundDetail,
  inboundCancel,
  inboundDetail,
  inboundFindByScan,
  inboundNoteAdd,
  inboundReceive,
  inboundSearch,
  inboundStop,
} from '../../contract/console/inbound.ts';
import { clientsOf } from '../support/clients.ts';
import { actionsOf, allRows, column, columns, startConsole } from '../support/console.ts';
import { owedFor, unchanged } from '../support/logistics.ts';
import {
  announce,
  announceForm,
  expiry,
  prod,
  prodTenth,
  provisionReceiving,
  receiveCall,
  receiveUnits,
  units,
} from '../support/receiving.ts';
import {
  createInbound,
  dataOf,
  goodRow,
  inboundBody,
  order,
  receive,
  stockOf,
  syncProducts,
} from '../support/warehouse.ts';

const { app, admin, staff, viewer } = await startConsole();
await provisionReceiving(app);

async function idOf(number: string): Promise<number> {
  const { rows } = await viewer.ask(inboundSearch, { number });
  assert.equal(rows.length, 1, number);
  return rows[0]!.inbound_id;
}

const detailOf = (inbound_id: number): Promise<InboundDetail> => viewer.ask(inboundDetail, { inbound_id });
const counts = (detail: InboundDetail) =>
  columns([detail], 'announced_units', 'arrived_good_units', 'arrived_bad_units', 'missing_units')[0];
const arrived = (
  sku_id: string,
  good: number,
  bad = 0,
  other: { batch_id?: string; expire_date?: string | null } = {},
) => ({ sku_id, batch_id: '', expire_date: expiry, good, bad, ...other });

/** The audit log entries of an action on this document. */
async function actionsOn(inboundId: number, action: string) {
  const actions = await actionsOf(app, action);
  return actions.filter(({ subject }) => subject === `inbound ${inboundId}`);
}

test('the list shows documents of all accounts with what was announced and has arrived; each filter leaves those that fit', async () => {
  await announce(app, 'LIST-1', { 'LIST-TEA': 10, 'LIST-CUP': 5 });
  await announceForm(app, 'LIST-2', { 'LIST-POT': 3 });
  await receiveUnits(app, { inbound_short_id: 'LIST-1' }, [
    units('LIST-TEA', 4),
    units('LIST-TEA', 1, { stock_type: 'bad' }),
  ]);
  await syncProducts(app, ['LIST-ALPHA']);
  await createInbound(app, 'LIST-3', { 'LIST-ALPHA': [[expiry, 7]] });
  await announce(app, 'LIST-4', { 'LIST-TEA': 2 }, { original: 'LIST-ORDER' });
  const numbers = async (body: object) => column((await viewer.ask(inboundSearch, body)).rows, 'partner_number');

  const { rows } = await viewer.ask(inboundSearch, { number: 'LIST-1' });
  const { inbound_id, document_no, created_at, updated_at, ...row } = rows[0]!;
  assert.ok(inbound_id > 0 && document_no.startsWith('si_') && created_at < updated_at);
  assert.match(created_at, /\+08:00$/);
  assert.deepEqual(row, {
    account_no: 'PROD',
    channel: 'warehouse',
    kind: 'inbound',
    partner_number: 'LIST-1',
    status: 'receiving',
    warehouse_no: 1,
    store_no: 10,
    original_order_number: null,
    can_cancel: false,
    order: null,
    estimated_arrival_at: null,
    line_count: 2,
    announced_units: 15,
    arrived_units: 5,
    arrived_bad_units: 1,
  });

  assert.deepEqual(columns((await viewer.ask(inboundSearch, {})).rows, 'partner_number', 'can_cancel'), [
    ['LIST-4', true],
    // ALPHA receives on creation, and nothing has left.
    ['LIST-3', true],
    ['LIST-2', true],
    ['LIST-1', false],
  ]);
  assert.deepEqual(await numbers({ accounts: ['ALPHA'] }), ['LIST-3']);
  assert.deepEqual(await numbers({ status: ['received', 'receiving'] }), ['LIST-3', 'LIST-1']);
  assert.deepEqual(await numbers({ kind: ['return'] }), ['LIST-4']);
  assert.deepEqual(await numbers({ channel: ['logistics'] }), ['LIST-2']);
  assert.deepEqual(await numbers({ warehouse_no: [1], status: ['expected'], accounts: ['PROD'] }), [
    'LIST-4',
    'LIST-2',
  ]);
  assert.deepEqual(await numbers({ warehouse_no: [2] }), []);
  assert.deepEqual(await numbers({ number: document_no }), ['LIST-1']);
  assert.deepEqual(await numbers({ number: 'LIST' }), []);
  assert.equal((await numbers({ sort: 'updated', accounts: ['PROD'] })).length, 3);
  const today = created_at.slice(0, 10);
  assert.deepEqual(await numbers({ created_from: today, created_to: today, kind: ['inbound'] }), [
    'LIST-3',
    'LIST-2',
    'LIST-1',
  ]);
});

test('the list is read page by page; days without documents have none, and an unknown account is refused', async () => {
  for (const days of [{ created_to: '2020-01-01' }, { updated_from: '2099-01-01' }])
    assert.deepEqual((await viewer.ask(inboundSearch, days)).rows, []);
  const paged = column(await allRows(viewer, inboundSearch, { page_size: 2 }), 'partner_number');
  assert.deepEqual(paged, ['LIST-4', 'LIST-3', 'LIST-2', 'LIST-1']);
  assert.equal((await viewer.send('/inbound/search', { accounts: ['NOBODY'] })).status, 400);
});

test('what is to arrive on a day is found by that day, the next to come first', async () => {
  await syncProducts(app, ['ETA-TEA'], prod);
  for (const [number, at] of Object.entries({
    'ETA-B': '2031-03-02T23:30:00+08:00',
    'ETA-A': '2031-03-02T00:00:00+08:00',
    'ETA-C': '2031-03-03T00:00:00+08:00',
  })) {
    const body = {
      ...inboundBody(number, { 'ETA-TEA': [[expiry, 1]] }, prod),
      estimated_arrival_time: Date.parse(at),
    };
    dataOf(await app.callWarehouse('/inbound/create', body, prod));
  }
  const found = async (body: object) => column((await viewer.ask(inboundSearch, body)).rows, 'partner_number');
  assert.deepEqual(await found({ arrival_from: '2031-03-02', arrival_to: '2031-03-02' }), ['ETA-A', 'ETA-B']);
  assert.deepEqual(await found({ arrival_from: '2031-03-02', page_size: 200 }), ['ETA-A', 'ETA-B', 'ETA-C']);
  assert.deepEqual(await found({ sort: 'arrival', status: ['expected'] }), ['ETA-A', 'ETA-B', 'ETA-C']);
});

test('a document in full: lines with good, bad and missing, what may still come, lots, receipts and what happened', async () => {
  await announce(app, 'FULL-1', { 'FULL-TEA': 10, 'FULL-CUP': 5 }, { caller: prodTenth });
  await receiveUnits(
    app,
    { inbound_short_id: 'FULL-1' },
    [units('FULL-TEA', 6), units('FULL-TEA', 1, { stock_type: 'bad' })],
    { receipt_no: 'R-1' },
  );
  const inbound_id = await idOf('FULL-1');
  await staff.ask(inboundReceive, {
    inbound_id,
    lines: [arrived('FULL-CUP', 2, 0, { batch_id: 'L-7', expire_date: null })],
  });
  await staff.ask(inboundNoteAdd, { inbound_id, text: ' 兩箱外盒破損 \n second line' });

  const detail = await detailOf(inbound_id);
  assert.deepEqual(counts(detail), [15, 8, 1, 6]);
  const facts = {
    account_no: 'PROD',
    environment: 'production',
    channel: 'warehouse',
    kind: 'inbound',
    status: 'receiving',
    partner_number: 'FULL-1',
    warehouse_name: 'Taoyuan',
    store_name: 'Upload test',
    receiving: 'on_confirm',
    over_delivery_percent: 10,
    can: { receive: true, stop: true, cancel: false },
  };
  assert.deepEqual(detail, { ...detail, ...facts });
  const plain = { batch_id: '', expire_date: expiry, identifier: null };
  assert.deepEqual(detail.lines, [
    { line_no: 1, sku_id: 'FULL-TEA', name: 'Name of FULL-TEA', ...plain, announced: 10, good: 6, bad: 1, missing: 3 },
    { line_no: 2, sku_id: 'FULL-CUP', name: 'Name of FULL-CUP', ...plain, announced: 5, good: 2, bad: 0, missing: 3 },
  ]);
  assert.deepEqual(columns(detail.products, 'name', 'announced', 'arrived', 'accepted_max', 'still_accepted'), [
    ['Name of FULL-TEA', 10, 7, 11, 4],
    ['Name of FULL-CUP', 5, 2, 5, 3],
  ]);
  assert.deepEqual(
    detail.lots.map(({ lot_id: _, ...lot }) => lot),
    [
      { sku_id: 'FULL-TEA', stock_type: 'good', batch_id: '', expire_date: expiry, received: 6, retracted: 0 },
      { sku_id: 'FULL-TEA', stock_type: 'bad', batch_id: '', expire_date: expiry, received: 1, retracted: 0 },
      { sku_id: 'FULL-CUP', stock_type: 'good', batch_id: 'L-7', expire_date: null, received: 2, retracted: 0 },
    ],
  );
  assert.deepEqual(columns(detail.receipts, 'actor', 'receipt_no', 'good', 'bad', 'lot_count'), [
    ['operator packer', null, 2, 0, 1],
    ['PROD/prod-erp', 'R-1', 6, 1, 2],
  ]);
  assert.deepEqual(detail.receipts[1]!.units, [
    { sku_id: 'FULL-TEA', stock_type: 'good', batch_id: '', expire_date: expiry, units: 6 },
    { sku_id: 'FULL-TEA', stock_type: 'bad', batch_id: '', expire_date: expiry, units: 1 },
  ]);
  assert.deepEqual(
    detail.timeline.map((entry) =>
      entry.kind === 'state'
        ? [entry.event, entry.to, entry.actor]
        : [entry.kind, 'good' in entry && [entry.good, entry.bad]],
    ),
    [
      ['create', 'expected', 'PROD'],
      ['receipt', [6, 1]],
      ['receive', 'receiving', 'PROD/prod-erp'],
      ['receipt', [2, 0]],
      ['note', false],
    ],
  );
  const note = detail.timeline.at(-1);
  assert.deepEqual(note?.kind === 'note' && [note.actor, note.text], ['packer', '兩箱外盒破損 \n second line']);
  assert.equal((await viewer.send('/inbound/detail', { inbound_id: 999_999_999 })).status, 404);
  assert.equal((await staff.send('/inbound/note-add', { inbound_id, text: ' \n ' })).status, 400);
});

test('the timeline names the calls that changed the document, those that named it and were refused, and its callbacks', async () => {
  await announceForm(app, 'STORY-1', { 'STORY-TEA': 2 });
  const inbound_id = await idOf('STORY-1');
  await receiveUnits(app, { form_no: 'STORY-1' }, [units('STORY-TEA', 2)]);
  const [created] = (await detailOf(inbound_id)).timeline;
  assert.ok(created?.kind === 'state' && created.trace_id);
  const refused = await receiveCall(app, { form_no: 'STORY-1', details: [units('STORY-TEA', 1)] });
  assert.equal(refused.status, 400);
  for (const traceId of [created.trace_id, String(refused.headers['trace-id'])]) await app.requestLine(traceId);
  const { timeline } = await detailOf(inbound_id);
  const call = timeline.find(({ kind }) => kind === 'state');
  assert.equal(call?.kind === 'state' && call.call, '/logistics/purchases/purchase');
  const named = timeline.filter((entry) => entry.kind === 'request');
  assert.deepEqual(columns(named, 'endpoint', 'http_status', 'trace_id'), [
    ['/api/v2/default/inbounds/receive', 400, refused.headers['trace-id']],
  ]);
  const callback = timeline.find(({ kind }) => kind === 'callback');
  assert.deepEqual(callback?.kind === 'callback' && [callback.status, callback.event], ['pending', 'inbound.received']);
});

test('a part arrives, good and bad, then the rest: stock, state and callback follow', async () => {
  await announceForm(app, 'PART-1', { 'PART-TEA': 10 });
  const inbound_id = await idOf('PART-1');
  const first = await staff.ask(inboundReceive, {
    inbound_id,
    receipt_no: 'C-1',
    lines: [arrived('PART-TEA', 3, 2), arrived('PART-TEA', 1, 0, { batch_id: 'L-2' })],
  });
  assert.deepEqual(first, { kind: 'counted', status: 'receiving' });
  assert.deepEqual(counts(await detailOf(inbound_id)), [10, 4, 2, 4]);
  assert.equal((await owedFor(app, 'PART-1')).length, 0);
  const rest = await staff.ask(inboundReceive, { inbound_id, receipt_no: 'C-2', lines: [arrived('PART-TEA', 4)] });
  assert.deepEqual(rest, { kind: 'counted', status: 'received' });
  assert.deepEqual(counts(await detailOf(inbound_id)), [10, 8, 2, 0]);
  assert.equal((await owedFor(app, 'PART-1')).length, 1);
  assert.deepEqual(columns(await stockOf(app, 'PART-TEA', prod), 'stock_type', 'batch_id', 'qty'), [
    ['good', '', 7],
    ['good', 'L-2', 1],
    ['bad', '', 2],
  ]);
  const late = await unchanged(app, () => staff.ask(inboundReceive, { inbound_id, lines: [arrived('PART-TEA', 1)] }));
  assert.deepEqual(late, { kind: 'too_late', status: 'received' });
  assert.deepEqual((await detailOf(inbound_id)).can, { receive: false, stop: false, cancel: false });
  assert.deepEqual(columns(await actionsOn(inbound_id, 'inbound/receive'), 'username', 'outcome', 'details'), [
    ['packer', 'counted', { receipt_no: 'C-1', good: 4, bad: 2 }],
    ['packer', 'counted', { receipt_no: 'C-2', good: 4, bad: 0 }],
    ['packer', 'too_late', { receipt_no: null, good: 1, bad: 0 }],
  ]);
});

test('a receipt sent again under its number is counted once, also when the document is closed since; with other units it is refused', async () => {
  await announce(app, 'AGAIN-1', { 'AGAIN-TEA': 5 });
  const inbound_id = await idOf('AGAIN-1');
  const receipt = { inbound_id, receipt_no: 'C-1', lines: [arrived('AGAIN-TEA', 2)] };
  assert.deepEqual(await staff.ask(inboundReceive, receipt), { kind: 'counted', status: 'receiving' });
  const repeated = await unchanged(app, () => admin.ask(inboundReceive, receipt));
  assert.deepEqual(repeated, { kind: 'repeated', status: 'receiving' });
  const other = { ...receipt, lines: [arrived('AGAIN-TEA', 3)] };
  assert.deepEqual(await unchanged(app, () => staff.ask(inboundReceive, other)), { kind: 'conflict' });
  await staff.ask(inboundStop, { inbound_id });
  const late = await unchanged(app, () => staff.ask(inboundReceive, receipt));
  assert.deepEqual(late, { kind: 'repeated', status: 'stopped' });
  assert.deepEqual(await stockOf(app, 'AGAIN-TEA', prod), [goodRow('AGAIN-TEA', expiry, 2)]);
});

test('more than is accepted, or what nobody announced, is refused as a whole, with what may still come', async () => {
  await announce(app, 'OVER-1', { 'OVER-TEA': 10, 'OVER-CUP': 1 }, { caller: prodTenth });
  const inbound_id = await idOf('OVER-1');
  await staff.ask(inboundReceive, { inbound_id, lines: [arrived('OVER-TEA', 9)] });
  const lines = [arrived('OVER-CUP', 1), arrived('OVER-TEA', 2, 1), arrived('OVER-POT', 1)];
  const refused = await unchanged(app, () => staff.ask(inboundReceive, { inbound_id, receipt_no: 'C-1', lines }));
  const units = { announced: 10, arrived: 9, reported: 3, accepted_max: 11, still_accepted: 2 };
  assert.deepEqual(refused, {
    kind: 'refused',
    mistakes: [
      { kind: 'too_many', sku_id: 'OVER-TEA', ...units },
      { kind: 'not_announced', sku_id: 'OVER-POT', reported: 1 },
    ],
  });
  const accepted = { inbound_id, receipt_no: 'C-1', lines: [arrived('OVER-CUP', 1), arrived('OVER-TEA', 2)] };
  assert.deepEqual(await staff.ask(inboundReceive, accepted), { kind: 'counted', status: 'received' });
  // A line without units.
  const nothing = { inbound_id, lines: [arrived('OVER-TEA', 0)] };
  assert.equal((await staff.send('/inbound/receive', nothing)).status, 400);
});

test('receiving is stopped once, what has arrived stays, and nothing more is taken', async () => {
  await announceForm(app, 'STOP-1', { 'STOP-TEA': 3 });
  const inbound_id = await idOf('STOP-1');
  await staff.ask(inboundReceive, { inbound_id, lines: [arrived('STOP-TEA', 1)] });
  assert.deepEqual(await staff.ask(inboundStop, { inbound_id }), { kind: 'stopped' });
  assert.deepEqual(await unchanged(app, () => staff.ask(inboundStop, { inbound_id })), { kind: 'repeated' });
  const late = await unchanged(app, () => staff.ask(inboundReceive, { inbound_id, lines: [arrived('STOP-TEA', 1)] }));
  assert.deepEqual(late, { kind: 'too_late', status: 'stopped' });
  assert.deepEqual(counts(await detailOf(inbound_id)), [3, 1, 0, 2]);
  assert.deepEqual(column(await actionsOn(inbound_id, 'inbound/stop'), 'outcome'), ['stopped', 'repeated']);
});

test('documents of several accounts and channels are cancelled together, each with its own result', async () => {
  const taken = await receive(app, { 'CANCEL-HELD': [[expiry, 2]] });
  const free = await receive(app, { 'CANCEL-FREE': [[expiry, 2]] });
  await order(app, 'CANCEL-ORDER', [['CANCEL-HELD', 1]]);
  await announce(app, 'CANCEL-1', { 'CANCEL-TEA': 1 });
  await announceForm(app, 'CANCEL-2', { 'CANCEL-TEA': 1 });
  await announce(app, 'CANCEL-3', { 'CANCEL-TEA': 2 });
  const numbers = ['CANCEL-1', 'CANCEL-2', 'CANCEL-3', taken, free];
  const inbound_ids = await Promise.all(numbers.map(idOf));
  await staff.ask(inboundReceive, { inbound_id: inbound_ids[2]!, lines: [arrived('CANCEL-TEA', 1)] });
  const { results } = await staff.ask(inboundCancel, { inbound_ids: [...inbound_ids, 999_999_999] });
  assert.deepEqual(results, [
    { inbound_id: inbound_ids[0], partner_number: 'CANCEL-1', kind: 'cancelled' },
    { inbound_id: inbound_ids[1], partner_number: 'CANCEL-2', kind: 'cancelled' },
    { inbound_id: inbound_ids[2], partner_number: 'CANCEL-3', kind: 'too_late', status: 'receiving' },
    { inbound_id: inbound_ids[3], partner_number: taken, kind: 'too_late', status: 'received' },
    { inbound_id: inbound_ids[4], partner_number: free, kind: 'cancelled' },
    { inbound_id: 999_999_999, partner_number: null, kind: 'not_found' },
  ]);
  assert.deepEqual(column(await stockOf(app, 'CANCEL-HELD'), 'qty'), [2]);
  assert.deepEqual(column(await stockOf(app, 'CANCEL-FREE'), 'qty'), [0]);
  const { can, receiving, lots } = await detailOf(inbound_ids[3]!);
  assert.deepEqual([can, receiving], [{ receive: false, stop: false, cancel: true }, 'on_create']);
  assert.deepEqual(columns(lots, 'received', 'retracted'), [[2, 0]]);
  assert.deepEqual((await actionsOf(app, 'inbound/cancel')).at(-1), {
    username: 'packer',
    subject: null,
    outcome: 'cancelled 3, too_late 2, not_found 1',
    details: { inbound_ids: [...inbound_ids, 999_999_999] },
  });
});

test('a return shows the order that it brings back, as soon as there is one', async () => {
  await announce(app, 'BACK-1', { 'BACK-TEA': 3 }, { original: 'BACK-ORDER' });
  const inbound_id = await idOf('BACK-1');
  assert.deepEqual((await detailOf(inbound_id)).returned_order, { number: 'BACK-ORDER', order: null });
  await announce(app, 'BACK-STOCK', { 'BACK-TEA': 3 });
  await receiveUnits(app, { inbound_short_id: 'BACK-STOCK' }, [units('BACK-TEA', 3)]);
  await order(app, 'BACK-ORDER', [['BACK-TEA', 2]], prod);
  const { returned_order } = await detailOf(inbound_id);
  const { order_id, order_no, ...rest } = returned_order!.order!;
  assert.ok(order_id > 0 && order_no);
  const { rows } = await viewer.ask(inboundSearch, { number: 'BACK-1' });
  assert.deepEqual(columns(rows, 'original_order_number', 'order'), [['BACK-ORDER', { order_id, order_no }]]);
  assert.deepEqual(rest, {
    partner_number: 'BACK-ORDER',
    status: 'pending_warehouse_transfer',
    lines: [{ sku_id: 'BACK-TEA', name: 'Name of BACK-TEA', qty: 2 }],
  });
  assert.deepEqual(await staff.ask(inboundReceive, { inbound_id, lines: [arrived('BACK-TEA', 1, 2)] }), {
    kind: 'counted',
    status: 'received',
  });
  assert.deepEqual(counts(await detailOf(inbound_id)), [3, 1, 2, 0]);
});

test('a scan finds a document by either number, and within it a line by its sku or identifier', async () => {
  const cup = { sku: 'SCAN-CUP', quantity: 2, identifier: '4710000000017' };
  await announceForm(app, 'SCAN-1', {}, { products: [{ sku: 'SCAN-TEA', quantity: 1 }, cup] });
  const inbound_id = await idOf('SCAN-1');
  const { document_no } = await detailOf(inbound_id);
  const numbers = { account_no: 'PROD', partner_number: 'SCAN-1', document_no };
  const document = { inbound_id, ...numbers, kind: 'inbound', status: 'expected' };
  for (const text of ['SCAN-1', document_no]) {
    assert.deepEqual(await viewer.ask(inboundFindByScan, { text }), { kind: 'documents', documents: [document] });
  }
  for (const [text, line] of [
    ['SCAN-TEA', { line_no: 1, sku_id: 'SCAN-TEA', units: 1 }],
    ['4710000000017', { line_no: 2, sku_id: 'SCAN-CUP', units: 1 }],
  ] as const) {
    assert.deepEqual(await viewer.ask(inboundFindByScan, { text, inbound_id }), { kind: 'line', ...line });
  }
  for (const body of [{ text: 'SCAN-TEA' }, { text: 'SCAN-POT', inbound_id }]) {
    assert.deepEqual(await viewer.ask(inboundFindByScan, body), { kind: 'nothing' });
  }
});

async function setCodes(products: { sku_id: string; codes: { code: string; units?: number }[] }[]): Promise<void> {
  const { main } = await clientsOf(app, prod);
  await main.productsUpdate({ products });
}

test('within a document, a scan finds a line by a barcode with its units; a product of no line is named', async () => {
  await announce(app, 'CODES-1', { 'CODE-TEA': 24, 'CODE-CUP': 1 });
  await syncProducts(app, ['CODE-POT'], prod);
  await setCodes([
    { sku_id: 'CODE-CUP', codes: [{ code: 'C-UNIT' }] },
    { sku_id: 'CODE-TEA', codes: [{ code: 'C-CARTON', units: 12 }, { code: 'C-TEA' }] },
    { sku_id: 'CODE-POT', codes: [{ code: 'C-POT' }] },
  ]);
  const inbound_id = await idOf('CODES-1');
  const found = (text: string) => viewer.ask(inboundFindByScan, { text, inbound_id });
  const tea = { kind: 'line', line_no: 1, sku_id: 'CODE-TEA' };
  assert.deepEqual(await found('C-CARTON'), { ...tea, units: 12 });
  assert.deepEqual(await found('C-TEA'), { ...tea, units: 1 });
  assert.deepEqual(await found('CODE-TEA'), { ...tea, units: 1 });
  assert.deepEqual(await found('C-UNIT'), { kind: 'line', line_no: 2, sku_id: 'CODE-CUP', units: 1 });
  assert.deepEqual(await found('C-POT'), { kind: 'other_product', sku_id: 'CODE-POT' });
  const { products } = await detailOf(inbound_id);
  assert.deepEqual(columns(products, 'sku_id', 'codes'), [
    [
      'CODE-TEA',
      [
        { code: 'C-TEA', units: 1 },
        { code: 'C-CARTON', units: 12 },
      ],
    ],
    ['CODE-CUP', [{ code: 'C-UNIT', units: 1 }]],
  ]);
});

test('the reason of a return is stored with its receipt and kept by a repeat; other receipts have none', async () => {
  await announce(app, 'WHY-1', { 'WHY-TEA': 5 }, { original: 'WHY-ORDER' });
  const inbound_id = await idOf('WHY-1');
  const receipt = { inbound_id, receipt_no: 'W-1', lines: [arrived('WHY-TEA', 1, 1)] };
  const first = await staff.ask(inboundReceive, { ...receipt, return_reason: 'defective' });
  assert.deepEqual(first, { kind: 'counted', status: 'receiving' });
  const again = await unchanged(app, () => staff.ask(inboundReceive, { ...receipt, return_reason: 'refused' }));
  assert.equal(again.kind, 'repeated');
  await staff.ask(inboundReceive, { inbound_id, lines: [arrived('WHY-TEA', 1)] });
  assert.deepEqual(columns((await detailOf(inbound_id)).receipts, 'receipt_no', 'return_reason'), [
    [null, null],
    ['W-1', 'defective'],
  ]);
  assert.deepEqual((await actionsOn(inbound_id, 'inbound/receive'))[0]!.details, {
    ...{ receipt_no: 'W-1', good: 1, bad: 1, return_reason: 'defective' },
  });

  await announce(app, 'WHY-2', { 'WHY-TEA': 1 });
  const lines = [arrived('WHY-TEA', 1)];
  const refused = [
    { inbound_id: await idOf('WHY-2'), receipt_no: 'W-2', return_reason: 'other', lines },
    { inbound_id, return_reason: 'other', lines },
    { inbound_id, receipt_no: 'W-3', return_reason: 'no such reason', lines },
  ];
  for (const body of refused) {
    const { status, json } = await unchanged(app, () => staff.send('/inbound/receive', body));
    assert.deepEqual([status, json.error!.mistakes!.map(({ path }) => path)], [400, ['return_reason']]);
  }
});

test('changes of a document that does not exist are 404, change nothing and are in the audit log', async () => {
  const inbound_id = 999_999_999;
  const changes: [path: string, body: object][] = [
    ['/inbound/receive', { lines: [arrived('NO-TEA', 1)] }],
    ['/inbound/stop', {}],
    ['/inbound/note-add', { text: 'a note' }],
  ];
  for (const [path, body] of changes) {
    const { status } = await unchanged(app, () => staff.send(path, { inbound_id, ...body }));
    assert.equal(status, 404, path);
    assert.deepEqual(column(await actionsOn(inbound_id, path.slice(1)), 'outcome'), ['not_found'], path);
  }
});
