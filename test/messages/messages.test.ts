import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diagnosis } from '../../messages/diagnosis-texts.ts';
import { errorMessage } from '../../messages/errors.ts';
import { formatMessage, formatStored, tables } from '../../messages/format-message.ts';
import { readMessage, storeMessage } from '../../messages/message.ts';
import { describeMistakes } from '../../server/http/problem.ts';

const namesIn = (text: string) => new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));

test('every text is there in both languages, with the same params', () => {
  for (const [code, [english, chinese]] of tables.flatMap(Object.entries<readonly [string, string]>)) {
    assert.doesNotMatch(english, /\p{Script=Han}/u, code);
    assert.match(chinese, /\p{Script=Han}|^[^a-z]*(\{\w+\}[^a-z]*)+$/u, code);
    assert.deepEqual(namesIn(chinese), namesIn(english), code);
  }
});

/** Fields and headers, such as `Retry-After`. */
test('a text has the same code marks in both languages', () => {
  const marked = (text: string) => [...new Set(text.match(/`[^`]+`/g) ?? [])].sort();
  for (const [code, [english, chinese]] of tables.flatMap(Object.entries<readonly [string, string]>))
    assert.deepEqual(marked(chinese), marked(english), code);
});

test('a code belongs to one table', () => {
  const codes = tables.flatMap(Object.keys);
  assert.deepEqual(
    codes.filter((code, index) => codes.indexOf(code) !== index),
    [],
  );
});

test('messages inside a message are formatted in its language', () => {
  const message = diagnosis('body_differs', { way: diagnosis('json_sorted', { way: diagnosis('json_go') }) });
  assert.match(formatMessage(message), /: it was signed as Go's json\.Marshal writes it \(.*\), with sorted keys\. /);
  assert.match(formatMessage(message, 'zh-TW'), /：簽的是 Go json\.Marshal 的輸出（.*），且鍵經過排序。/);
  const list = { code: 'secret_of_other', params: { account: [diagnosis('body_empty'), diagnosis('body_lf')] } };
  assert.match(formatMessage(list, 'zh-TW'), /簽的是空的內容；簽的是 LF/);
});

test('several problems of a body are listed with their fields, and the others are counted', () => {
  const mistakes = [
    { path: ['sku_id'], message: errorMessage('field_missing') },
    { path: ['details', 0, 'qty'], message: errorMessage('below_minimum', { limit: 1 }) },
    { path: [], message: errorMessage('not_object') },
  ];
  const whole = describeMistakes(mistakes, 3);
  assert.equal(formatMessage(whole), 'sku_id is missing; details[0].qty must be >= 1; the body must be object');
  assert.equal(formatMessage(whole, 'zh-TW'), 'sku_id 未提供；details[0].qty 必須大於或等於 1；請求內容必須是物件');
  assert.equal(formatMessage(describeMistakes(mistakes, 1)), 'sku_id is missing (and 2 more)');
  assert.equal(formatMessage(describeMistakes(mistakes, 1), 'zh-TW'), 'sku_id 未提供（另有 2 項）');
});

test('a stored message comes back as it was; other text and older rows stay text', () => {
  const message = diagnosis('clock_skew', { seconds: -3600, max: 300 });
  assert.deepEqual(readMessage(storeMessage(message)), message);
  for (const text of ['', 'HTTP 503', 'the signature does not match', '{"code":"half', '{"status":"no"}'])
    assert.deepEqual([readMessage(text), storeMessage(text), formatStored(text)], [text, text, text]);
  assert.equal(readMessage(null), null);
});

test('values are inserted as they are, and a code of a newer version is shown with its values', () => {
  assert.match(
    formatMessage(diagnosis('secret_of_other', { account: '$& {account}' })),
    /of account \$& \{account\}\./,
  );
  assert.equal(formatMessage({ code: 'new', params: { a: 1 } }, 'zh-TW'), '{"code":"new","params":{"a":1}}');
});
