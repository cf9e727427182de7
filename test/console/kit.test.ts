import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeFirstPage } from '../../console/kit/merge-first-page.ts';
import { safeReturnPath, signInPath } from '../../console/kit/return-path.ts';
import { formatDate, formatInstant, relativeText } from '../../console/kit/time-text.ts';
import {
  choicesFilter,
  datesFilter,
  flagFilter,
  picksFilter,
  readFilters,
  textFilter,
  writeFilters,
} from '../../console/kit/url-filters.ts';

const row = (key: string, state = 'old') => ({ key, state });
const keyOf = ({ key }: { key: string }) => key;

test('rows that are shown change in their places; others wait until they are asked for', () => {
  const shown = [row('c'), row('b'), row('a')];
  assert.deepEqual(mergeFirstPage(shown, { rows: [row('c'), row('b', 'new')], isLast: false }, keyOf), {
    rows: [row('c'), row('b', 'new'), row('a')],
    newCount: 0,
    hasMoved: false,
  });
  assert.deepEqual(mergeFirstPage(shown, { rows: [row('e'), row('d'), row('c', 'new')], isLast: false }, keyOf), {
    rows: [row('c', 'new'), row('b'), row('a')],
    newCount: 2,
    hasMoved: true,
  });
  assert.equal(mergeFirstPage(shown, { rows: [row('b'), row('c')], isLast: false }, keyOf).hasMoved, true);
});

test('a list that has become shorter says so, at its beginning or its end, and keeps its rows until one asks', () => {
  const shown = [row('b'), row('a')];
  for (const rows of [[row('a')], [row('b')]]) {
    assert.deepEqual(mergeFirstPage(shown, { rows, isLast: true }, keyOf), { rows: shown, newCount: 0, hasMoved: true });
  }
});

test('after the sign-in one returns to a page of the console and nowhere else', () => {
  const unsafe = [null, '', 'orders', '//evil.example', '/\\evil.example', 'https://evil.example', '/a\nb', '/sign-in?return=%2F'];
  for (const path of unsafe) assert.equal(safeReturnPath(path), '/', String(path));
  assert.equal(safeReturnPath('/orders?status=picking'), '/orders?status=picking');
  assert.equal(signInPath({ pathname: '/orders', search: '?a=1' }), '/sign-in?return=%2Forders%3Fa%3D1');
  assert.equal(signInPath({ pathname: '/', search: '' }), '/sign-in');
});

test('times are those of Taipei', () => {
  assert.equal(formatInstant('2026-11-15T16:30:05Z'), '2026-11-16 00:30:05');
  assert.equal(formatDate('2026-11-15T16:30:05Z'), '2026-11-16');
  assert.equal(formatDate('2027-06-30'), '2027-06-30');
});

test('a time is told from now, in both languages, and beyond two weeks by its date', () => {
  const now = new Date('2026-11-16T12:00:00Z');
  assert.equal(relativeText('2026-11-16T11:59:30Z', now, 'en', 'just now'), 'just now');
  assert.equal(relativeText('2026-11-16T11:55:00Z', now, 'en', 'just now'), '5 min. ago');
  assert.equal(relativeText('2026-11-16T09:00:00Z', now, 'zh-TW', '剛剛'), '3 小時前');
  assert.equal(relativeText('2026-11-18T12:00:00Z', now, 'en', 'just now'), 'in 2 days');
  assert.equal(relativeText('2026-10-01T00:00:00Z', now, 'en', 'just now'), '2026-10-01');
});

test('filters are read from the address, whatever stands there, and always written in the same order', () => {
  const description = {
    text: textFilter,
    status: choicesFilter(['picking', 'packed']),
    accounts: picksFilter,
    created: datesFilter,
    late: flagFilter,
  } as const;
  const given = new URLSearchParams(
    'late=1&created_to=2026-11-16&created_from=yesterday&accounts=2,1,1&status=packed,stolen&text=+a+&tab=lines',
  );
  const values = readFilters(description, given);
  assert.deepEqual(values, {
    text: 'a',
    status: ['packed'],
    accounts: ['2', '1'],
    created: { from: null, to: '2026-11-16' },
    late: true,
  });
  assert.equal(
    writeFilters(description, values, given).toString(),
    'text=a&status=packed&accounts=2%2C1&created_to=2026-11-16&late=1&tab=lines',
  );
  assert.equal(writeFilters(description, readFilters(description, new URLSearchParams()), given).toString(), 'tab=lines');
});
