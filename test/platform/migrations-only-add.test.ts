import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breakingName, readMigrations } from '../../server/platform/postgres/migrate.ts';
import { unsafeStatementsOf } from '../../tools/check-migrations.ts';

test('migrations only add, because nodes of the previous version run beside them: none after the first drops, renames or narrows', async () => {
  const later = (await readMigrations(new URL('../../migrations/', import.meta.url))).slice(1);
  const unsafe = later
    .filter(({ name }) => !breakingName.test(name))
    .flatMap(({ name, text }) => unsafeStatementsOf(text).map((statement) => `${name}: ${statement}`));
  assert.deepEqual(unsafe, []);
});

const unsafe = [
  'alter table orders drop column note',
  'drop table store',
  'alter table orders\n  rename column note to remark',
  'alter table orders alter column note type varchar(10)',
  'alter table orders alter note set data type text',
  'alter table orders alter column note set not null',
  'alter table orders add column rank integer not null',
  'alter table orders add column a text, add column b integer not null check (b > 0)',
  'truncate request_log',
];
const safe = [
  'create table backup (backup_id bigint primary key, note text not null)',
  'alter table orders add column rank integer',
  'alter table orders add column rank integer not null default 0',
  'alter table orders add column rank integer default 0 not null, add column b text',
  'create index on orders (rank) where rank is not null',
  "comment on column orders.rank is 'drop it; rename it'",
  'create function f() returns void language plpgsql as $$ begin drop table x; end $$',
  '-- drop table store\nselect 1',
  '-- Safe beside older versions: the new constraint allows more.\nalter table orders drop constraint orders_check',
];

test('the check finds what removes, renames or narrows, and nothing in comments, texts and bodies of functions', () => {
  assert.deepEqual(
    unsafe.filter((sql) => unsafeStatementsOf(`select 1; ${sql};`).length !== 1),
    [],
  );
  assert.deepEqual(
    safe.filter((sql) => unsafeStatementsOf(`select 1; ${sql};`).length > 0),
    [],
  );
});
