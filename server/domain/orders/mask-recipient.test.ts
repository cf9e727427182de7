import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskAddress, maskCallbackBody, maskName, maskPhone, maskRecipient, namesSomebody } from './mask-recipient.ts';
import { nobody } from './recipient.ts';
import { makeRedact, redactMessage } from './redact-recipient.ts';

function masks(mask: (text: string) => string, expected: Record<string, string>): void {
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((text) => [text, mask(text)])), expected);
}

test('a Chinese name keeps its first and last character, another name the first letter of its first and last word', () => {
  masks(maskName, {
    王小明: '王○明',
    王明: '王○',
    王: '○',
    歐陽小明: '歐○○明',
    '司馬 中原之子': '司○○子',
    𠮷田太郎: '𠮷○○郎',
    'Lin Mei-hua': 'L** M**',
    'Maria del Carmen Garcia': 'M** G**',
    Wang: 'W**',
    W: '**',
    '王小明 Wang': '王** W**',
  });
});

test('a phone number keeps its last three digits, and a mobile number its form; a short one is hidden', () => {
  masks(maskPhone, {
    '0912-345-678': '09xx-xxx-678',
    '0912345678': '09xx-xxx-678',
    '+886 912 345 678': '09xx-xxx-678',
    '０９１２３４５６７８': '09xx-xxx-678',
    '02-2345-6789': 'xxx-xxx-789',
    '12345678': 'xxx',
    'call me': 'xxx',
  });
});

test('an address keeps its city and district, and nothing that could be a street or a name', () => {
  masks(maskAddress, {
    '110臺北市信義區信義路五段7號': '臺北市信義區***',
    '台北市 中正區 忠孝東路1號': '台北市中正區***',
    新竹縣竹北市光明六路10號: '新竹縣竹北市***',
    臺北市: '臺北市',
    信義路五段7號: '***',
    王小明: '***',
    'No. 1, Example Road, Zhongzheng District, Taipei City': '***, Zhongzheng District, Taipei City',
    'Kaohsiung City': 'Kaohsiung City',
    '7 Test Road': '***',
  });
});

test('missing values stay missing; zip, note and label values are hidden, and the names of label fields stay', () => {
  assert.deepEqual(maskRecipient(nobody), nobody);
  assert.deepEqual(maskRecipient({ ...nobody, customer_name: '', note: '' }), {
    ...nobody,
    customer_name: '',
    note: '',
  });
  const label = { store: { name: '信義門市', code: 991 }, tags: ['0912345678', null, true] };
  assert.deepEqual(maskRecipient({ ...nobody, zip: '110', note: 'ring', store_pickup_label_data: label }), {
    ...nobody,
    zip: '***',
    note: '***',
    store_pickup_label_data: { store: { name: '***', code: '***' }, tags: ['***', null, '***'] },
  });
});

test('the body of a callback has its note masked, and stays the same without one', () => {
  assert.equal(maskCallbackBody('{"event_id":"1","note":"ring 0912345678"}'), '{"event_id":"1","note":"***"}');
  assert.equal(maskCallbackBody('{"event_id":"1","note":null}'), '{"event_id":"1","note":null}');
  assert.equal(maskCallbackBody('{}'), '{}');
});

test('a country and a city are not personal data', () => {
  assert.equal(namesSomebody({ ...nobody, country: 'TW', city: '臺北市', note: '' }), false);
  assert.equal(namesSomebody({ ...nobody, note: '易碎' }), true);
});

test('texts of others: values are masked as sent, with other separators and escaped; similar numbers stay', () => {
  const redact = makeRedact([
    {
      ...{
        country: 'TW',
        name: '王小明',
        phone: '0912-345-678',
        address: '信義路五段7號(3樓)',
        city: '臺北市',
        zip: '110',
      },
      ...{ customer_name: 'Lin "Mei"', note: '請打 0912345678', store_pickup_label_data: { code: 'A-77', pin: 12345 } },
    },
    null,
  ]);
  const cases: [given: string, masked: string][] = [
    ['王小明先生', '王○明先生'],
    ['"\\u738b\\u5c0f\\u660e"', '"王○明"'],
    ['{"c":"Lin \\"Mei\\""}', '{"c":"L** "**"}'],
    ['0912345678, 0912 345 678, +886-912-345-678', '09xx-xxx-678, 09xx-xxx-678, 09xx-xxx-678'],
    ['note: 請打 0912345678!', 'note: ***!'],
    ['信義路五段7號(3樓) 臺北市', '*** 臺北市'],
    ['A-77 12345', '*** ***'],
    ['10912345678 and 09123456789 and 110', '10912345678 and 09123456789 and 110'],
  ];
  for (const [given, masked] of cases) assert.equal(redact(given), masked);
  const message = {
    code: 'A-77',
    params: { reason: '王小明', count: 5, more: [{ code: 'x', params: { at: 'A-77' } }] },
  };
  assert.deepEqual(redactMessage(message, redact), {
    code: 'A-77',
    params: { reason: '王○明', count: 5, more: [{ code: 'x', params: { at: '***' } }] },
  });
  assert.deepEqual([redactMessage('王小明', redact), redactMessage(null, redact)], ['王○明', null]);
});
