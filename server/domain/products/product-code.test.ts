import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareLocations } from './product-code.ts';

test('locations are in walking order: numbers by their value, and products without a location last', () => {
  const locations = ['B-1', null, 'A-10-2', 'A-2-30', 'a-2-4', 'A-2-4', '冷凍1'];
  assert.deepEqual(locations.toSorted(compareLocations), ['a-2-4', 'A-2-4', 'A-2-30', 'A-10-2', 'B-1', '冷凍1', null]);
});
