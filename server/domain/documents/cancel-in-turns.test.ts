import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitIntoTurns } from './cancel-in-turns.ts';

const sizes = [
  { partnerNumber: 'A', movements: 4 },
  { partnerNumber: 'B', movements: 6 },
  { partnerNumber: 'C', movements: 1 },
  { partnerNumber: 'D', movements: 99 },
];

test('a turn has at most the movements that it may have, or a single document; the order stays', () => {
  const turns = (...numbers: string[]) => splitIntoTurns(numbers, sizes, 10);
  assert.deepEqual(turns('A', 'B', 'C'), [['A', 'B'], ['C']]);
  assert.deepEqual(turns('C', 'D', 'A'), [['C'], ['D'], ['A']]);
  assert.deepEqual(turns('B', 'B', 'unknown', 'A'), [['B'], ['B', 'unknown', 'A']]);
  assert.deepEqual(turns('unknown', 'A', 'unknown'), [['unknown', 'A', 'unknown']]);
  assert.deepEqual(turns(), []);
});
