import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeFirstPage } from '../../console/kit/merge-first-page.ts';
import { safeReturnPath, signInPath } from '../../console/kit/return-path.ts';
import { readScan } from '../../console/kit/scan-text.ts';
import { SeenPosition } from '../../console/kit/seen-position.ts';
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

test('12x multiplies the next scan, or the trade number behind it, and never splits an sku', () => {
  const scanned = (code: string, units: number) => ({ kind: 'code', code, units });
  for (const text of ['12x', ' 12X ', '12×', '12*']) {
    assert.deepEqual(readScan(text, 1), { kind: 'multiplier', units: 12 });
  }
  assert.deepEqual(readScan('TEA-1', 12), scanned('TEA-1', 12));
  assert.deepEqual(readScan('12x4710088412345', 1), scanned('4710088412345', 12));
  assert.deepEqual(readScan('3x4710088412345', 12), scanned('4710088412345', 3));
  for (const code of ['2X4-BOARD', '0x', '10000x', '12x500', 'x12', '12x12x'])
    assert.deepEqual(readScan(code, 1), scanned(code, 1));
  assert.equal(readScan('  ', 12), null);
});

/** The tabs of a browser share a cookie. */
function openTabs(count: number, before = '') {
  let cookie = before;
  const shared = {
    read: () => cookie,
    write(text: string) {
      cookie = text;
    },
  };
  return { tabs: Array.from({ length: count }, () => new SeenPosition(shared)), cookie: () => cookie };
}

test('a tab sends the latest position that it was shown, in whatever order the responses come', () => {
  const { tabs, cookie } = openTabs(1);
  const [tab] = tabs as [SeenPosition];
  const [first, second] = [tab.send(), tab.send()];
  assert.equal(first.text, '');
  tab.receive('7.b', second);
  tab.receive('7.a', first);
  assert.deepEqual([tab.send().text, cookie()], ['7.b', '7.b']);
  tab.show('7.c');
  assert.deepEqual([tab.send().text, cookie()], ['7.c', '7.c']);
  // The database was restored into another cluster, whose positions begin again.
  tab.receive('8.a', tab.send());
  assert.deepEqual([tab.send().text, cookie()], ['8.a', '8.a']);
});

test('after a lost response a tab asks for everything, until a request that was sent afterwards is answered', () => {
  const { tabs, cookie } = openTabs(1, '7.a');
  const [tab] = tabs as [SeenPosition];
  const [earlier, lost] = [tab.send(), tab.send()];
  assert.equal(lost.text, '7.a');
  tab.doubt();
  tab.receive('7.b', earlier);
  assert.deepEqual([tab.send().text, cookie()], ['now', 'now']);
  tab.receive('7.c', tab.send());
  assert.deepEqual([tab.send().text, cookie()], ['7.c', '7.c']);
  // The server could not say what its response shows.
  tab.receive('now', tab.send());
  assert.deepEqual([tab.send().text, cookie()], ['now', 'now']);
});

test('the cookie never goes back, and only the tab that is in doubt, or its successor, ends the doubt', () => {
  const { tabs, cookie } = openTabs(2, '7.a');
  const [one, other] = tabs as [SeenPosition, SeenPosition];
  one.receive('7.d', one.send());
  other.receive('7.b', other.send());
  assert.equal(cookie(), '7.d');
  one.doubt();
  other.receive('7.e', other.send());
  assert.equal(cookie(), 'now');
  one.receive('7.f', one.send());
  assert.equal(cookie(), '7.f');

  const reopened = openTabs(1, 'now');
  const [successor] = reopened.tabs as [SeenPosition];
  assert.equal(successor.send().text, 'now');
  successor.receive('7.g', successor.send());
  assert.deepEqual([successor.send().text, reopened.cookie()], ['7.g', '7.g']);
});
