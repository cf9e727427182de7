import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatPosition, hasReached, laterOf, parsePosition } from './log-position.ts';

const at = (timeline: number, lsn: bigint) => ({ timeline, lsn });

test('a standby has reached a position if it has replayed as many bytes, on the same timeline or a later one', () => {
  assert.equal(hasReached(at(1, 100n), at(1, 100n)), true);
  assert.equal(hasReached(at(1, 99n), at(1, 100n)), false);
  assert.equal(hasReached(at(2, 100n), at(1, 100n)), true);
  // It may still lag: the position may be on the common part of both timelines.
  assert.equal(hasReached(at(2, 99n), at(1, 100n)), false);
  // It follows a primary that was replaced, however much it has replayed.
  assert.equal(hasReached(at(1, 500n), at(2, 100n)), false);
});

test('the later of two positions is the one on the later timeline, then the one with more bytes', () => {
  assert.deepEqual(laterOf(null, at(1, 1n)), at(1, 1n));
  assert.deepEqual(laterOf(at(1, 5n), at(1, 4n)), at(1, 5n));
  assert.deepEqual(laterOf(at(1, 5n), at(1, 6n)), at(1, 6n));
  assert.deepEqual(laterOf(at(1, 5n), at(2, 4n)), at(2, 4n));
  assert.deepEqual(laterOf(at(2, 4n), at(1, 5n)), at(2, 4n));
});

test('a position as text is read back exactly, and the order of the texts is that of the positions', () => {
  const positions = [at(1, 0n), at(1, 9n), at(1, 16n), at(1, 0xffff_ffff_ffff_fff0n), at(2, 1n), at(0x1a, 0n)];
  assert.deepEqual(
    positions.map((one) => parsePosition(formatPosition(one))),
    positions,
  );
  assert.deepEqual(positions.map(formatPosition).toSorted(), positions.map(formatPosition));
  for (const wrong of ['', 'now', '1/5', `${formatPosition(at(1, 1n))}0`, formatPosition(at(0x1a, 0n)).toUpperCase()])
    assert.equal(parsePosition(wrong), null, wrong);
});
