import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DocumentOptions, makeLadingDocument } from '../../reference/document.ts';
import { translateDocument } from '../../reference/language/translate-document.ts';
import { makeTranslator } from '../../reference/language/translator.ts';
import { chineseTexts, referenceTexts } from '../../reference/zh-TW/texts.ts';
import { stepTexts, tourWords } from '../../server/api/docs/tour-words.ts';
import { tryWords } from '../../server/api/docs/try-words.ts';
import { wordsIn } from '../../server/api/docs/words.ts';
import { generateErrorCatalogue } from '../../tools/generate-error-catalogue.ts';
import { styleComplaints } from './chinese-style.ts';
import { readGuide } from './guide.ts';

const options: DocumentOptions = {
  serverUrl: 'https://lading.example',
  warehouseBasePath: '/warehouse/v1',
  logisticsSegment: 'logistics',
  version: '1.0.0',
};
const english = makeLadingDocument(options);
const chinese = makeLadingDocument({ ...options, language: 'zh-TW' });

/** Translates everything that is published from the table: the reference, the error guide, generated parts of guides. */
function translateAll() {
  const translator = makeTranslator(chineseTexts);
  translateDocument(english, translator);
  translator.markdown(generateErrorCatalogue());
  for (const name of ['callbacks.md', 'signing.md', 'limits.md']) {
    const parts = readGuide(name).matchAll(/^<!-- (.*): npm run generate -->\n([\s\S]*?)^<!-- end of \1 -->$/gm);
    for (const part of parts) translator.markdown(part[2]!);
  }
  return translator;
}

test('every text of the reference, the error guide and the generated tables has a translation', () => {
  assert.deepEqual([...translateAll().missing], [], 'add the texts to a table in reference/zh-TW');
});

test('no translation of the reference is left over', () => {
  const { used } = translateAll();
  const unused = Object.keys(referenceTexts).filter((text) => !used.has(text));
  assert.deepEqual(unused, [], 'remove the texts from reference/zh-TW');
});

/** Every text for people, by its place. */
function textsOf(node: unknown, path = ''): [place: string, text: string][] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, part]): [string, string][] => {
    const place = `${path}/${key}`;
    if (typeof part === 'string') return /^(description|summary)$/.test(key) ? [[place, part]] : [];
    const hasValues =
      ['example', 'value', 'x-codeSamples'].includes(key) || (key === 'examples' && Array.isArray(part));
    return hasValues ? [] : textsOf(part, place);
  });
}

test('every description and summary of the Chinese document is in Chinese, except those that are only names', () => {
  const places = textsOf(chinese);
  assert.equal(places.length, textsOf(english).length);
  assert.ok(places.length > 1000);
  const words = (text: string) => text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`]*`/g, '');
  const foreign = places.filter(([, text]) => !/[\u3400-\u9fff]/.test(text) && /\p{L}/u.test(words(text)));
  assert.deepEqual(
    foreign.filter(([, text]) => !/^(logistics_type|express_type)$/.test(text)),
    [],
  );
});

test('both documents describe the same requests and responses, with the same values', () => {
  assert.deepEqual(withoutTexts(chinese), withoutTexts(english));
});

function withoutTexts(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutTexts);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, part]) => {
      const isText = typeof part === 'string' && /^(description|summary)$/.test(key);
      const isTagName =
        (key === 'name' && 'description' in node && !('in' in node)) || (key === 'name' && 'url' in node);
      return [key, isText || isTagName || key === 'tags' ? typeof part : withoutTexts(part)];
    }),
  );
}

test('the operations of the Chinese document are listed below its own tags', () => {
  const tags = (chinese.tags as { name: string }[]).map(({ name }) => name);
  assert.deepEqual(tags, ['主 API', '倉儲 API', '倉庫連接', '物流 Webhook', '維運']);
  const used = Object.values(chinese.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ tags: own }) => own),
  );
  assert.deepEqual(
    [...new Set(used)].toSorted(),
    tags.toSorted().filter((tag) => tag !== '倉庫連接'),
  );
});

test('causes and fixes of errors are in Chinese beside the English message that the service sends', () => {
  const { description } = (chinese.paths['/warehouse/v1/outbound/create']!.post!.responses['400'] ?? {}) as {
    description: string;
  };
  assert.match(
    description,
    /\| `unknown tenant` \| `unknown_tenant` \| 貨主沒有這個 `warehouse_tpw_id`。UAT 與正式環境的代碼不同。 \| 請使用營運方為此貨主提供的代碼。 \|/,
  );
});

test('code, fields and links are the same in both languages of every text', () => {
  const parts = (text: string) => new Set([...(text.match(/`[^`]+`/g) ?? []), ...(text.match(/\]\([^)]*\)/g) ?? [])]);
  const differing = Object.entries(referenceTexts).filter(([one, other]) => {
    const [ours, theirs] = [parts(one), parts(other)];
    return ours.size !== theirs.size || [...ours].some((part) => !theirs.has(part));
  });
  assert.deepEqual(differing, []);
});

test('every number of a text is in its translation', () => {
  const numbers = (text: string) => new Set(text.replaceAll(/`[^`]*`/g, '').match(/\d[\d,.]*\d|\d|\{\d\}/g));
  const lost = Object.entries(referenceTexts).filter(([one, other]) =>
    [...numbers(one)].some((value) => !numbers(other).has(value)),
  );
  assert.deepEqual(lost, []);
});

test('the texts of the reference are written as in Taiwan', () => {
  const complaints = Object.values(referenceTexts).flatMap((text) =>
    styleComplaints(text).map((one) => `${text}: ${one}`),
  );
  assert.deepEqual(complaints, []);
});

test('the words of the pages are written as in Taiwan, and none is left in English', () => {
  const words = [wordsIn, tourWords, stepTexts, tryWords].flatMap((texts) => {
    const english = new Map(wordsOf(texts.en));
    return wordsOf(texts['zh-TW']).map(([place, text]) => ({ text, english: english.get(place) }));
  });
  assert.ok(words.length > 200, `only ${words.length} words`);
  const complaints = words.flatMap(({ text }) => styleComplaints(text).map((one) => `${text}: ${one}`));
  assert.deepEqual(complaints, []);
  const untranslated = words.filter(({ text, english }) => text === english && / /.test(text));
  assert.deepEqual(untranslated, []);
});

/** Every text of an object and of the objects in it, by its place. */
function wordsOf(words: object, path = ''): [place: string, text: string][] {
  return Object.entries(words).flatMap(([key, part]: [string, unknown]): [string, string][] =>
    typeof part === 'string' ? [[`${path}/${key}`, part]] : wordsOf(part as object, `${path}/${key}`),
  );
}

test('a text without a translation stays in English, so that a page never fails', () => {
  const translator = makeTranslator({ 'Known text.': '已知的文字。', 'At most {1} units.': '最多 {1} 件。' });
  assert.equal(translator.text('Known text. At most 1,000 units.'), '已知的文字。最多 1,000 件。');
  assert.equal(translator.text('A new text.'), 'A new text.');
  assert.deepEqual([...translator.missing], ['A new text.']);
  assert.equal(translator.markdown('```\nKnown text.\n```'), '```\nKnown text.\n```');
});
