import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, suite, test } from 'node:test';
import { runLading, startLading } from '../support/command.ts';

/** A folder for temporary files of its own, and settings that the demo must ignore: they could lead to real data. */
function makePlace(): { folder: string; env: Record<string, string> } {
  const folder = mkdtempSync(join(tmpdir(), 'demo-test-'));
  // As root the database of the demo runs as somebody else, who must get through.
  chmodSync(folder, 0o711);
  after(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    env: { TMPDIR: folder, DATA_DIR: join(folder, 'own'), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
  };
}

/** Processes that name the folder of the demo in their command line, on systems with /proc. */
function processesIn(place: string): string[] {
  let pids: string[] = [];
  try {
    pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
  return pids.map(commandOf).filter((command) => command.includes(place));
}

function commandOf(pid: string): string {
  try {
    return readFileSync(join('/proc', pid, 'cmdline'), 'utf8');
  } catch {
    return '';
  }
}

function assertNothingLeft(folder: string): void {
  assert.deepEqual(readdirSync(folder), []);
  assert.deepEqual(processesIn(folder), []);
}

// Both wait most of the time.
suite('lading demo', { concurrency: 2 }, () => {
  test('the demo shows every step on a service of its own, and leaves nothing behind', async () => {
    const { folder, env } = makePlace();
    const { code, stdout, stderr } = await runLading(['demo'], env);
    assert.deepEqual([code, stderr], [0, ''], stdout);

    for (const part of [
      /ACT ONE {2}.*\nThe partner's account SHOP-UAT is a UAT account/,
      /→ POST \/warehouse\/v1\/product\/sync\n {6}account-no: SHOP-UAT {3}timestamp: \d{10} {3}sign: [0-9a-f]{10}…\n/,
      /→ POST \/warehouse\/v1\/inbound\/create\n/,
      /\{"expire_date":"2030-06-30","qty":10,"qty_lock":10,"qty_available":0\}/,
      /← 400 PARAM_INVALID: sku TEA-1 available=18 < requested=100\n/,
      /→ POST \/warehouse\/v1\/inbound\/return\n/,
      /\{"outbound_short_id":"OUT-2","status":"cancelled"\}/,
      /"orders_id":"ow_OUT-1_[0-9a-f]+","idempotent":true\}/,
      /← 400 LST-TPW-2001: /,
      /"status":"refused"/,
      /"status":"pending_warehouse_transfer"\}\]\}/,
      /ACT TWO /,
      /← 200 success {2}\{"document_no":"SO-1","status":"awaiting_stock","idempotent":false\}/,
      /"event":"inbound\.received"/,
      /"event":"order\.shipped","document_no":"SO-1","status":"shipped","shipment_no":"SIM-2-\w+"/,
      /\{"stock_type":"good","qty":15,"qty_lock":0,"qty_available":15\}/,
      /\$ lading audit\n.*the books match\n/,
      /npm start .*\n.*\/docs .*\n.*README\.md /,
    ]) {
      assert.match(stdout, part);
    }
    const states = [...stdout.matchAll(/^ {4}← [\d:]{8} {2}\w+ +(\w+) +by /gm)].map(([, state]) => state);
    const steps = 'awaiting_stock pending_warehouse_transfer in_warehouse picking packed shipped';
    assert.equal(states.join(' '), steps);
    assert.equal(stdout.match(/→ 200 the signature is valid\n/g)?.length, 2);
    assert.equal(stdout.includes('\u001b['), false, 'no colour where there is no terminal');
    for (const line of stdout.split('\n')) assert.ok(line.length <= 100, line);
    assertNothingLeft(folder);
  });

  test('a demo that is interrupted leaves nothing behind either', async () => {
    const { folder, env } = makePlace();
    const child = startLading(['demo', '--json'], env);
    const ended = once(child, 'close');
    const [line] = await once(createInterface({ input: child.stdout! }), 'line');
    assert.deepEqual([JSON.parse(line).step, JSON.parse(line).ok], [1, true]);
    assert.notDeepEqual(readdirSync(folder), []);

    child.kill('SIGINT');

    const [code] = await ended;
    assert.equal(code, 130);
    assertNothingLeft(folder);
  });
});
