import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../../', import.meta.url);
const text = readFileSync(new URL('SECURITY.md', root), 'utf8');
const table = /## Threat model\n([\s\S]*?)\n## /.exec(text)![1]!;
const rows = table
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| attacker'))
  .map((line) => line.slice(2, -2).split(' | '));
const reference = /\[[\w-]+\]\(([^)]+)\) "(.+?)"(?=; \[|$)/g;

test('every row of the threat model names tests that exist under these titles', () => {
  assert.ok(rows.length > 30);
  const wrong = rows.flatMap(([, , defence, cell]) => {
    const named = [...cell!.matchAll(reference)];
    if (named.length === 0) return [`no test: ${defence}`];
    const left = cell!.replaceAll(reference, '').replaceAll('; ', '');
    if (left !== '') return [`cannot be read: ${left}`];
    return named
      .filter(([, path, title]) => {
        const file = new URL(path!, root);
        return !existsSync(file) || !readFileSync(file, 'utf8').includes(`test('${title}'`);
      })
      .map(([, path, title]) => `${path} has no test "${title}"`);
  });
  assert.deepEqual(wrong, []);
});
