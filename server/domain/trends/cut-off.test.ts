import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CutOff, dueDay } from './cut-off.ts';

const onWeekdays: CutOff = { time: '15:00', workingDays: ['mon', 'tue', 'wed', 'thu', 'fri'] };
const due = (at: string, cutOff = onWeekdays) => dueDay(new Date(`${at}+08:00`), cutOff);

test('an order before the cut-off of a working day is due that day, and a later one on the next working day', () => {
  // 2026-11-16 is a Monday.
  assert.equal(due('2026-11-16T14:59:59.999'), '2026-11-16');
  assert.equal(due('2026-11-16T15:00:00'), '2026-11-17');
  assert.equal(due('2026-11-16T00:00:00'), '2026-11-16');
  assert.equal(due('2026-11-16T23:59:59'), '2026-11-17');
});

test('a weekend is skipped, also over the end of a month and of a year', () => {
  assert.equal(due('2026-11-20T15:30:00'), '2026-11-23');
  assert.equal(due('2026-11-21T09:00:00'), '2026-11-23');
  assert.equal(due('2026-10-30T16:00:00'), '2026-11-02');
  assert.equal(due('2027-12-31T16:00:00'), '2028-01-03');
});

test('a warehouse may work on any days, such as Sundays only', () => {
  const sundays: CutOff = { time: '09:30', workingDays: ['sun'] };
  assert.equal(due('2026-11-15T09:29:00', sundays), '2026-11-15');
  assert.equal(due('2026-11-15T09:30:00', sundays), '2026-11-22');
  assert.equal(due('2026-11-16T08:00:00', sundays), '2026-11-22');
});
