import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCourteousPace } from './courteous-pace.ts';

/** A process on which each piece of work takes 10 ms, with the shares that the looks see; the waits of the pace. */
async function waitsOf(pieces: { leftOver: number; others: number }[]): Promise<number[]> {
  const waits: number[] = [];
  const shares = pieces.flatMap(({ leftOver, others }) => [leftOver, others]);
  let nowMs = 0;
  const pace = makeCourteousPace({
    nowMs: () => nowMs,
    async wait(ms) {
      waits.push(ms);
      nowMs += ms;
    },
    usedShare: () => shares.shift()!,
  });
  for (const _ of pieces) {
    nowMs += 10;
    await pace();
  }
  return waits;
}

test('what the work itself leaves behind is no reason to pause', async () => {
  assert.deepEqual(await waitsOf([{ leftOver: 1, others: 0.1 }]), [5, 10]);
});

test('beside others, long work takes one part of twenty, and goes on when they have ended', async () => {
  const pieces = [
    { leftOver: 0, others: 0.9 },
    { leftOver: 0, others: 0.2 },
  ];
  assert.deepEqual(await waitsOf(pieces), [5, 10, 190, 5, 10]);
});
