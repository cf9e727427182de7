import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { mock, test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { settingsFor } from '../support/command.ts';
import { assertBooksInOrder, bring, unchanged } from '../support/logistics.ts';
import { cancelOrders, order, receive, stockOf, syncProducts } from '../support/warehouse.ts';
import { makeRunHere } from './run-here.ts';

const app = await startTestApp();
const here = makeRunHere(settingsFor(app.store));
const by = (verb: string) => `stock ${verb} (${userInfo().username})`;
const alphaIn1 = ['--account', 'ALPHA', '--warehouse', '1'];

/** As a person at another time would run it. */
async function at<T>(instant: string, work: () => Promise<T>): Promise<T> {
  mock.timers.enable({ apis: ['Date'], now: Date.parse(instant) });
  try {
    return await work();
  } finally {
    mock.timers.reset();
  }
}

/** A command that must be refused, with nothing changed. */
async function refused(args: string[], code: number): Promise<string> {
  const result = await unchanged(app, () => here.run(args));
  assert.deepEqual([result.code, result.stdout], [code, ''], result.stderr);
  return result.stderr;
}

test('stock list shows lots with what is on hand, locked, free and for sale; of a product, of a warehouse, not more than asked for', async () => {
  await receive(app, {
    TEA: [
      ['2030-01-01', 10],
      ['2030-02-01', 5],
    ],
    MILK: [['2030-01-01', 1]],
  });
  await order(app, 'TEA-1', [['TEA', 4]]);
  const lot = (sku_id: string, expire_date: string, on_hand: number, locked = 0) => ({
    ...{ warehouse_no: 1, sku_id, stock_type: 'good', batch_id: '', expire_date, on_hand, locked },
    ...{ free: on_hand - locked, available: on_hand - locked },
  });
  const all = [lot('MILK', '2030-01-01', 1), lot('TEA', '2030-01-01', 10, 4), lot('TEA', '2030-02-01', 5)];
  assert.deepEqual(await here.json(['stock', 'list', '--account', 'ALPHA']), { lots: all, is_more: false });
  assert.deepEqual(await here.json(['stock', 'list', '--account', 'ALPHA', '--sku', 'TEA']), { lots: all.slice(1), is_more: false });
  assert.deepEqual(await here.json(['stock', 'list', '--account', 'ALPHA', '--warehouse', '2']), { lots: [], is_more: false });
  assert.deepEqual(await here.json(['stock', 'list', '--account', 'ALPHA', '--limit', '1']), { lots: all.slice(0, 1), is_more: true });

  const { stdout } = await here.run(['stock', 'list', '--account', 'ALPHA', '--limit', '2']);
  assert.deepEqual(stdout.split('\n'), [
    'warehouse_no  sku_id  stock_type  batch_id  expire_date  on_hand  locked  free  available',
    '1             MILK    good                  2030-01-01   1        0       1     1',
    '1             TEA     good                  2030-01-01   10       4       6     6',
    'there are more than these 2; --limit shows more',
    '',
  ]);
  const none = await here.run(['stock', 'list', '--account', 'BETA']);
  assert.deepEqual([none.code, none.stdout], [0, 'nothing of this is on hand\n']);
});

test('stock correct changes a lot by so many units, and says what there is then', async () => {
  await receive(app, { RICE: [['2030-01-01', 10]] });
  await order(app, 'RICE-1', [['RICE', 4]]);
  const lot = [...alphaIn1, '--sku', 'RICE', '--expires', '2030-01-01'];
  assert.deepEqual(await here.json(['stock', 'correct', ...lot, '--by', '+3', '--reason', 'found behind the shelf']), {
    ...{ on_hand_before: 10, on_hand: 13, locked: 4, free: 9 },
  });
  const { code, stdout } = await here.run(['stock', 'correct', ...lot, '--by', '-2', '--reason', 'broken']);
  assert.deepEqual([code, stdout], [0, '13 were on hand, 11 are now; 4 of them locked, 7 free\n']);
  assert.deepEqual(
    await here.json(['stock', 'correct', ...alphaIn1, '--sku', 'RICE', '--batch', 'B-7', '--bad', '--by', '+1', '--reason', 'x']),
    {
      ...{ on_hand_before: 0, on_hand: 1, locked: 0, free: 1 },
    },
  );
  assert.deepEqual(
    (await stockOf(app, 'RICE')).map(({ stock_type, batch_id, expire_date, qty }) => [stock_type, batch_id, expire_date, qty]),
    [
      ['good', '', '2030-01-01', 11],
      ['bad', 'B-7', undefined, 1],
    ],
  );
});

test('stock regrade moves units to bad and back', async () => {
  await receive(app, { SALT: [['2030-01-01', 10]] });
  const regrade = ['stock', 'regrade', ...alphaIn1, '--sku', 'SALT', '--expires', '2030-01-01', '--reason', 'wet'];
  assert.deepEqual(await here.json([...regrade, '--units', '3', '--to', 'bad']), { free_good: 7, free_bad: 3 });
  const { stdout } = await here.run([...regrade, '--units', '1', '--to', 'good']);
  assert.equal(stdout, '1 moved to good; now 8 good ones are free and 2 bad ones\n');
  await assertBooksInOrder(app);
});

test('each refusal says why, and changes nothing', async () => {
  await receive(app, { NUTS: [['2030-01-01', 5]] });
  await order(app, 'NUTS-1', [['NUTS', 3]]);
  const correct = (...args: string[]) => ['stock', 'correct', '--reason', 'counted', ...args];
  const nuts = ['--sku', 'NUTS', '--expires', '2030-01-01'];
  const words: [string[], string][] = [
    [correct(...alphaIn1, ...nuts, '--by', '-3'), 'only 2 units are free (3 are locked by orders); nothing was changed'],
    [correct('--account', 'NO', '--warehouse', '1', ...nuts, '--by', '-3'), 'there is no account NO; nothing was changed'],
    [correct('--account', 'ALPHA', '--warehouse', '9', ...nuts, '--by', '-3'), 'there is no warehouse 9; nothing was changed'],
    [correct(...alphaIn1, '--sku', 'NO', '--by', '-3'), 'account ALPHA has no product NO; nothing was changed'],
    [
      correct(...alphaIn1, '--sku', 'NUTS', '--by', '-3'),
      'there is no such lot ("lading stock list --account ALPHA --sku NUTS" shows those there are); nothing was changed',
    ],
    [correct(...alphaIn1, ...nuts, '--by', '+1000000000000'), 'a lot holds at most 1000000000000 units, and has 5; nothing was changed'],
    [
      ['stock', 'regrade', ...alphaIn1, ...nuts, '--units', '3', '--to', 'bad', '--reason', 'wet'],
      'only 2 units are free (3 are locked by orders); nothing was changed',
    ],
    [['stock', 'list', '--account', 'NO'], 'there is no account NO'],
    [['stock', 'movements', '--account', 'ALPHA', '--sku', 'NO'], 'account ALPHA has no product NO'],
    [['stock', 'expiring', '--account', 'NO'], 'there is no account NO'],
  ];
  for (const [args, message] of words) assert.equal(await refused(args, 1), `lading: ${message}\n`);

  await app.provision({ warehouses: [{ warehouse_no: 2 }] });
  const nobodysPlace = correct('--account', 'ALPHA', '--warehouse', '2', ...nuts, '--by', '+1');
  assert.match(await refused(nobodysPlace, 1), /neither a tenant nor a logistics key in warehouse 2/);
});

test('what is not understood is wrong usage, and changes nothing', async () => {
  await receive(app, { OIL: [['2030-01-01', 5]] });
  const whole = { '--sku': 'OIL', '--expires': '2030-01-01', '--by': '+1', '--reason': 'counted' };
  const without = (option: keyof typeof whole) => Object.entries(whole).flatMap(([name, value]) => (name === option ? [] : [name, value]));
  const wrong: [keyof typeof whole, string][] = [
    ...['1', '+0', '-0', '+1.5', 'one', '+1e3', '+9999999999999', ''].map((units): ['--by', string] => ['--by', units]),
    ...['2030-02-30', '2030-1-1', 'infinity', '0000-01-01'].map((day): ['--expires', string] => ['--expires', day]),
    ...['', '   ', 'a\u0007', 'x'.repeat(501)].map((reason): ['--reason', string] => ['--reason', reason]),
  ];
  for (const [option, value] of wrong) await refused(['stock', 'correct', ...alphaIn1, ...without(option), option, value], 2);
  for (const option of ['--by', '--reason', '--sku'] as const) await refused(['stock', 'correct', ...alphaIn1, ...without(option)], 2);
  for (const [option, value] of [
    ['--batch', ' B'],
    ['--batch', 'B'.repeat(126)],
    ['--warehouse', '0'],
    ['--warehouse', '2147483648'],
  ] as const) {
    await refused(['stock', 'correct', ...alphaIn1, ...without('--expires'), option, value], 2);
  }
  const regrade = ['stock', 'regrade', ...alphaIn1, '--sku', 'OIL', '--expires', '2030-01-01', '--reason', 'wet'];
  for (const units of ['0', '-1', '1.5', '']) await refused([...regrade, '--to', 'bad', '--units', units], 2);
  await refused([...regrade, '--units', '1', '--to', 'worse'], 2);
  for (const limit of ['0', '10001', 'all']) await refused(['stock', 'list', '--account', 'ALPHA', '--limit', limit], 2);
  for (const within of ['-1', '36501', 'soon']) await refused(['stock', 'expiring', '--within', within], 2);
});

test('the help of what changes stock says that each call counts', async () => {
  for (const verb of ['correct', 'regrade']) {
    const { code, stdout } = await here.run(['stock', verb, '--help']);
    assert.equal(code, 0);
    assert.match(stdout, /Each call counts: run twice, it changes the stock twice\./);
  }
});

test('stock movements tells how the stock of a product came about, the newest first', async () => {
  const received = await receive(app, { CORN: [['2030-01-01', 10]] });
  await order(app, 'CORN-1', [['CORN', 4]]);
  await cancelOrders(app, ['CORN-1']);
  const lot = [...alphaIn1, '--sku', 'CORN', '--expires', '2030-01-01'];
  await here.json(['stock', 'correct', ...lot, '--by', '-1', '--reason', 'mouse']);
  await here.json(['stock', 'regrade', ...lot, '--units', '2', '--to', 'bad', '--reason', 'wet']);
  await bring(app, [{ sku: 'CORN', quantity: 1, batch: 'B' }]);

  const { movements, is_more } = await here.json(['stock', 'movements', '--account', 'ALPHA', '--sku', 'CORN']);
  assert.equal(is_more, false);
  const told = (one: Record<string, unknown>) =>
    [one.kind, one.stock_type, one.on_hand_delta, one.locked_delta, one.document_type, one.actor, one.reason].join(' ');
  assert.deepEqual(movements.map(told), [
    'receive good 1 0 inbound ALPHA/wms ',
    `adjust bad 2 0  ${by('regrade')} wet`,
    `adjust good -2 0  ${by('regrade')} wet`,
    `adjust good -1 0  ${by('correct')} mouse`,
    'unlock good 0 -4 order ALPHA ',
    'lock good 0 4 order ALPHA ',
    'receive good 10 0 inbound ALPHA ',
  ]);
  assert.deepEqual(
    movements
      .map((one: Record<string, unknown>) => one.document_no)
      .filter((no: string | null) => no !== null)
      .slice(1),
    ['CORN-1', 'CORN-1', received],
  );
  for (const one of movements) assert.match(one.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+08:00$/);
  const newest = await here.json(['stock', 'movements', '--account', 'ALPHA', '--sku', 'CORN', '--limit', '2']);
  assert.deepEqual(newest, { movements: movements.slice(0, 2), is_more: true });
  assert.deepEqual(await here.json(['stock', 'movements', '--account', 'ALPHA', '--sku', 'CORN', '--warehouse', '2']), {
    movements: [],
    is_more: false,
  });

  const { stdout } = await here.run(['stock', 'movements', '--account', 'ALPHA', '--sku', 'CORN', '--limit', '4']);
  const lines = stdout.split('\n');
  assert.match(lines[0]!, /^at +kind +on_hand +locked +warehouse_no +stock_type +batch_id +expire_date +document +by +reason$/);
  assert.match(lines[4]!, /^\S+ +adjust +-1 +0 +1 +good +2030-01-01 +- +stock correct \(\w+\) +mouse$/);
  assert.equal(lines[5], 'there are more than these 4; --limit shows more');
  await syncProducts(app, ['UNMOVED']);
  const none = await here.run(['stock', 'movements', '--account', 'ALPHA', '--sku', 'UNMOVED']);
  assert.deepEqual([none.code, none.stdout], [0, 'nothing has ever been moved of it\n']);
});

test('stock expiring lists what has expired or soon will on this day in Taipei, the earliest first', async () => {
  await app.provision({
    accounts: [
      {
        ...{ account_no: 'SHELF', environment: 'uat', secret: 'shelf-secret' },
        tenants: [{ warehouse_tpw_id: 'TPW-S', warehouse_no: 1, store_no: 10, sellable_days_before_expiry: 2 }],
      },
    ],
  });
  const shelf = { accountNo: 'SHELF', secret: 'shelf-secret', warehouseTpwId: 'TPW-S' };
  await receive(
    app,
    {
      BREAD: [
        ['2028-03-01', 5],
        ['2028-03-03', 6],
        ['2028-03-31', 7],
        ['2028-04-01', 8],
      ],
    },
    shelf,
  );
  await order(app, 'BREAD-1', [['BREAD', 2]], shelf);
  const line = (expire_date: string, days_left: number, on_hand: number, locked: number, sellable: boolean) => ({
    ...{ account_no: 'SHELF', warehouse_no: 1, sku_id: 'BREAD', stock_type: 'good', batch_id: '', expire_date, days_left },
    ...{ on_hand, locked, free: on_hand - locked, sellable },
  });
  const ofShelf = ['stock', 'expiring', '--account', 'SHELF'];
  // The first of March has ended in Greenwich's afternoon; 2028 has a 29th of February.
  await at('2028-03-01T15:59:59.999Z', async () => {
    const lots = [line('2028-03-01', 0, 5, 2, false), line('2028-03-03', 2, 6, 0, true), line('2028-03-31', 30, 7, 0, true)];
    assert.deepEqual(await here.json(ofShelf), { lots, is_more: false });
    assert.deepEqual(await here.json([...ofShelf, '--within', '2']), { lots: lots.slice(0, 2), is_more: false });
    assert.deepEqual(await here.json([...ofShelf, '--limit', '1']), { lots: lots.slice(0, 1), is_more: true });
    assert.deepEqual(await here.json([...ofShelf, '--warehouse', '2']), { lots: [], is_more: false });
    assert.deepEqual(await here.json(['stock', 'expiring']), { lots, is_more: false }, 'other accounts have no lots that expire so soon');
  });
  await at('2028-03-01T16:00:00.000Z', async () => {
    const { lots } = await here.json(ofShelf);
    assert.deepEqual(lots, [
      line('2028-03-01', -1, 5, 2, false),
      line('2028-03-03', 1, 6, 0, false),
      line('2028-03-31', 29, 7, 0, true),
      line('2028-04-01', 30, 8, 0, true),
    ]);
    const { stdout } = await here.run([...ofShelf, '--within', '0']);
    assert.deepEqual(stdout.split('\n'), [
      'account_no  warehouse_no  sku_id  stock_type  batch_id  expire_date  days_left  on_hand  locked  free  sellable',
      'SHELF       1             BREAD   good                  2028-03-01   -1         5        2       3     false',
      '',
    ]);
  });
  const none = await here.run(['stock', 'expiring', '--account', 'BETA', '--within', '7']);
  assert.deepEqual([none.code, none.stdout], [0, 'nothing on hand has expired or expires within 7 days\n']);
});
