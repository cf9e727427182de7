import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { beforeEach, test } from 'node:test';
import { beta, startTestApp } from '../support/app.ts';
import { settingsFor } from '../support/command.ts';
import { dumpLogistics, form, formPath, item, take } from '../support/logistics.ts';
import { assertAuditClean, letTimePass } from '../support/purge.ts';
import { order, receive } from '../support/warehouse.ts';
import { makeRunHere } from './run-here.ts';

const app = await startTestApp();
const { database } = app.store;
const here = makeRunHere(settingsFor(app.store));

beforeEach(async () => {
  await here.run('purge --older-than 0');
  await database.read((sql) => sql`truncate purge_report`);
});

/** A purge that takes longer than a second tells its progress on standard error. */
async function purge(...args: string[]): Promise<ReturnType<typeof JSON.parse>> {
  const { code, stdout, stderr } = await here.run(['purge', ...args, '--json']);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

/** 2 orders, 2 inbound documents, 4 movements and a callback of ALPHA; an order, an inbound document and 2 movements of BETA. */
async function makeDocuments(mark: string): Promise<void> {
  await receive(app, { [`${mark}-TEA`]: [['2030-01-01', 9]] });
  await order(app, `${mark}-1`, [[`${mark}-TEA`, 1]]);
  await order(app, `${mark}-2`, [[`${mark}-TEA`, 2]]);
  await take(app, formPath, form(`${mark}-3`, [item(`${mark}-RICE`, 4)]));
  await receive(app, { [`${mark}-TEA`]: [['2030-01-01', 9]] }, beta);
  await order(app, `${mark}-4`, [[`${mark}-TEA`, 1]], beta);
}

test('a dry run counts what would go, account by account, and changes nothing', async () => {
  await makeDocuments('DRY');
  await letTimePass(app, 31);
  await receive(app, { 'DRY-YOUNG': [['2030-01-01', 9]] });
  const before = await dumpLogistics(app);

  const { made_before, accounts } = await here.json('purge --dry-run');
  const words = await here.run('purge --dry-run');

  assert.ok(Math.abs(Date.parse(made_before) - (Date.now() - 30 * 86_400_000)) < 60_000);
  assert.deepEqual(accounts, [
    { account_no: 'ALPHA', orders: 2, inbounds: 2, movements: 4, callbacks: 1 },
    { account_no: 'BETA', orders: 1, inbounds: 1, movements: 2, callbacks: 0 },
  ]);
  assert.equal(
    words.stdout,
    'account_no  orders  inbounds  movements  callbacks\nALPHA       2       2         4          1\nBETA        1       1         2          0\n',
  );
  assert.deepEqual(await dumpLogistics(app), before);
  assert.deepEqual(await here.json('purge --reports'), []);
});

test('a dry run counts test callbacks too, of documents and with an example, and a purge deletes as many', async () => {
  await makeDocuments('TESTS');
  const url = 'https://partner.example/tests';
  const test1 = (...options: string[]) => here.run(['callbacks', 'test', ...options, '--url', url]);
  for (const options of [
    ['ALPHA', '--event', 'order.shipped', '--document', 'TESTS-1'],
    ['ALPHA', '--event', 'inbound.received', '--document', 'TESTS-3'],
    ['ALPHA', '--event', 'inbound.stopped'],
    ['BETA', '--event', 'order.cancelled'],
  ])
    assert.equal((await test1(...options)).code, 0, options.join(' '));
  await letTimePass(app, 31);
  assert.equal((await test1('ALPHA', '--event', 'order.shipped')).code, 0, 'it is young');

  const { accounts } = await here.json('purge --dry-run');
  assert.deepEqual(accounts, [
    { account_no: 'ALPHA', orders: 2, inbounds: 2, movements: 4, callbacks: 4 },
    { account_no: 'BETA', orders: 1, inbounds: 1, movements: 2, callbacks: 1 },
  ]);
  assert.equal((await purge()).report.callbacks, 5);
  await assertAuditClean(app);
});

test('an account that has only test callbacks to delete is counted', async () => {
  await here.run('callbacks test BETA --event order.shipped --url https://partner.example/tests');
  await letTimePass(app, 31);
  const { accounts } = await here.json('purge --dry-run');
  assert.deepEqual(accounts, [{ account_no: 'BETA', orders: 0, inbounds: 0, movements: 0, callbacks: 1 }]);
  const { stdout } = await here.run('purge');
  assert.equal(stdout, 'purged 0 orders and 0 inbound documents, with 0 movements and 1 callbacks\n');
});

test('a purge takes what a dry run has counted, and its report is kept', async () => {
  await makeDocuments('RUN');
  await letTimePass(app, 31);

  const { report } = await purge();

  const { purge_id, started_at, finished_at, made_before, ...rest } = report;
  const counts = { orders: 3, inbounds: 3, movements: 6, callbacks: 1, units_kept: 0 };
  assert.deepEqual(rest, { actor: `lading purge (${userInfo().username})`, ...counts });
  assert.ok(Date.parse(started_at) <= Date.parse(finished_at) && Date.parse(made_before) < Date.parse(started_at));
  assert.deepEqual(await here.json('purge --reports'), [report]);
  assert.deepEqual((await here.json('purge --dry-run')).accounts, []);
  await assertAuditClean(app);
  const words = await here.run('purge --reports');
  assert.match(
    words.stdout,
    /^purge_id +started_at +finished_at +actor +made_before +orders +inbounds +movements +callbacks +units_kept\n/,
  );
});

test('where there is nothing to purge it says so, and leaves no report', async () => {
  await makeDocuments('NONE');
  const before = await dumpLogistics(app);

  const words = await here.run('purge');
  assert.deepEqual(
    [words.code, words.stdout],
    [0, 'nothing to purge: no document of a UAT account is older than 30 days\n'],
  );
  assert.deepEqual(await purge(), { report: null });
  assert.equal((await here.run('purge --reports')).stdout, 'nothing has been purged yet\n');
  assert.deepEqual(await dumpLogistics(app), before);
});

test('--older-than takes the place of the retention', async () => {
  await makeDocuments('SHORT');
  await letTimePass(app, 3);

  assert.deepEqual((await here.json('purge --older-than 3 --dry-run')).accounts.length, 2);
  assert.deepEqual((await here.json('purge --older-than 4')).report, null);
  const words = await here.run('purge --older-than 3');
  assert.equal(words.stdout, 'purged 3 orders and 3 inbound documents, with 6 movements and 1 callbacks\n');
});

test('an invalid option is refused, and nothing is purged', async () => {
  await makeDocuments('WRONG');
  await letTimePass(app, 31);
  const before = await dumpLogistics(app);
  const invalid = ['-1', '1.5', '36501', 'all', ''].map((days) => ['--older-than', days]);
  for (const options of [...invalid, ['--dry-run', '--reports']]) {
    const { code, stdout, stderr } = await here.run(['purge', ...options]);
    assert.deepEqual([code, stdout], [2, ''], options.join(' '));
    assert.match(stderr, /^error: /);
  }
  assert.deepEqual(await dumpLogistics(app), before);
});
