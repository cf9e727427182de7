import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { demoProvisioning } from '../../cli/demo-account.ts';
import { startTestApp } from '../support/app.ts';
import { blockNamed, readGuide } from './guide.ts';

const app = await startTestApp();
await app.http.listen({ host: '127.0.0.1', port: 0 });
const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
const issued = await app.provision(demoProvisioning);
const secretOf = (kind: string) => issued.find((one) => one.kind === kind)!.value;

/** The page with the address that this test has: nothing else is changed. */
const guide = readGuide('quickstart.md').replaceAll('http://127.0.0.1:8080', url);
const folder = mkdtempSync(join(tmpdir(), 'first-order-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const tree = fileURLToPath(new URL('../..', import.meta.url));

/** As in a terminal of a reader: the Node.js of the machine, the secrets in the environment, and no registry to be reached. */
async function inTerminal(script: string): Promise<string> {
  const env = {
    PATH: (process.env.PATH ?? '')
      .split(':')
      .filter((entry) => !entry.startsWith(tree))
      .join(':'),
    HOME: folder,
    LADING_SECRET: secretOf('account_secret'),
    LADING_CHECK_VALUE: secretOf('check_value'),
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
  return (await promisify(execFile)('sh', ['-ec', script], { cwd: folder, env })).stdout;
}

const npmIsHere = await inTerminal('npm --version').then(
  () => true,
  () => false,
);
const skip = npmIsHere ? false : 'npm is not on this machine';

/** Values that differ between services. */
function withoutNumbers(output: string): string {
  return output
    .trim()
    .replace(/^product \d+$/m, 'product N')
    .replace(/si_[0-9a-f]{20}/, 'si_N')
    .replace(/(ow_DEMO-QUICK-OUT-1_)[0-9a-f]{10}/g, '$1N');
}

const shown = withoutNumbers(blockNamed(guide, 'output'));

test('the quickstart, copied from the page into an empty folder, brings a first signed order', { skip }, async () => {
  await inTerminal(blockNamed(guide, 'install'));
  writeFileSync(join(folder, 'first-order.mjs'), blockNamed(guide, 'first-order.mjs'));
  assert.equal(withoutNumbers(await inTerminal(blockNamed(guide, 'run'))), shown);
});

test('run once more, it finds everything known and changes nothing', { skip }, async () => {
  assert.equal(withoutNumbers(await inTerminal(blockNamed(guide, 'run'))), shown.replaceAll(/new$/gm, 'known already'));
});

test('the five lines on the main API list the order', { skip }, async () => {
  writeFileSync(join(folder, 'orders.mjs'), blockNamed(guide, 'orders.mjs'));
  assert.equal(await inTerminal('node orders.mjs'), 'DEMO-QUICK-OUT-1 pending_warehouse_transfer\n');
});

test('the same program passes the type checker as TypeScript', { skip }, async () => {
  writeFileSync(join(folder, 'first-order.mts'), blockNamed(guide, 'first-order.mjs'));
  const check = blockNamed(guide, 'types').split('\n').at(-1)!;
  assert.equal(await inTerminal(withOurCompiler(check)), '');
});

test('compiled from TypeScript, it finds everything known as well', { skip }, async () => {
  rmSync(join(folder, 'first-order.mjs'));
  const printed = await inTerminal(withOurCompiler(blockNamed(guide, 'run-types')));
  assert.equal(withoutNumbers(printed), shown.replaceAll(/new$/gm, 'known already'));
});

/** Nothing is installed from a registry. */
function withOurCompiler(script: string): string {
  const tsc = join(tree, 'node_modules/.bin/tsc');
  return script.replace('npx tsc', `${tsc} --typeRoots ${join(tree, 'node_modules/@types')}`);
}
