import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onInterrupt, root } from './child-process.ts';

/** A later version of the service: the same files with more migrations. */
export interface NewVersion {
  tree: string;
  /** The folder for Node's compile cache. */
  cache: string;
  migration: string;
  /** The table that the last migration changes. */
  changes: string;
  remove(): void;
}

/** The files and folders that the service needs to run, besides its packages and the built console. */
export const programParts = [
  'bin',
  'cli',
  'contract',
  'docs',
  'messages',
  'migrations',
  'reference',
  'sdk',
  'server',
  'package.json',
];

/** Tables that the load writes to all the time. */
const busyTables = ['orders', 'lot', 'inbound_document', 'order_line', 'movement', 'product'];

/** Creates a version with `steps` more migrations than this one. */
export function makeNewVersion(steps: number): NewVersion {
  const tree = mkdtempSync(join(tmpdir(), 'lading-new-version-'));
  const remove = () => rmSync(tree, { recursive: true, force: true });
  const forget = onInterrupt(remove);
  for (const name of programParts) {
    cpSync(join(root, name), join(tree, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  let migration = '';
  for (let step = 1; step <= steps; step++) {
    const number = readdirSync(join(tree, 'migrations')).filter((name) => /^\d/.test(name)).length + 1;
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

/** Only one busy table per migration, because holding one table lock while waiting for another can deadlock. */
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
