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
import { browserName } from '../../console/pages/sessions/browser-name.ts';

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
    assert.deepEqual(mergeFirstPage(shown, { rows, isLast: true }, keyOf), {
      rows: shown,
      newCount: 0,
      hasMoved: true,
    });
  }
});

test('after the sign-in one returns to a page of the console and nowhere else', () => {
  const elsewhere = ['//evil.example', '/\\evil.example', 'https://evil.example'];
  for (const path of [null, '', 'orders', ...elsewhere, '/a\nb', '/sign-in?return=%2F'])
    assert.equal(safeReturnPath(path), '/', String(path));
  assert.equal(safeReturnPath('/orders?status=picking'), '/orders?status=picking');
  assert.equal(signInPath({ pathname: '/orders', search: '?a=1' }), '/sign-in?return=%2Forders%3Fa%3D1');
  assert.equal(signInPath({ pathname: '/', search: '' }), '/sign-in');
});

test('times are those of Taipei', () => {
  assert.equal(formatInstant('2026-11-15T16:30:05Z'), '2026-11-16 00:30:05');
  assert.equal(formatDate('2026-11-15T16:30:05Z'), '2026-11-16');
  assert.equal(formatDate('2027-06-30'), '2027-06-30');
});

test('a time is relative to now in both languages, and a date beyond two weeks', () => {
  const now = new Date('2026-11-16T12:00:00Z');
  assert.equal(relativeText('2026-11-16T11:59:30Z', now, 'en', 'just now'), 'just now');
  assert.equal(relativeText('2026-11-16T11:55:00Z', now, 'en', 'just now'), '5 min. ago');
  assert.equal(relativeText('2026-11-16T09:00:00Z', now, 'zh-TW', '剛剛'), '3 小時前');
  assert.equal(relativeText('2026-11-18T12:00:00Z', now, 'en', 'just now'), 'in 2 days');
  assert.equal(relativeText('2026-10-01T00:00:00Z', now, 'en', 'just now'), '2026-10-01');
});

test('filters are read from any address, and always written in the same order', () => {
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
  assert.equal(
    writeFilters(description, readFilters(description, new URLSearchParams()), given).toString(),
    'tab=lines',
  );
});

test('the user agent of a browser becomes its name, version and system', () => {
  const named = {
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36 Edg/139.0.0.0':
      'Edge 139, Windows',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15':
      'Safari 18, macOS',
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36':
      'Chrome 138, Android',
    'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0': 'Firefox 141, Linux',
    'curl/8.14': null,
  };
  for (const [userAgent, name] of Object.entries(named)) assert.equal(browserName(userAgent), name);
});
