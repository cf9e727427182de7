import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderSearchByRecipient, recipientViewsPerHour } from '../../contract/console/orders.ts';
import { actionsOf, column, columns, startConsole } from '../support/console.ts';
import { live, provisionLive } from '../support/live.ts';
import { bring, item, ship, unchanged } from '../support/logistics.ts';

const { app, database, admin, staff, viewer } = await startConsole();
await provisionLive(app);
await bring(app, [{ sku: 'LAMP', quantity: 50 }], live.apiKey);
const people = [
  ['FIND-1', '王小明', '0912-345-678'],
  ['FIND-2', '王小美', '0987-000-678'],
  ['FIND-3', 'Lin Mei-hua', '02 2345 5678'],
] as const;
for (const [number, delivery_name, phone] of people)
  await ship(app, number, [item('LAMP', 1)], { delivery_name, phone, customer_name: delivery_name }, live.apiKey);

const path = orderSearchByRecipient.path;
const action = path.slice(1);

test('staff find orders by phone or the beginning of a name; the rows are masked, and the audit log says who searched', async () => {
  const found: [by: 'phone' | 'name', text: string, numbers: string[]][] = [
    ['phone', '0912345678', ['FIND-1']],
    ['phone', '0912-345-678', ['FIND-1']],
    ['phone', '5678', ['FIND-3', 'FIND-1']],
    ['phone', '0678', ['FIND-2']],
    ['phone', '912345678', []],
    ['name', '王小', ['FIND-1', 'FIND-2']],
    ['name', '小明', []],
    ['name', 'Lin Mei', ['FIND-3']],
  ];
  for (const [by, text, numbers] of found) {
    const page = await staff.ask(orderSearchByRecipient, { by, text });
    assert.deepEqual(column(page.rows, 'partner_number'), numbers, `${by} ${text}`);
    const shown = JSON.stringify(page);
    for (const personal of ['小', 'Lin', '0912-345-678', '0912345678'])
      assert.ok(!shown.includes(personal), `${by} ${text}: ${personal}`);
  }
  const logged = await actionsOf(app, action);
  assert.deepEqual(
    logged,
    found.map(([by, , numbers]) => ({
      username: 'packer',
      subject: null,
      details: { filters: [by] },
      outcome: `found ${numbers.length}`,
    })),
  );
});

test('a page of the search goes on with its cursor, and only for the same search', async () => {
  const first = await admin.ask(orderSearchByRecipient, { by: 'name', text: '王小', page_size: 1 });
  const cursor = first.next_cursor!;
  const next = await admin.ask(orderSearchByRecipient, { by: 'name', text: '王小', page_size: 1, cursor });
  assert.deepEqual(
    [first, next].map(({ rows }) => column(rows, 'partner_number')),
    [['FIND-1'], ['FIND-2']],
  );
  const other = await admin.send(path, { by: 'name', text: 'Lin', page_size: 1, cursor });
  assert.deepEqual([other.status, other.json.error?.mistakes?.[0]?.path], [400, 'cursor']);
});

test('without the role there is no search and no entry; a phone number without digits is refused', async () => {
  const before = await actionsOf(app, action);
  await unchanged(app, async () => {
    const refused = await viewer.send(path, { by: 'phone', text: '0912345678' });
    assert.deepEqual([refused.status, refused.json.error?.kind, 'rows' in refused.json], [403, 'not_allowed', false]);
  });
  assert.deepEqual(await actionsOf(app, action), before);
  const wrong = await staff.send(path, { by: 'phone', text: 'abc' });
  assert.deepEqual([wrong.status, wrong.json.error?.mistakes?.[0]?.path], [400, 'text']);
  assert.deepEqual(columns((await actionsOf(app, action)).slice(before.length), 'username', 'outcome'), [
    ['packer', 'invalid'],
  ]);
});

test('an operator who searches too often within an hour is refused, which the audit log records; others are not', async () => {
  await database.transaction(
    (tx) => tx`
      insert into operator_action (username, action, address, trace_id, outcome)
      select 'packer', ${action}, '', gen_random_uuid(), 'found 1' from generate_series(1, ${recipientViewsPerHour})`,
  );
  const refused = await staff.send(path, { by: 'name', text: '王' });
  assert.deepEqual([refused.status, refused.headers['retry-after'], 'rows' in refused.json], [429, '600', false]);
  assert.equal((await actionsOf(app, action)).at(-1)!.outcome, 'rate_limited');
  assert.equal((await admin.ask(orderSearchByRecipient, { by: 'name', text: '王' })).rows.length, 2);
});
