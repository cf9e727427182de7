import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { runLading } from '../support/command.ts';
import { freePort } from '../support/free-port.ts';
import { eventually } from '../support/nodes.ts';

const launcher = fileURLToPath(new URL('../../bin/lading', import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), 'first-minutes-'));
// The database user of root must be able to enter it.
chmodSync(dataDir, 0o711);

const settings = { DATA_DIR: dataDir, PORT: String(await freePort()), DRAIN_S: '0' };

/** Starts the service in a terminal of its own. */
async function startInTerminal() {
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/', TERM: 'xterm-256color', ...settings };
  const child = spawn('script', ['-qefc', `${launcher} serve`, '/dev/null'], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let printed = '';
  const ready = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
      if (printed.includes('Ctrl-C stops it.')) resolve();
    });
  });
  await Promise.race([ready, exited]);
  const shownNow = () => stripVTControlCharacters(printed).replaceAll('\r', '');
  return { child, exited, shown: shownNow(), shownNow };
}

const { child, exited, shown, shownNow } = await startInTerminal();
after(async () => {
  child.stdin.write('\x03');
  await exited;
  rmSync(dataDir, { recursive: true, force: true });
});

test('on a terminal the first start is readable, and commands need no credentials afterwards', async () => {
  const file = join(dataDir, 'demo-credentials.env');
  assert.match(shown, new RegExp(`; commands read them from\n${file}:\n`));
  assert.match(shown, /^\d\d:\d\d:\d\d info {2}\S/m);
  assert.match(shown, new RegExp(`^│ console   http://127.0.0.1:${settings.PORT}/console +│$`, 'm'));
  assert.equal(statSync(file).mode & 0o777, 0o600);

  const calls: [path: string, body: string][] = [
    ['/warehouse/v1/product/sync', '{"sku_id":"TEA-1","sku_name":"Oolong tea","storage_type":1}'],
    ['/api/v2/default/getProductsData/searchList', '{}'],
    ['/logistics/purchases/purchase', '{}'],
  ];
  const statuses = await Promise.all(
    calls.map(async ([path, body]) => {
      const { stdout } = await runLading(['call', path, body, '--json'], settings);
      return JSON.parse(stdout).status;
    }),
  );
  // The form is empty, but its key is right.
  assert.deepEqual(statuses, [200, 200, 400]);
});

test('while the demo account is the only one, a receiver on this machine gets callbacks', async () => {
  assert.match(shown, /callbacks may go to this machine/);
  const received = Promise.withResolvers<string>();
  const receiver = createServer((request, response) => {
    received.resolve(String(request.headers['webhook-id']));
    response.end();
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const body = JSON.stringify({ event: 'order.shipped', callback_url: url });
  const sent = await runLading(['call', '/api/v2/default/callbacks/test', body, '--json'], settings);
  assert.equal(await received.promise, JSON.parse(sent.stdout).answer.retval.event_id);
  const other = await runLading(['account', 'create', 'OTHER', '--environment', 'uat'], settings);
  assert.equal(other.code, 0, other.stderr);
  const refused = await runLading(['callbacks', 'test', 'DEMO', '--event', 'order.shipped', '--url', url], settings);
  assert.deepEqual(
    [refused.code, refused.stderr],
    [1, 'lading: --url must not point to a private or reserved address\n'],
  );
  await eventually(async () => {
    const answer = await runLading(['call', '/api/v2/default/callbacks/test', body, '--json'], settings);
    return JSON.parse(answer.stdout).status === 400;
  });
  const ended = 'because DEMO is no longer the only account; CALLBACK_ALLOW_CIDRS=127.0.0.0/8 allows them';
  await eventually(async () => shownNow().includes(ended));
  assert.equal(shownNow().split('callbacks to this machine are refused from now on').length, 2);
  receiver.close();
});
