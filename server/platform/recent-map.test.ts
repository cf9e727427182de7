import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRecentMap } from './recent-map.ts';

test('never more than the maximum is held, and the newest are among it', () => {
  const map = makeRecentMap<number>(100);
  for (let index = 0; index < 10_000; index++) map.set(`key-${index}`, index);
  const held = Array.from({ length: 10_000 }, (_, index) => index).filter((index) => map.get(`key-${index}`) !== undefined);
  assert.ok(held.length <= 100, `${held.length} are held`);
  assert.deepEqual(
    held.slice(-50),
    Array.from({ length: 50 }, (_, index) => 9950 + index),
  );
});

test('what is used again and again stays', () => {
  const map = makeRecentMap<string>(100);
  map.set('used', 'still here');
  for (let index = 0; index < 10_000; index++) {
    map.set(`key-${index}`, '');
    assert.equal(map.get('used'), 'still here');
  }
});

test('what was deleted is gone, and a new value takes the place of the old one', () => {
  const map = makeRecentMap<number>(4);
  map.set('a', 1);
  map.set('b', 1);
  map.set('c', 1);
  map.set('a', 2);
  assert.equal(map.get('a'), 2);
  map.delete('a');
  assert.equal(map.get('a'), undefined);
});
