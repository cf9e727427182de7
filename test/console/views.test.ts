import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewsDelete, viewsList, viewsSave } from '../../contract/console/views.ts';
import { actionsOf, type ConsoleUser, columns, startConsole } from '../support/console.ts';

const { app, admin, staff, viewer } = await startConsole();
const list = async (user: ConsoleUser, page = 'orders') => (await user.ask(viewsList, { page })).views;
const own = { shared: false, owner: 'viewer', can_change: true };

test('each operator saves, replaces and deletes own views, up to a limit', async () => {
  for (const view of [
    { name: '待出貨', query: 'status=packed&account=LIVE' },
    { name: 'All', query: '' },
    { name: '待出貨', query: 'status=packed' },
  ]) {
    assert.deepEqual(await viewer.ask(viewsSave, { page: 'orders', ...view }), { kind: 'saved' });
  }
  assert.deepEqual(await list(viewer), [
    { name: 'All', query: '', ...own },
    { name: '待出貨', query: 'status=packed', ...own },
  ]);
  assert.deepEqual([await list(staff), await list(viewer, 'stock')], [[], []]);
  assert.deepEqual(await staff.ask(viewsDelete, { page: 'orders', name: 'All' }), { kind: 'not_found' });
  assert.deepEqual(await viewer.ask(viewsDelete, { page: 'orders', name: 'All' }), { kind: 'deleted' });
  assert.equal((await list(viewer)).length, 1);
  assert.deepEqual(columns(await actionsOf(app, 'views/delete'), 'username', 'subject', 'outcome'), [
    ['packer', 'view orders/All', 'not_found'],
    ['viewer', 'view orders/All', 'deleted'],
  ]);

  const kinds = await Promise.all(
    Array.from(
      { length: 52 },
      async (_, index) => (await staff.ask(viewsSave, { page: 'orders', name: `View ${index}`, query: '' })).kind,
    ),
  );
  assert.deepEqual([kinds.filter((kind) => kind === 'saved').length, (await list(staff)).length], [50, 50]);
});

test('a shared view is shown to all operators with its owner; only the owner and administrators may change it', async () => {
  const view = { page: 'inbound', name: '本週到貨', query: 'arrival=this_week' };
  const hidden = { page: 'inbound', name: 'Mine', query: 'status=receiving' };
  assert.deepEqual(await viewer.ask(viewsSave, { ...view, shared: true }), { kind: 'saved' });
  assert.deepEqual(await viewer.ask(viewsSave, hidden), { kind: 'saved' });
  const { page: _, ...shown } = { ...view, shared: true, owner: 'viewer' };
  const seen = async () => [await list(staff, 'inbound'), await list(admin, 'inbound')];
  const before = await seen();
  assert.deepEqual(before, [[{ ...shown, can_change: false }], [{ ...shown, can_change: true }]]);

  const owner = 'viewer';
  for (const [call, body] of [
    [viewsSave, { ...view, query: '', owner }],
    [viewsDelete, { page: view.page, name: view.name, owner }],
  ] as const) {
    const { status, json } = await staff.send(call.path, body);
    assert.deepEqual(
      [status, json.error?.kind, json.error?.message],
      [403, 'not_allowed', 'packer may not change a view of viewer; administrators may'],
    );
  }
  assert.deepEqual(await seen(), before);
  // A view of the same name is the operator's own.
  assert.deepEqual(await staff.ask(viewsSave, { ...view, query: 'status=expected' }), { kind: 'saved' });
  assert.deepEqual(columns(await list(staff, 'inbound'), 'name', 'owner', 'query'), [
    ['本週到貨', 'packer', 'status=expected'],
    ['本週到貨', 'viewer', 'arrival=this_week'],
  ]);

  // Nobody else reaches a view that is not shared, administrators included.
  const { query: __, ...hiddenKey } = hidden;
  assert.deepEqual(await admin.ask(viewsSave, { ...hidden, query: '', owner, shared: true }), { kind: 'not_found' });
  assert.deepEqual(await admin.ask(viewsDelete, { ...hiddenKey, owner }), { kind: 'not_found' });
  assert.deepEqual(columns(await list(viewer, 'inbound'), 'name', 'query', 'shared'), [
    ['Mine', 'status=receiving', false],
    ['本週到貨', 'arrival=this_week', true],
  ]);

  const changed = { ...view, query: 'arrival=this_week&status=expected', owner, shared: true };
  assert.deepEqual(await admin.ask(viewsSave, changed), { kind: 'saved' });
  assert.equal((await list(staff, 'inbound'))[1]!.query, changed.query);
  assert.deepEqual(await admin.ask(viewsDelete, { page: view.page, name: view.name, owner }), { kind: 'deleted' });
  assert.deepEqual(columns(await list(staff, 'inbound'), 'owner'), [['packer']]);
  assert.deepEqual(columns(await actionsOf(app, 'views/delete'), 'username', 'subject', 'outcome').slice(-2), [
    ['boss', 'view inbound/Mine of viewer', 'not_found'],
    ['boss', 'view inbound/本週到貨 of viewer', 'deleted'],
  ]);

  // The owner stops sharing.
  assert.deepEqual(await viewer.ask(viewsSave, { ...view, shared: true }), { kind: 'saved' });
  assert.equal((await list(staff, 'inbound')).length, 2);
  assert.deepEqual(await viewer.ask(viewsSave, view), { kind: 'saved' });
  assert.deepEqual(columns(await list(staff, 'inbound'), 'owner'), [['packer']]);
});
