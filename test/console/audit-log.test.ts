import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountsChange, accountsCreate } from '../../contract/console/accounts.ts';
import { type AuditRow, auditLogSearch } from '../../contract/console/audit-log-search.ts';
import type { BodyOf } from '../../contract/console/console-call.ts';
import { operatorsChangeOwnPassword } from '../../contract/console/operators.ts';
import { clientsChange, clientsCreate } from '../../contract/console/partner-clients.ts';
import { secretsRotate } from '../../contract/console/secrets-rotate.ts';
import { type AuditPlace, mergeScans } from '../../server/domain/operators/audit-log.ts';
import { startTestApp } from '../support/app.ts';
import { operators, provisionOperators, signIn } from '../support/console.ts';

const app = await startTestApp();
await provisionOperators(app);
const [admin, staff] = [await signIn(app, 'admin'), await signIn(app, 'staff')];

async function search(body: BodyOf<typeof auditLogSearch> = {}): Promise<AuditRow[]> {
  return (await admin.ask(auditLogSearch, body)).rows;
}
const inShort = (rows: AuditRow[]) => rows.map(({ who, action, subject, outcome }) => [who, action, subject, outcome]);

test('what operators do and what is changed of partners is one list, newest first, with what it was before', async () => {
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
  await staff.send('/session/sign-out', {});

  assert.deepEqual(new Set((await search({ who: 'packer' })).map(({ who }) => who)), new Set(['packer']));
  assert.deepEqual(inShort(await search({ action: 'client/changed' })), [['boss', 'client/changed', 'omega-erp', null]]);
  assert.deepEqual(inShort(await search({ subject: 'omega-erp', action: 'clients/create' })), [
    ['boss', 'clients/create', 'omega-erp', 'created'],
  ]);
  const ofAccount = await search({ account: 'OMEGA', subject: 'omega-erp' });
  assert.deepEqual(
    ofAccount.map(({ action, account_no }) => [action, account_no]),
    [
      ['client/changed', 'OMEGA'],
      ['client/created', 'OMEGA'],
      ['clients/create', 'OMEGA'],
    ],
  );
  const [newest] = await search();
  const { at } = ofAccount[1]!;
  assert.ok((await search({ from: at })).every((row) => row.at >= at));
  assert.ok((await search({ until: at })).every((row) => row.at < at));
  assert.deepEqual(await search({ from: newest!.at, until: newest!.at }), []);
  assert.deepEqual(await search({ who: 'boss', action: 'clients/create', subject: 'nothing', account: 'OMEGA' }), []);
  assert.equal((await admin.send('/audit-log/search', { from: '2026-99-99T00:00:00Z' })).status, 400);
});

test('pages follow each other without a gap or a repeat; a cursor is good for its own search only', async () => {
  const all = await search({ page_size: 200 });
  for (const filter of [{}, { who: 'boss' }, { who: 'boss', account: 'OMEGA' }]) {
    const expected = await search({ ...filter, page_size: 200 });
    const paged: AuditRow[] = [];
    let cursor: string | null = null;
    do {
      const page: { rows: AuditRow[]; next_cursor: string | null } = await admin.ask(auditLogSearch, {
        ...filter,
        page_size: 3,
        ...(cursor === null ? {} : { cursor }),
      });
      paged.push(...page.rows);
      cursor = page.next_cursor;
    } while (cursor !== null);
    assert.deepEqual(paged, expected);
  }
  assert.ok(all.length > 10);
  const { next_cursor } = await admin.ask(auditLogSearch, { page_size: 3 });
  assert.equal((await admin.send('/audit-log/search', { page_size: 3, who: 'boss', cursor: next_cursor })).status, 400);
});

test('no secret and no password is in it, not those that were given and not those that were made', async () => {
  const rotated = await admin.ask(secretsRotate, { kind: 'check_value', owner: 'omega-erp', overlap_s: 60 });
  const viewer = await signIn(app, 'viewer');
  await viewer.ask(operatorsChangeOwnPassword, { old_password: operators.viewer.password, new_password: 'PLANTED password' });
  assert.ok(rotated.kind === 'rotated');
  const text = JSON.stringify([
    await search({ page_size: 200 }),
    await app.store.database.read((sql) => sql`select * from operator_action`),
    await app.store.database.read((sql) => sql`select * from partner_change`),
  ]);
  for (const secret of [rotated.secret.value, 'PLANTED', operators.viewer.password]) assert.ok(!text.includes(secret));
  const [change] = await search({ action: 'client/rotated' });
  assert.deepEqual(
    change!.details.find(({ field }) => field === 'check_value'),
    { field: 'check_value', before: 'set', after: 'rotated' },
  );
});

test('where one table was looked at less far than the other, the page ends there', () => {
  const place = (at: number, source: AuditPlace['source'], id = at): AuditPlace => ({ at: String(at), source, id });
  const actions = { rows: [place(9, 'action'), place(7, 'action')], endsAt: place(6, 'action') };
  const changes = { rows: [place(8, 'change'), place(5, 'change')], endsAt: null };
  assert.deepEqual(mergeScans([actions, changes], 10), {
    rows: [place(9, 'action'), place(8, 'change'), place(7, 'action')],
    next: place(6, 'action'),
  });
  assert.deepEqual(mergeScans([actions, changes], 2), { rows: [place(9, 'action'), place(8, 'change')], next: place(8, 'change') });
  assert.deepEqual(mergeScans([{ rows: [place(1, 'action'), place(1, 'change')], endsAt: null }], 10), {
    rows: [place(1, 'change'), place(1, 'action')],
    next: null,
  });
});
