import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { citusMissing, findCitusPrograms } from './citus-cluster.ts';
import { citusVariable } from './database.ts';

/** Promises that hold on one server and on several alike. All others are about one PostgreSQL, or about no database. */
const folders = 'test/{api/{main,warehouse,logistics},races,journeys,citus}/**/*.test.ts';
/** A worker of Citus is busy with few of them at once. */
const processesAtOnce = 2;

/** `npm run test:citus [FILE...]`: the tests of the APIs, races and journeys on a coordinator and two workers. */
function runOnCitus(named: string[]): void {
  if (findCitusPrograms() === null) {
    console.log(`skipped: ${citusMissing}`);
    return;
  }
  const cwd = fileURLToPath(new URL('../../', import.meta.url));
  const reporters = ['spec', './test/support/closing-line.ts'].flatMap((reporter) => [
    `--test-reporter=${reporter}`,
    '--test-reporter-destination=stdout',
  ]);
  const options = [
    '--test-global-setup=test/support/global-setup.ts',
    `--test-concurrency=${processesAtOnce}`,
    ...reporters,
  ];
  const files = named.length > 0 ? named : globSync(folders, { cwd }).sort();
  const { status } = spawnSync(process.execPath, ['--test', ...options, ...files], {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, [citusVariable]: '1' },
  });
  process.exitCode = status ?? 1;
}

runOnCitus(process.argv.slice(2));
