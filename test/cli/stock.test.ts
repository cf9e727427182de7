import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { mock, test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { settingsFor } from '../support/command.ts';
import { columns } from '../support/console.ts';
import { assertBooksInOrder, bring, unchanged } from '../support/logistics.ts';
import { cancelOrders, order, receive, stockOf, syncProducts } from '../support/warehouse.ts';
import { makeRunHere, wordsOf } from './run-here.ts';

const app = await startTestApp();
const here = makeRunHere(settingsFor(app.store));
const by = (verb: string) => `stock ${verb} (${userInfo().username})`;

/** A command that must be refused, with nothing changed. */
async function refused(args: string[], code: number): Promise<string> {
  const result = await unchanged(app, () => here.run(args));
  assert.deepEqual([result.code, result.stdout], [code, ''], `${args.join(' ')}: ${result.stderr}`);
  return result.stderr;
}

test('stock list shows lots with units on hand, locked, free and for sale; filtered, and at most as many as asked for', async () => {
  await receive(app, { TEA: [['2030-01-01', 10]], MILK: [['2030-01-01', 1]] });
  await receive(app, { TEA: [['2030-02-01', 5]] });
  await order(app, 'TEA-1', [['TEA', 4]]);
  const lot = (sku_id: string, expire_date: string, on_hand: number, locked = 0) => ({
    warehouse_no: 1,
    sku_id,
    stock_type: 'good',
    batch_id: '',
    expire_date,
    on_hand,
    locked,
    free: on_hand - locked,
    available: on_hand - locked,
  });
  const all = [lot('MILK', '2030-01-01', 1), lot('TEA', '2030-01-01', 10, 4), lot('TEA', '2030-02-01', 5)];
  const filters: [options: string, lots: object[], isMore: boolean][] = [
    ['', all, false],
    [' --sku TEA', all.slice(1), false],
    [' --warehouse 2', [], false],
    [' --limit 1', all.slice(0, 1), true],
  ];
  for (const [options, lots, is_more] of filters)
    assert.deepEqual(await here.json(`stock list --account ALPHA${options}`), { lots, is_more });

  const { stdout } = await here.run('stock list --account ALPHA --limit 2');
  assert.deepEqual(stdout.split('\n'), [
    'warehouse_no  sku_id  stock_type  batch_id  expire_date  on_hand  locked  free  available',
    '1             MILK    good                  2030-01-01   1        0       1     1',
    '1             TEA     good                  2030-01-01   10       4       6     6',
    'there are more than these 2 rows; use --limit to see more',
    '',
  ]);
  const none = await here.run('stock list --account BETA');
  assert.deepEqual([none.code, none.stdout], [0, 'no units on hand\n']);
});

test('stock correct changes a lot by a number of units and shows its new balance; stock regrade moves units to bad and back', async () => {
  await receive(app, { RICE: [['2030-01-01', 10]] });
  await order(app, 'RICE-1', [['RICE', 4]]);
  const rice = '--account ALPHA --warehouse 1 --sku RICE';
  const january = `${rice} --expires 2030-01-01`;
  assert.deepEqual(await here.json(`stock correct ${january} --by +3 --reason`, 'found behind the shelf'), {
    on_hand_before: 10,
    on_hand: 13,
    locked: 4,
    free: 9,
  });
  const { code, stdout } = await here.run(`stock correct ${january} --by -2 --reason broken`);
  assert.deepEqual([code, stdout], [0, 'on hand: 13 before, 11 now (4 allocated, 7 free)\n']);
  assert.deepEqual(await here.json(`stock correct ${rice} --batch B-7 --bad --by +1 --reason x`), {
    on_hand_before: 0,
    on_hand: 1,
    locked: 0,
    free: 1,
  });
  assert.deepEqual(columns(await stockOf(app, 'RICE'), 'stock_type', 'batch_id', 'expire_date', 'qty'), [
    ['good', '', '2030-01-01', 11],
    ['bad', 'B-7', undefined, 1],
  ]);

  const regrade = `stock regrade ${january} --reason wet`;
  assert.deepEqual(await here.json(`${regrade} --units 3 --to bad`), { free_good: 4, free_bad: 3 });
  const regraded = await here.run(`${regrade} --units 1 --to good`);
  assert.equal(regraded.stdout, 'moved to good: 1; free now: 5 good, 2 bad\n');
  await assertBooksInOrder(app);

  assert.match((await here.run('stock regrade --help')).stdout, /This command is not idempotent: running it twice/);
  for (const verb of ['adjust', 'correct', 'move'])
    assert.match((await here.run(`stock ${verb} --help`)).stdout, /With --reference the command can be repeated/);
});

test('stock adjust counts a lot, and stock move takes units to another warehouse; with --reference both change the stock once', async () => {
  await receive(app, { SALT: [['2030-01-01', 10]] });
  await order(app, 'SALT-1', [['SALT', 4]]);
  const two = { warehouse_tpw_id: 'TPW-A-2', warehouse_no: 2, store_no: 10 };
  await app.provision({
    warehouses: [{ warehouse_no: 2 }],
    accounts: [{ account_no: 'ALPHA', environment: 'uat', tenants: [two] }],
  });
  const salt = '--account ALPHA --warehouse 1 --sku SALT --expires 2030-01-01 --reason counted';
  const count = `stock adjust ${salt} --counted 9 --reference CC-1`;
  const counted = { on_hand_before: 10, on_hand: 9, locked: 4, free: 5, reference_no: 'CC-1' };
  assert.deepEqual(await here.json(count), { ...counted, idempotent: false });
  assert.deepEqual(await unchanged(app, () => here.json(count)), { ...counted, idempotent: true });
  assert.equal(
    (await here.run(count)).stdout,
    'changed by an earlier call; on hand: 10 before, 9 now (4 allocated, 5 free)\n',
  );

  const move = `stock move ${salt} --to-warehouse 2 --units 2 --reference MV-1`;
  const moved = { reference_no: 'MV-1', on_hand_from: 7, on_hand_to: 2 };
  assert.deepEqual(await here.json(move), { ...moved, idempotent: false });
  assert.deepEqual(await unchanged(app, () => here.json(move)), { ...moved, idempotent: true });
  assert.match(
    (await here.run(`stock move ${salt} --to-warehouse 2 --units 1`)).stdout,
    /^moved: 1 to warehouse 2; on hand now: 6 here, 3 there \(reference [0-9a-f-]{36}\)\n$/,
  );
  const conflict = 'the reference CC-1 was used before for another change; nothing was changed';
  const refusals: [command: string, message: string][] = [
    [`stock adjust ${salt} --counted 3`, 'only 2 units are free (4 are allocated to orders); nothing was changed'],
    [`stock adjust ${salt} --counted 8 --reference CC-1`, conflict],
    [`stock move ${salt} --to-warehouse 2 --units 1 --reference CC-1`, conflict],
    [
      `stock move ${salt} --to-warehouse 2 --units 3`,
      'only 2 units are free (4 are allocated to orders); nothing was changed',
    ],
    [`stock move ${salt} --to-warehouse 1 --units 1`, 'the units are in warehouse 1 already; nothing was changed'],
    [`stock move ${salt} --to-warehouse 9 --units 1`, 'there is no warehouse 9; nothing was changed'],
  ];
  for (const [command, message] of refusals) assert.equal(await refused(wordsOf(command), 1), `lading: ${message}\n`);
  const lines = (await here.run('stock movements --account ALPHA --sku SALT --limit 4')).stdout.split('\n');
  assert.match(lines[4]!, /^\S+ \S+ +adjust +-2 +0 +1 +good +2030-01-01 +- +MV-1 +2 +stock move \(\w+\) +counted$/);
  await assertBooksInOrder(app);
});

test('each refusal says why, and changes nothing', async () => {
  await receive(app, { NUTS: [['2030-01-01', 5]] });
  await order(app, 'NUTS-1', [['NUTS', 3]]);
  await app.provision({ warehouses: [{ warehouse_no: 3 }] });
  const [alpha1, nuts] = ['--account ALPHA --warehouse 1', '--sku NUTS --expires 2030-01-01'];
  const correct = 'stock correct --reason counted';
  const tooFew = 'only 2 units are free (3 are allocated to orders); nothing was changed';
  const messages: [command: string, message: string][] = [
    [`${correct} ${alpha1} ${nuts} --by -3`, tooFew],
    [`stock regrade ${alpha1} ${nuts} --units 3 --to bad --reason wet`, tooFew],
    [`${correct} --account NO --warehouse 1 ${nuts} --by -3`, 'there is no account NO'],
    [`${correct} --account ALPHA --warehouse 9 ${nuts} --by -3`, 'there is no warehouse 9; nothing was changed'],
    [`${correct} ${alpha1} --sku NO --by -3`, 'account ALPHA has no product NO; nothing was changed'],
    [
      `${correct} ${alpha1} --sku NUTS --by -3`,
      'there is no such lot ("lading stock list --account ALPHA --sku NUTS" lists the existing ones); nothing was changed',
    ],
    [
      `${correct} ${alpha1} ${nuts} --by +1000000000000`,
      'a lot can hold at most 1000000000000 units, and this one has 5; nothing was changed',
    ],
    ['stock list --account NO', 'there is no account NO'],
    ['stock movements --account ALPHA --sku NO', 'account ALPHA has no product NO'],
    ['stock expiring --account NO', 'there is no account NO'],
  ];
  for (const [command, message] of messages) assert.equal(await refused(wordsOf(command), 1), `lading: ${message}\n`);
  const elsewhere = wordsOf(`${correct} --account ALPHA --warehouse 3 ${nuts} --by +1`);
  assert.match(await refused(elsewhere, 1), /neither a tenant nor a logistics key in warehouse 3/);
});

const correctOptions = { '--sku': 'OIL', '--warehouse': '1', '--expires': '2030-01-01', '--by': '+1', '--reason': 'x' };
const regradeOptions = { ...correctOptions, '--by': null, '--units': '1', '--to': 'bad' };
const moveOptions = { ...correctOptions, '--by': null, '--units': '1', '--to-warehouse': '2' };
type Options = Record<string, string | null>;
/** null: the option is absent. */
const invalidOptions: [verb: string, valid: Options, option: string, values: (string | null)[]][] = [
  ['correct', correctOptions, '--by', ['1', '+0', '+1.5', '+1e3', '+9999999999999', '', null]],
  ['correct', correctOptions, '--expires', ['2030-02-30', 'infinity']],
  ['correct', correctOptions, '--reason', ['   ', 'x'.repeat(501), null]],
  ['correct', correctOptions, '--sku', [null]],
  ['correct', correctOptions, '--batch', [' B', 'B'.repeat(126)]],
  ['correct', correctOptions, '--warehouse', ['0', '2147483648']],
  ['adjust', { ...correctOptions, '--by': null }, '--counted', ['-1', '1.5', '', null]],
  ['adjust', correctOptions, '--counted', ['1']],
  ['adjust', correctOptions, '--reference', ['', ' R']],
  ['move', moveOptions, '--units', ['0', null]],
  ['move', moveOptions, '--to-warehouse', ['0', null]],
  ['regrade', regradeOptions, '--units', ['0', '1.5']],
  ['regrade', regradeOptions, '--to', ['worse']],
  ['list', {}, '--limit', ['0', '10001']],
  ['expiring', {}, '--within', ['-1', '36501']],
];
test('an option that is invalid or missing exits with 2, and changes nothing', async () => {
  await receive(app, { OIL: [['2030-01-01', 5]] });
  for (const [verb, valid, option, values] of invalidOptions) {
    for (const value of values) {
      const given = Object.entries({ ...valid, [option]: value }).filter(([, text]) => text !== null);
      await refused(['stock', verb, '--account', 'ALPHA', ...(given.flat() as string[])], 2);
    }
  }
});

test('stock movements shows how the stock of a product came about, the newest first', async () => {
  const received = await receive(app, { CORN: [['2030-01-01', 10]] });
  await order(app, 'CORN-1', [['CORN', 4]]);
  await cancelOrders(app, ['CORN-1']);
  const lot = '--account ALPHA --warehouse 1 --sku CORN --expires 2030-01-01';
  await here.json(`stock correct ${lot} --by -1 --reason mouse`);
  await here.json(`stock regrade ${lot} --units 2 --to bad --reason wet`);
  const brought = await bring(app, [{ sku: 'CORN', quantity: 1, batch: 'B' }]);

  const list = 'stock movements --account ALPHA --sku CORN';
  const { movements, is_more } = await here.json(list);
  assert.equal(is_more, false);
  const fields = [
    'kind',
    'stock_type',
    'on_hand_delta',
    'locked_delta',
    'document_type',
    'document_no',
    'actor',
    'reason',
  ];
  const shown = (one: Record<string, unknown>) => fields.map((name) => one[name]).join(' ');
  assert.deepEqual(movements.map(shown), [
    `receive good 1 0 inbound ${brought} ALPHA/wms `,
    `adjust bad 2 0   ${by('regrade')} wet`,
    `adjust good -2 0   ${by('regrade')} wet`,
    `adjust good -1 0   ${by('adjust')} mouse`,
    'unlock good 0 -4 order CORN-1 ALPHA ',
    'lock good 0 4 order CORN-1 ALPHA ',
    `receive good 10 0 inbound ${received} ALPHA `,
  ]);
  for (const one of movements) assert.match(one.at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+08:00$/);
  assert.deepEqual(await here.json(`${list} --limit 2`), { movements: movements.slice(0, 2), is_more: true });
  assert.deepEqual(await here.json(`${list} --warehouse 2`), { movements: [], is_more: false });

  const lines = (await here.run(`${list} --limit 4`)).stdout.split('\n');
  assert.match(
    lines[0]!,
    /^at +kind +on_hand +locked +warehouse_no +stock_type +batch_id +expire_date +document +reference +other_warehouse +by +reason$/,
  );
  assert.match(lines[4]!, /^\S+ \S+ +adjust +-1 +0 +1 +good +2030-01-01 +- +- +- +stock adjust \(\w+\) +mouse$/);
  assert.equal(lines[5], 'there are more than these 4 rows; use --limit to see more');
  await syncProducts(app, ['UNMOVED']);
  const none = await here.run('stock movements --account ALPHA --sku UNMOVED');
  assert.deepEqual([none.code, none.stdout], [0, 'there are no movements of this product\n']);
});

test('stock expiring lists lots that have expired or soon will, by the day in Taipei, the earliest first', async () => {
  const shelf = {
    accountNo: 'SHELF',
    secret: 'shelf-secret-of-thirty-two-characters-or-more',
    warehouseTpwId: 'TPW-S',
  };
  const tenant = { warehouse_tpw_id: 'TPW-S', warehouse_no: 1, store_no: 10, sellable_days_before_expiry: 2 };
  await app.provision({
    accounts: [{ account_no: 'SHELF', environment: 'uat', secret: shelf.secret, tenants: [tenant] }],
  });
  const units = Object.entries({ '2028-03-01': 5, '2028-03-03': 6, '2028-03-31': 7, '2028-04-01': 8 });
  await receive(app, { BREAD: units }, shelf);
  await order(app, 'BREAD-1', [['BREAD', 2]], shelf);
  const line = (expire_date: string, days_left: number, on_hand: number, locked: number, sellable: boolean) => ({
    account_no: 'SHELF',
    warehouse_no: 1,
    sku_id: 'BREAD',
    stock_type: 'good',
    batch_id: '',
    expire_date,
    days_left,
    on_hand,
    locked,
    free: on_hand - locked,
    sellable,
  });
  // The first of March ends in Taipei at 16:00 UTC; 2028 has a 29th of February.
  const lots = [
    line('2028-03-01', 0, 5, 2, false),
    line('2028-03-03', 2, 6, 0, true),
    line('2028-03-31', 30, 7, 0, true),
  ];
  const [lastMoment, nextDay] = ['2028-03-01T15:59:59.999Z', '2028-03-01T16:00:00.000Z'];
  const lists: [options: string, lots: object[], isMore: boolean][] = [
    [' --account SHELF', lots, false],
    [' --account SHELF --within 2', lots.slice(0, 2), false],
    [' --account SHELF --limit 1', lots.slice(0, 1), true],
    [' --account SHELF --warehouse 2', [], false],
    // No lot of another account expires so soon.
    ['', lots, false],
  ];
  try {
    mock.timers.enable({ apis: ['Date'], now: Date.parse(lastMoment) });
    for (const [options, expected, is_more] of lists)
      assert.deepEqual(await here.json(`stock expiring${options}`), { lots: expected, is_more }, options);
    mock.timers.reset();
    mock.timers.enable({ apis: ['Date'], now: Date.parse(nextDay) });
    const { stdout } = await here.run('stock expiring --account SHELF --within 0');
    assert.deepEqual(stdout.split('\n'), [
      'account_no  warehouse_no  sku_id  stock_type  batch_id  expire_date  days_left  on_hand  locked  free  sellable',
      'SHELF       1             BREAD   good                  2028-03-01   -1         5        2       3     false',
      '',
    ]);
  } finally {
    mock.timers.reset();
  }
  const none = await here.run('stock expiring --account BETA --within 7');
  assert.deepEqual([none.code, none.stdout], [0, 'no lot on hand has expired or will expire within 7 days\n']);
});
