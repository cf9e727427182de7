import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { formatStatus } from '../../cli/status-text.ts';
import { version } from '../../server/version.ts';
import { startTestApp } from '../support/app.ts';
import { runLading, settingsFor, startLading } from '../support/command.ts';
import { freePort } from '../support/free-port.ts';
import { makeRunHere } from './run-here.ts';

const app = await startTestApp();
const dataDir = mkdtempSync(join(tmpdir(), 'status-test-'));
// The database user of root must be able to enter it.
chmodSync(dataDir, 0o711);
after(() => rmSync(dataDir, { recursive: true, force: true }));

async function readyService(settings: Record<string, string>): Promise<ChildProcess> {
  const child = startLading(['serve', '--no-demo'], settings);
  child.stdout!.setEncoding('utf8');
  child.stderr!.resume();
  let printed = '';
  for await (const chunk of child.stdout!) {
    printed += chunk;
    if (printed.includes('Lading is ready')) break;
  }
  return child;
}

test('with an embedded database: none yet, running, and stopped', async () => {
  const settings = { DATA_DIR: dataDir, PORT: String(await freePort()), DRAIN_S: '0' };
  const missing = await runLading(['status'], settings);
  assert.deepEqual(missing, {
    code: 3,
    stdout: '',
    stderr: `lading: there is no database in ${dataDir} yet: "npm start" creates it\n`,
  });

  const child = await readyService(settings);
  try {
    const running = await runLading(['status', '--json'], settings);
    assert.equal(running.code, 0, running.stdout + running.stderr);
    const status = JSON.parse(running.stdout);
    const { health, reasons, processes, uptime_s } = status.service;
    assert.deepEqual([health, reasons, processes.length, processes[0].pid], ['ready', [], 1, child.pid]);
    assert.ok(uptime_s >= 0 && uptime_s < 600, String(uptime_s));
    assert.equal(status.addresses.console, `http://127.0.0.1:${settings.PORT}/console`);
    assert.equal(status.database.kind, 'embedded');
    assert.ok(status.database.disk.free_bytes > 0 && status.database.size_bytes > 1_000_000);
    assert.deepEqual(status.accounts, { uat: 0, production: 0 });
  } finally {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }

  const stopped = await runLading(['status'], settings);
  assert.equal(stopped.code, 1);
  assert.match(stopped.stdout, /^service {4}not running$/m);
  assert.match(stopped.stdout, /^urgent {5}the service is not running: npm start$/m);
});

test('with DATABASE_URL: counts, and what is urgent with the command that helps', async () => {
  const { database } = app.store;
  const settings = { ...settingsFor(app.store), PORT: String(await freePort()) };
  const here = makeRunHere(settings);
  await database.read((sql) => sql`insert into stock_audit (lots, orders, findings) values (7, 3, 2)`);

  const { code, stdout } = await here.run('status');
  assert.equal(code, 1);
  assert.match(stdout, new RegExp(`^Lading {5}${version}, \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d: \\d urgent`, 'm'));
  assert.match(stdout, /^urgent {5}2 balances do not match: lading audit$/m);
  assert.match(stdout, /^database {3}PostgreSQL \d+\.\d+, primary, \d+\.\d MB$/m);
  assert.ok(stdout.trimEnd().split('\n').length <= 10, stdout);
  const { code: jsonCode, stdout: json } = await here.run('status --json');
  const status = JSON.parse(json);
  assert.deepEqual(
    [jsonCode, status.state, status.database.kind, status.database.disk],
    [1, 'urgent', 'postgresql', null],
  );
  assert.deepEqual(
    status.attention.find(({ kind }: { kind: string }) => kind === 'stock_audit'),
    { kind: 'stock_audit', severity: 'critical', what: '2 balances do not match', next: 'lading audit' },
  );
});

test('never more than ten lines, the urgent ones first', async () => {
  const { stdout } = await makeRunHere(settingsFor(app.store)).run('status --json');
  const status = JSON.parse(stdout);
  const items = Array.from({ length: 9 }, (_, index) => ({ ...status.attention[0], what: `item ${index}` }));
  const lines = formatStatus({ ...status, attention: items }).split('\n');
  assert.equal(lines.length, 10);
  assert.match(lines.at(-1)!, /^ {11}and 7 more: http\S+\/console$/);
});

test('on a terminal each state has its colour', async () => {
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/', TERM: 'xterm', ...settingsFor(app.store) };
  const launcher = new URL('../../bin/lading', import.meta.url).pathname;
  const child = spawn('script', ['-qefc', `${launcher} status`, '/dev/null'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) printed += chunk;
  assert.ok(printed.includes('\u001b[31murgent'), printed);
});
