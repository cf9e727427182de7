import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AuditRow, auditLogSearch } from '../../contract/console/audit-log.ts';
import type { BodyOf } from '../../contract/console/console-call.ts';
import {
  accountsChange,
  accountsCreate,
  clientsChange,
  clientsCreate,
  secretsRotate,
} from '../../contract/console/partners.ts';
import type { AuditPosition } from '../../server/domain/operators/audit-entry.ts';
import { mergeScans } from '../../server/domain/operators/audit-log.ts';
import { startTestApp } from '../support/app.ts';
import { allRows, column, columns, provisionOperators, signIn } from '../support/console.ts';

const app = await startTestApp();
await provisionOperators(app);
const [admin, staff] = [await signIn(app, 'admin'), await signIn(app, 'staff')];

async function search(body: BodyOf<typeof auditLogSearch> = {}): Promise<AuditRow[]> {
  return (await admin.ask(auditLogSearch, body)).rows;
}
const inShort = (rows: AuditRow[]) => columns(rows, 'who', 'action', 'subject', 'outcome');

test('actions of operators and changes of partners are one list, newest first, with the values before', async () => {
  await admin.ask(accountsCreate, { account_no: 'OMEGA', name: '歐米茄', environment: 'uat' });
  await admin.ask(accountsChange, { account_no: 'OMEGA', name: '歐米茄物流' });
  await admin.ask(accountsChange, { account_no: 'OMEGA', name: '歐米茄物流' });

  const rows = await search({ account: 'OMEGA' });
  assert.deepEqual(inShort(rows), [
    ['boss', 'accounts/change', 'OMEGA', 'unchanged'],
    ['boss', 'account/changed', 'OMEGA', null],
    ['boss', 'accounts/change', 'OMEGA', 'changed'],
    ['boss', 'account/created', 'OMEGA', null],
    ['boss', 'accounts/create', 'OMEGA', 'created'],
  ]);
  assert.deepEqual(rows[1]!.details, [{ field: 'name', before: '歐米茄', after: '歐米茄物流' }]);
  assert.deepEqual(rows[2]!.details, [{ field: 'name', before: null, after: '歐米茄物流' }]);
  assert.deepEqual([rows[2]!.role, rows[2]!.address], ['admin', '127.0.0.1']);
  assert.ok(rows[2]!.trace_id);
});

test('filters: who, action, subject, account, time; and all of them together', async () => {
  await admin.ask(clientsCreate, { client_id: 'omega-erp', account_no: 'OMEGA', permissions: [] });
  await admin.ask(clientsChange, { client_id: 'omega-erp', permissions: ['stocks.read'] });
  await admin.ask(secretsRotate, { kind: 'check_value', owner: 'omega-erp', overlap_s: 60 });
  await staff.send('/session/sign-out', {});

  assert.deepEqual(new Set(column(await search({ who: 'packer' }), 'who')), new Set(['packer']));
  assert.deepEqual(inShort(await search({ action: 'client/changed' })), [
    ['boss', 'client/changed', 'omega-erp', null],
  ]);
  assert.deepEqual(inShort(await search({ subject: 'omega-erp', action: 'clients/create' })), [
    ['boss', 'clients/create', 'omega-erp', 'created'],
  ]);
  const [rotation] = await search({ action: 'client/rotated' });
  const field = 'check_value';
  assert.deepEqual(
    rotation!.details.filter((detail) => detail.field === field),
    [{ field, before: 'set', after: 'rotated' }],
  );
  const ofAccount = await search({ account: 'OMEGA', subject: 'omega-erp' });
  assert.deepEqual(columns(ofAccount, 'action', 'account_no'), [
    ['client/rotated', 'OMEGA'],
    ['client/changed', 'OMEGA'],
    ['client/created', 'OMEGA'],
    ['clients/create', 'OMEGA'],
  ]);
  const [newest] = await search();
  const { at } = ofAccount[1]!;
  assert.ok((await search({ from: at })).every((row) => row.at >= at));
  assert.ok((await search({ until: at })).every((row) => row.at < at));
  assert.deepEqual(await search({ from: newest!.at, until: newest!.at }), []);
  assert.deepEqual(await search({ who: 'boss', action: 'clients/create', subject: 'nothing', account: 'OMEGA' }), []);
});

test('pages follow each other without a gap or a repeat; a cursor is good for its own search only', async () => {
  const all = await search({ page_size: 200 });
  for (const filter of [{}, { who: 'boss' }, { who: 'boss', account: 'OMEGA' }]) {
    const expected = await search({ ...filter, page_size: 200 });
    assert.deepEqual(await allRows(admin, auditLogSearch, { ...filter, page_size: 3 }), expected);
  }
  assert.ok(all.length > 10);
  const { next_cursor } = await admin.ask(auditLogSearch, { page_size: 3 });
  assert.equal((await admin.send('/audit-log/search', { page_size: 3, who: 'boss', cursor: next_cursor })).status, 400);
});

test('a page ends where the scan of one table has ended', () => {
  const place = (at: number, source: AuditPosition['source']): AuditPosition => ({ at: String(at), source, id: at });
  const actions = { rows: [place(9, 'action'), place(7, 'action')], endsAt: place(6, 'action') };
  const changes = { rows: [place(8, 'change'), place(5, 'change')], endsAt: null };
  assert.deepEqual(mergeScans([actions, changes], 10), {
    rows: [place(9, 'action'), place(8, 'change'), place(7, 'action')],
    next: place(6, 'action'),
  });
  assert.deepEqual(mergeScans([actions, changes], 2), {
    rows: [place(9, 'action'), place(8, 'change')],
    next: place(8, 'change'),
  });
  assert.deepEqual(mergeScans([{ rows: [place(1, 'action'), place(1, 'change')], endsAt: null }], 10), {
    rows: [place(1, 'change'), place(1, 'action')],
    next: null,
  });
});
