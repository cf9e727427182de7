import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { acceptTranslations, recordDigests } from '../../tools/translations/accept.ts';
import { comparePage } from '../../tools/translations/compare-page.ts';
import { type TranslatedPage, translatedPages, translatedPartOf } from '../../tools/translations/pages.ts';
import { styleComplaints } from './chinese-style.ts';
import { blocksOf, readGuide } from './guide.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** These report measurements, and are in English only. */
const englishOnly = ['performance.md', 'reliability.md'];

test('every guide for partners is translated, except reports of measurements', () => {
  const [forPartners] = readGuide('README.md').split('\n## For operators\n');
  const guides = [...forPartners!.matchAll(/\]\(([\w-]+\.md)\)/g)].map((match) => match[1]!);
  const translated = new Set(translatedPages.map(({ english }) => english));
  const missing = guides.filter((name) => !englishOnly.includes(name) && !translated.has(`docs/${name}`));
  assert.deepEqual(missing, []);
});

for (const page of translatedPages) {
  test(`${page.chinese} says what ${page.english} says: headings, rows of tables, links and names are the same`, () => {
    assert.deepEqual(comparePage(read(page.english), read(page.chinese), page), []);
  });

  test(`${page.chinese} has the code of ${page.english}, byte for byte`, () => {
    assert.deepEqual(blocksOf(read(page.chinese)), blocksOf(translatedPartOf(read(page.english), page)));
  });

  test(`${page.chinese} is written as in Taiwan`, () => {
    assert.deepEqual(styleComplaints(read(page.chinese)), []);
  });
}

test('README files have a link to the other language', () => {
  for (const folder of ['', 'sdk/']) {
    assert.match(read(`${folder}README.md`), /^\[繁體中文\]\(README\.zh-TW\.md\)$/m);
    assert.match(read(`${folder}README.zh-TW.md`), /^\[English\]\(README\.md\)$/m);
  }
});

const page: TranslatedPage = { english: 'docs/quickstart.md', chinese: 'docs/zh-TW/quickstart.md' };
const [english, chinese] = [read(page.english), read(page.chinese)];

test('an English text that changes makes its translation outdated, and the message says what to do', () => {
  const changed = english.replace('Keep it in the environment', 'Keep it in a secret store');
  assert.notEqual(changed, english);
  assert.deepEqual(comparePage(changed, chinese, page), [
    'docs/zh-TW/quickstart.md: section "2. 密鑰" ("2. The secret") is older than the English text. Compare it with docs/quickstart.md, translate what has changed in docs/zh-TW/quickstart.md, then run: npm run generate -- --accept-translations docs/zh-TW/quickstart.md',
  ]);
  assert.deepEqual(comparePage(changed, recordDigests(changed, chinese, page), page), []);
});

test('other line breaks and other code do not make a translation outdated', () => {
  const changed = english.replace('Keep it in', 'Keep it\nin').replaceAll('Oolong tea', 'Green tea');
  assert.deepEqual(comparePage(changed, chinese, page), []);
});

const losses: [what: string, lose: (text: string) => string, complaint: RegExp][] = [
  ['a heading', (text) => text.replace('## 接下來', '接下來'), /has other headings/],
  ['a row of a table', (text) => text.replace(/^\| `RefusedError: unknown tenant.*\n/m, ''), /rows of tables/],
  ['a link', (text) => text.replace(/\[環境\]\([^)]*\)/, '環境'), /its links: missing environments\.md/],
  ['a link to a section', (text) => text.replace(/(errors\.md)#[^)]*/, '$1'), /its links: missing \S*errors\.md#/],
  [
    'the name of a field',
    (text) => text.replaceAll('`warehouse_tpw_id`', '`warehouse_id`'),
    /its names: missing `warehouse_tpw_id`/,
  ],
];
for (const [what, lose, complaint] of losses) {
  test(`a translation that loses ${what} is found`, () => {
    const lost = lose(chinese);
    assert.notEqual(lost, chinese);
    assert.match(comparePage(english, lost, page).join('\n'), complaint);
  });
}

test('accepting a page that is no translation changes nothing', () => {
  assert.throws(() => acceptTranslations(['docs/quickstart.md']), /not a translated page: docs\/quickstart\.md/);
});
