import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskRecipient, namesSomebody } from './mask-recipient.ts';

const nobody = {
  ...{ country: null, name: null, phone: null, address: null, city: null, zip: null, customer_name: null, note: null },
  store_pickup_label_data: null,
};

test('what is not there stays so, and what is short shows nothing', () => {
  assert.deepEqual(maskRecipient(nobody), nobody);
  const short = { ...nobody, name: '王', phone: '12345678', address: '7號', customer_name: '' };
  assert.deepEqual(maskRecipient(short), { ...nobody, name: '**', phone: '***', address: '***', customer_name: '' });
});

test('a character outside of the basic plane is not cut in two', () => {
  assert.equal(maskRecipient({ ...nobody, name: '𠮷田太郎' }).name, '𠮷**');
});

test('a country and a city name nobody', () => {
  assert.equal(namesSomebody({ ...nobody, country: 'TW', city: '臺北市', note: '' }), false);
  assert.equal(namesSomebody({ ...nobody, note: '易碎' }), true);
});
