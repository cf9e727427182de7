import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { formatTime, type Look } from '../../cli/look.ts';
import { displayWidth, formatTable } from '../../cli/table.ts';
import { makeRunHere } from './run-here.ts';

const row = {
  number: 'OUT-1',
  status: 'shipped',
  at: '2026-11-18T17:28:23.123456Z',
  trace_id: '0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b',
  name: '烏龍茶禮盒',
};
const on = (width: number | null, utc = false): Look => ({ width, utc });

test('a table has whole values in a file; on a terminal, times are short, ids show their end, and the widest values are cut to its width', () => {
  assert.equal(
    formatTable([row], '', on(null)),
    [
      'number  status   at                   trace_id                              name',
      'OUT-1   shipped  2026-11-19 01:28:23  0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b  烏龍茶禮盒',
    ].join('\n'),
  );
  assert.equal(
    formatTable([row], '', on(60)),
    [
      'number  status   at           trace_id   name',
      'OUT-1   shipped  11-19 01:28  …9e0f1a2b  烏龍茶禮盒',
      'Some values are cut: --wide shows them whole, --json everything.',
    ].join('\n'),
  );
  for (const width of [50, 60, 70, 80, 90])
    for (const line of formatTable([row], '', on(width)).split('\n').slice(0, 2))
      assert.ok(displayWidth(line) <= width, `${width}: ${line}`);
  // However narrow it is, a time is whole.
  assert.match(formatTable([row], '', on(46)), / 11-19 01:28 {2}…\w+ +烏龍茶…$/m);
  assert.equal(formatTable([], 'no orders found', on(80)), 'no orders found');
});

test('times are in Asia/Taipei, or with --utc in UTC', () => {
  const time = new Date('2026-12-31T20:00:00Z');
  assert.deepEqual(
    [formatTime(time, on(null)), formatTime(time, on(null, true))],
    ['2027-01-01 04:00:00', '2026-12-31 20:00:00Z'],
  );
  assert.equal(formatTime('2027-01-01T04:00:00.5+08:00', on(null, true)), '2026-12-31 20:00:00Z');
});

test('bash completes commands, subcommands, options and the values of options', async () => {
  const { run } = makeRunHere({});
  const { stdout: script } = await run('completion bash');
  const completed = (...words: string[]) => {
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const ask = `COMP_WORDS=(lading ${quoted}); COMP_CWORD=${words.length}; _lading; echo "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['--norc', '-c', `${script}\n${ask}`], { encoding: 'utf8' }).trim();
  };
  assert.equal(completed('acc'), 'account');
  assert.equal(completed('--json', 'sto'), 'store stock');
  assert.equal(completed('account', 'ro'), 'rotate');
  assert.equal(completed('transfer', 'list', '--st'), '--status');
  assert.equal(completed('transfer', 'list', '--status', ''), 'sending rejected');
  assert.equal(completed('completion', 'z'), 'zsh');
  for (const shell of ['zsh', 'fish']) {
    const { code, stdout } = await run(`completion ${shell}`);
    assert.equal(code, 0);
    assert.match(stdout, /rotate.*generate a new secret for an account/s);
  }
});
