import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { drawings, readDrawing } from './support/drawings.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = ['bench', 'cli', 'console', 'contract', 'faults', 'sdk', 'server', 'test'].filter((folder) =>
  existsSync(join(root, folder)),
);

interface SourceFile {
  path: string;
  text: string;
  imports: string[];
}

const files: SourceFile[] = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/node_modules|^dist\//.test(name))
    .map((name) => readSource(join(folder, name))),
);
const product = files.filter(({ path }) => !/^(test|bench|faults)\//.test(path) && !path.endsWith('.test.ts'));

function readSource(path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) => match[1]!);
  return { path, text, imports: specifiers.map((specifier) => relative(root, resolve(root, dirname(path), specifier))) };
}

/** What may import what: the first rule whose folder fits a file is its rule. */
const directions: [folder: string, mayImport: string[]][] = [
  ['contract/', ['contract/']],
  ['sdk/', ['sdk/']],
  ['console/', ['console/', 'contract/console/']],
  ['server/platform/', ['server/platform/']],
  ['server/domain/partners/', ['server/domain/partners/', 'server/platform/']],
  ['server/domain/products/', ['server/domain/products/', 'server/domain/partners/', 'server/platform/']],
  ['server/domain/stock/', ['server/domain/stock/', 'server/domain/products/', 'server/domain/partners/', 'server/platform/']],
  ['server/domain/callbacks/', ['server/domain/callbacks/', 'server/domain/partners/', 'server/platform/']],
  ['server/domain/', ['server/domain/', 'server/platform/']],
  ['server/jobs/', ['server/jobs/', 'server/domain/', 'server/platform/', 'server/config.ts']],
  ['server/api/', ['server/api/', 'server/domain/', 'server/platform/', 'contract/']],
  ['server/', ['server/']],
  ['cli/', ['cli/', 'server/', 'sdk/', 'contract/']],
];

test('imports point one way', () => {
  const wrong = product.flatMap(({ path, imports }) => {
    const allowed = directions.find(([folder]) => path.startsWith(folder))?.[1];
    return allowed === undefined
      ? []
      : imports.filter((to) => !allowed.some((folder) => to.startsWith(folder))).map((to) => `${path} -> ${to}`);
  });
  assert.deepEqual(wrong, []);
});

test('the console knows the wire by its types only: no schema travels to a browser', () => {
  const values = /^import (?!type )[^;]*from '[./]+contract\//m;
  assert.deepEqual(
    product.filter(({ path, text }) => path.startsWith('console/') && values.test(text)).map(({ path }) => path),
    [],
  );
});

test('no contract of the API imports another one', () => {
  const contractOf = (path: string) => /^server\/api\/(\w+)\//.exec(path)?.[1];
  const wrong = product.flatMap(({ path, imports }) =>
    imports.filter((to) => contractOf(path) && contractOf(to) && contractOf(to) !== contractOf(path)).map((to) => `${path} -> ${to}`),
  );
  assert.deepEqual(wrong, []);
});

test('only config.ts reads the environment', () => {
  assert.deepEqual(pathsMatching(/process\.env/), ['server/config.ts']);
});

test('codes of the warehouse contract stand on the wire, in its API and its client, and in the words that the main API has in common with it', () => {
  const strangers = pathsMatching(/LST-TPW|PARAM_INVALID/).filter(
    (path) => !/^server\/api\/warehouse\/|^(contract|sdk)\/|^server\/api\/order-words\.ts$/.test(path),
  );
  assert.deepEqual(strangers, []);
});

test('the domain speaks SQL in its query files only, and knows no HTTP', () => {
  const domain = product.filter(({ path }) => path.startsWith('server/domain/'));
  const sqlElsewhere = domain.filter(({ path, text }) => !path.endsWith('-queries.ts') && /\b(sql|tx)(<[^`]*>)?`/.test(text));
  assert.deepEqual(
    sqlElsewhere.map(({ path }) => path),
    [],
  );
  const http = domain.filter(({ text }) => /from '(fastify|node:http|undici)'/.test(text));
  assert.deepEqual(
    http.map(({ path }) => path),
    [],
  );
});

test('no file is named for want of a subject', () => {
  const vague = files.filter(({ path }) => /(^|[/-])(index|utils?|helpers?|services?|managers?|common|misc)\.tsx?$/.test(path));
  assert.deepEqual(
    vague.map(({ path }) => path),
    [],
  );
});

for (const drawing of drawings) {
  test(`${drawing.path} is as the code would draw it`, () => {
    const text = readDrawing(drawing);
    assert.equal(text, drawing.draw(text), 'npm run draw writes it anew');
  });
}

function pathsMatching(pattern: RegExp): string[] {
  return product.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
}
