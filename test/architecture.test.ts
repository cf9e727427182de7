import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { generatedFiles, readGenerated } from '../tools/generate.ts';
import {
  functionLinesMax,
  importCyclesOf,
  type LongFunction,
  longFunctionsOf,
  readTree,
} from '../tools/measure-tree.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = [
  'bench',
  'cli',
  'console',
  'contract',
  'faults',
  'messages',
  'reference',
  'sdk',
  'server',
  'test',
  'tools',
].filter((folder) => existsSync(join(root, folder)));

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
const tree = readTree(root);
const product = files.filter(({ path }) => !/^(test|bench|faults|tools)\//.test(path) && !path.endsWith('.test.ts'));

function readSource(path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8');
  const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) => match[1]!);
  return {
    path,
    text,
    imports: specifiers.map((specifier) => relative(root, resolve(root, dirname(path), specifier))),
  };
}

/** Allowed imports: the first rule whose folder contains a file applies to it. */
const directions: [folder: string, mayImport: string[]][] = [
  ['messages/', ['messages/']],
  ['contract/', ['contract/', 'messages/']],
  ['reference/', ['reference/', 'contract/', 'messages/']],
  ['sdk/', ['sdk/']],
  // Files are read by the same code in the browser and by the commands.
  ['console/', ['console/', 'contract/console/', 'server/platform/csv.ts']],
  ['server/platform/', ['server/platform/']],
  ['server/domain/partners/', ['server/domain/partners/', 'server/platform/']],
  ['server/domain/products/', ['server/domain/products/', 'server/domain/partners/', 'server/platform/']],
  [
    'server/domain/stock/',
    ['server/domain/stock/', 'server/domain/products/', 'server/domain/partners/', 'server/platform/'],
  ],
  ['server/domain/callbacks/', ['server/domain/callbacks/', 'server/domain/partners/', 'server/platform/']],
  ['server/domain/', ['server/domain/', 'server/platform/']],
  // Lists of errors and warnings are the same in every contract.
  ['server/http/', ['server/http/', 'server/domain/', 'server/platform/', 'contract/errors/']],
  ['server/signature-doctor/', ['server/signature-doctor/', 'server/domain/', 'server/platform/']],
  ['server/jobs/', ['server/jobs/', 'server/domain/', 'server/platform/', 'server/config.ts']],
  [
    'server/api/',
    [
      ...['server/api/', 'server/http/', 'server/signature-doctor/', 'server/domain/', 'server/platform/'],
      ...['contract/', 'reference/'],
    ],
  ],
  ['server/', ['server/']],
  ['cli/', ['cli/', 'server/', 'sdk/', 'contract/', 'reference/']],
];

test('imports point one way', () => {
  const wrong = product.flatMap(({ path, imports }) => {
    const allowed = directions.find(([folder]) => path.startsWith(folder))?.[1];
    // The CLI and the log have the texts in English, the console has them in both languages.
    const mayFormat = /^(server|cli|console)\//.test(path);
    return allowed === undefined
      ? []
      : imports
          .filter(
            (to) => !(mayFormat && to.startsWith('messages/')) && !allowed.some((folder) => to.startsWith(folder)),
          )
          .map((to) => `${path} -> ${to}`);
  });
  assert.deepEqual(wrong, []);
});

test('no file imports itself through others, type imports included', () => {
  assert.deepEqual(importCyclesOf(tree), []);
});

const allowedLongFunctions: LongFunction[] = JSON.parse(readFileSync(join(root, 'test/long-functions.json'), 'utf8'));

test(`no function has more than ${functionLinesMax} lines, except those in test/long-functions.json, which may not grow`, () => {
  const allowedLines = new Map(allowedLongFunctions.map(({ path, name, lines }) => [`${path} ${name}`, lines]));
  const tooLong = longFunctionsOf(tree).filter(
    ({ path, name, lines }) => lines > (allowedLines.get(`${path} ${name}`) ?? 0),
  );
  assert.deepEqual(tooLong, []);
});

test('test/long-functions.json has no entry that is no longer needed', () => {
  const stillLong = new Set(longFunctionsOf(tree).map(({ path, name }) => `${path} ${name}`));
  const unneeded = allowedLongFunctions.filter(({ path, name }) => !stillLong.has(`${path} ${name}`));
  assert.deepEqual(unneeded, []);
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
    imports
      .filter((to) => contractOf(path) && contractOf(to) && contractOf(to) !== contractOf(path))
      .map((to) => `${path} -> ${to}`),
  );
  assert.deepEqual(wrong, []);
});

test('only config.ts reads the environment', () => {
  assert.deepEqual(pathsMatching(/process\.env/), ['server/config.ts']);
});

test('codes of the warehouse contract stand on the wire, in its API and its client, and in the words that the main API has in common with it', () => {
  const strangers = pathsMatching(/LST-TPW|PARAM_INVALID/).filter(
    (path) => !/^server\/api\/warehouse\/|^(contract|reference|sdk)\/|^server\/api\/order-responses\.ts$/.test(path),
  );
  assert.deepEqual(strangers, []);
});

test('the domain speaks SQL in its query files only, and knows no HTTP', () => {
  const domain = product.filter(({ path }) => path.startsWith('server/domain/'));
  const sqlElsewhere = domain.filter(
    ({ path, text }) => !path.endsWith('-queries.ts') && /\b(sql|tx)(<[^`]*>)?`/.test(text),
  );
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
  const vague = files.filter(({ path }) =>
    /(^|[/-])(index|utils?|helpers?|services?|managers?|common|misc)\.tsx?$/.test(path),
  );
  assert.deepEqual(
    vague.map(({ path }) => path),
    [],
  );
});

for (const file of generatedFiles) {
  test(`${file.path} is up to date with the code`, () => {
    const text = readGenerated(file);
    assert.equal(text, file.generate(text), 'run npm run generate');
  });
}

test('documents name only files and folders that exist', () => {
  const decisions = readdirSync(join(root, 'docs/decisions')).map((name) => `docs/decisions/${name}`);
  const documents = [
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'README.md',
    'SECURITY.md',
    'docs/operating.md',
    ...decisions,
  ];
  const ourPath = new RegExp(`\`((?:${folders.join('|')}|migrations)/[\\w./-]+(?:/|\\.\\w+))\``, 'g');
  const missing = documents.flatMap((document) => {
    const text = readFileSync(join(root, document), 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map((match) => join(dirname(document), match[1]!));
    const paths = [...text.matchAll(ourPath)].map((match) => match[1]!);
    return [...links, ...paths].filter((path) => !existsSync(join(root, path))).map((path) => `${document}: ${path}`);
  });
  assert.deepEqual(missing, []);
});

function pathsMatching(pattern: RegExp): string[] {
  return product.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
}
