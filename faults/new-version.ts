import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root, undoWhenBrokenOff } from './child-process.ts';

/** The service as a later version of it: the same files, and more migrations. */
export interface NewVersion {
  tree: string;
  /** Where Node keeps what it has compiled of it. */
  cache: string;
  migration: string;
  /** The table that its last migration changes. */
  changes: string;
  remove(): void;
}

/** Each is written to all the time. */
const busyTables = ['orders', 'lot', 'inbound_document', 'order_line', 'movement', 'product'];

/** The version that comes `steps` versions after this one. */
export function makeNewVersion(steps: number): NewVersion {
  const tree = mkdtempSync(join(tmpdir(), 'lading-new-version-'));
  const remove = () => rmSync(tree, { recursive: true, force: true });
  const forget = undoWhenBrokenOff(remove);
  for (const name of ['bin', 'cli', 'contract', 'docs', 'migrations', 'sdk', 'server', 'package.json']) {
    cpSync(join(root, name), join(tree, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  let migration = '';
  for (let step = 1; step <= steps; step++) {
    const number = readdirSync(join(tree, 'migrations')).length + 1;
    migration = `${String(number).padStart(4, '0')}_later_${step}.sql`;
    writeFileSync(join(tree, 'migrations', migration), migrationOf(step));
  }
  return {
    tree,
    cache: join(tree, 'cache'),
    migration,
    changes: tableOf(steps),
    remove() {
      remove();
      forget();
    },
  };
}

/** One busy table at a time: who holds one and waits for another can meet somebody who does it the other way round. */
function migrationOf(step: number): string {
  const table = tableOf(step);
  return [
    `alter table ${table} add column later_${step} text;`,
    `create index on ${table} (later_${step}) where later_${step} is not null;`,
    `create table later_${step} (note text not null);`,
    '',
  ].join('\n');
}

function tableOf(step: number): string {
  return busyTables[(step - 1) % busyTables.length]!;
}
