import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mostSimilar } from './similar-name.ts';

const names = ['sku_id', 'qty', 'consignee_name', 'consignee_phone', 'note', 'details'];

const meant: [given: string, expected: string | null][] = [
  ['consignee_nmae', 'consignee_name'],
  ['consigneeName', 'consignee_name'],
  ['consignee_nam', 'consignee_name'],
  ['skuid', 'sku_id'],
  ['SKU-ID', 'sku_id'],
  ['qyt', 'qty'],
  ['quantity', null],
  ['date', null],
  ['detail', 'details'],
  ['colour', null],
  ['', null],
  ['___', null],
];

test('a misspelled name, or one in another notation, is recognized; another word is not', () => {
  for (const [given, expected] of meant) assert.equal(mostSimilar(given, names), expected, given);
});

test('of several similar names the nearest one is meant', () => {
  assert.equal(mostSimilar('consignee_phne', ['consignee_name', 'consignee_phone']), 'consignee_phone');
});
