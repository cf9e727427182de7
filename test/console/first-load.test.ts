import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

const folder = process.env.LADING_TEST_CONSOLE ?? fileURLToPath(new URL('../../console/dist', import.meta.url));
const assets = join(folder, 'assets');
/** Over a connection of 10 Mbit/s, a quarter of a second. */
const scriptBytesMax = 300_000;

/** The scripts that must be there before the page is: those of the document, of the page itself, and whatever these import at once. */
function scriptsOf(pageName: string): Set<string> {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const first = [...page.matchAll(/"\.\/assets\/([^"]+\.js)"/g)].map(([, name]) => name!);
  const own = readdirSync(assets).filter((name) => name.startsWith(`${pageName}-`) && name.endsWith('.js'));
  assert.ok(first.length > 0 && own.length === 1, `${first} ${own}`);
  const found = new Set<string>();
  const waiting = [...first, ...own];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    const text = readFileSync(join(assets, name), 'utf8');
    waiting.push(...[...text.matchAll(/(?:from|import)\s*"(\.\/[^"]+\.js)"/g)].map(([, path]) => basename(path!)));
  }
  return found;
}

function compressedBytes(name: string): number {
  const compressed = join(assets, `${name}.br`);
  return existsSync(compressed) ? readFileSync(compressed).length : brotliCompressSync(readFileSync(join(assets, name))).length;
}

for (const pageName of ['sign-in-page', 'home-page']) {
  test(`the scripts of ${pageName} are less than 300 KB, compressed`, () => {
    const scripts = scriptsOf(pageName);
    const bytes = [...scripts].reduce((sum, name) => sum + compressedBytes(name), 0);
    assert.ok(scripts.size > 3 && bytes > 50_000, `${[...scripts]}`);
    assert.ok(bytes < scriptBytesMax, `${bytes} bytes in ${[...scripts]}`);
  });
}
