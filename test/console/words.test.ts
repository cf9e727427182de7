import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = fileURLToPath(new URL('../../console/', import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('dist/'));
const wordFiles = files.filter((name) => /(^|[/-])words\.ts$/.test(name) && name !== 'kit/define-words.ts');

/** Names that both languages write alike. */
const alikeByIntention = new Set(
  'Lading SKU API UAT URL IP HTTP ID JSON PostgreSQL Node.js Webhook 7-ELEVEN'.split(' '),
);

type Word = string | ((...values: unknown[]) => string);
interface List {
  [key: string]: Word | List;
}

/** Each text under its path: `verb.save`. */
function flatten(list: List, before = ''): Map<string, Word> {
  return new Map(
    Object.entries(list).flatMap(([key, value]) =>
      typeof value === 'object' ? [...flatten(value, `${before}${key}.`)] : [[before + key, value] as [string, Word]],
    ),
  );
}

/** A function is asked with something in the place of each value: what it says around them counts. */
function textOf(word: Word): string {
  return typeof word === 'string' ? word : word(...Array.from({ length: word.length }, () => '7'));
}

const lists = await Promise.all(
  wordFiles.map(async (name) => {
    const module = (await import(pathToFileURL(join(folder, name)).href)) as Record<
      string,
      { en: List; 'zh-TW': List }
    >;
    const listsOf = Object.values(module).filter((exported) => typeof exported === 'object' && 'en' in exported);
    return listsOf.map((words) => ({ name, en: flatten(words.en), chinese: flatten(words['zh-TW']) }));
  }),
).then((found) => found.flat());

test('there are words, of the parts and of every page', () => {
  const pages = new Set(
    files.filter((name) => name.endsWith('-page.tsx') && name.startsWith('pages/')).map((name) => name.split('/')[1]),
  );
  const worded = new Set(wordFiles.map((name) => name.split('/')[1]));
  assert.ok(pages.size > 0);
  assert.deepEqual(
    [...pages].filter((page) => !worded.has(page)),
    [],
  );
});

test('English has straight quotes: in the font for Chinese, curly ones are as wide as its characters', () => {
  const curly = lists.flatMap(({ name, en }) =>
    [...en].filter(([, word]) => /[‘’“”]/.test(textOf(word))).map(([key]) => `${name}: ${key}`),
  );
  assert.deepEqual(curly, []);
});

test('both languages have the same keys, and functions of as many values', () => {
  for (const { name, en, chinese } of lists) {
    const shape = (words: Map<string, Word>) =>
      [...words].map(([key, word]) => `${key}/${typeof word === 'string' ? 'text' : word.length}`).sort();
    assert.deepEqual(shape(chinese), shape(en), name);
  }
});

test('no text is empty, and Chinese is Chinese unless both languages write it alike', () => {
  const wrong = lists.flatMap(({ name, en, chinese }) =>
    [...chinese].flatMap(([key, word]) => {
      const [english, translated] = [textOf(en.get(key)!), textOf(word)];
      if (english.trim() === '' || translated.trim() === '') return [`${name}: ${key} is empty`];
      const hasNoLetters = !/\p{L}/u.test(translated);
      return /\p{Script=Han}/u.test(translated) || hasNoLetters || alikeByIntention.has(translated)
        ? []
        : [`${name}: ${key} = ${translated}`];
    }),
  );
  assert.deepEqual(wrong, []);
});

/** Visible texts of a page that are not in a list of words. */
function literalTexts(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const attributes = [
    ...code.matchAll(
      /\s(?:label|placeholder|title|description|hint|alt|aria-label|confirmLabel|subtitle)=(?:"([^"]*\p{L}[^"]*)"|\{'([^']*\p{L}[^']*)'\})/gu,
    ),
  ].map((match) => match[0].trim());
  const content = [
    ...code.matchAll(
      /<\/?[A-Za-z][^<>{}=]*(?:=(?:"[^"]*"|\{[^{}]*\})[^<>{}=]*)*>\s*([^<>{}()=;]*\p{L}{2,}[^<>{}()=;]*?)\s*(?=<\/|\{|<[A-Z])/gu,
    ),
  ]
    .map((match) => match[1]!)
    .filter((text) => !/^(extends|const|return)\b|[|&]|=>|^\s*,/.test(text));
  return [...attributes, ...content];
}

test('the scan for literal texts finds them', () => {
  const found = literalTexts(`
    const list = useState<string | null>(null); const other = (row: Row): Row => row;
    <Button onClick={() => go()}>Save all</Button>
    <p>Hello {name}</p>
    <TextInput label="Name" placeholder={say.name} />
    <b>{say.title}</b>
  `);
  assert.deepEqual(found, ['label="Name"', 'Save all', 'Hello']);
});

test('every visible text comes from a list of words', () => {
  const wrong = files
    .filter((name) => name.endsWith('.tsx'))
    .flatMap((name) => literalTexts(readFileSync(join(folder, name), 'utf8')).map((text) => `${name}: ${text}`));
  assert.deepEqual(wrong, []);
});

test("no page has a native date or time field, whose order of day and month depends on the operator'''s system", () => {
  const wrong = files
    .filter((name) => name.endsWith('.tsx'))
    .filter((name) =>
      /type=["{']+(date|datetime-local|month|time|week)\b/.test(readFileSync(join(folder, name), 'utf8')),
    );
  assert.deepEqual(wrong, []);
});
