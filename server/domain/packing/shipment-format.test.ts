import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brokenFormat } from './shipment-format.ts';

test('a number breaks the rule of its carrier by its length or its letters; separators do not matter', () => {
  const fits = (shipmentNo: string, carrier: string | null) => brokenFormat(shipmentNo, carrier) === null;
  assert.deepEqual(
    ['901230160565', '9012-3016-0565', '90123016056', 'A01230160565'].map((number) => fits(number, 'tcat')),
    [true, true, false, false],
  );
  assert.deepEqual(
    ['1234567890', '901230160565'].map((number) => fits(number, 'hct')),
    [true, false],
  );
  assert.equal(brokenFormat('1', '黑貓宅急便')?.digits, 12);
  assert.equal(brokenFormat('1', ' TCAT ')?.digits, 12);
});

test('a carrier without a rule is not checked', () => {
  for (const carrier of ['post', 'pcsc', 'family', 'hilife', 'somebody', 'constructor', '', null])
    assert.equal(brokenFormat('ANY-1', carrier), null, String(carrier));
});
