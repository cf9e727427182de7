import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readGuides } from '../../server/api/docs/guides.ts';
import { relativeUrl } from '../../server/api/docs/language.ts';
import { startTestApp } from '../support/app.ts';

const app = await startTestApp({ env: { PUBLIC_URL: 'https://lading.example/oms' } });

async function open(url: string, headers: Record<string, string> = {}) {
  const answer = await app.http.inject({ url, headers });
  const { location, vary } = answer.headers;
  return {
    status: answer.statusCode,
    location: location && new URL(location, `https://lading.example/oms${url}`).href,
    vary,
    cookie: answer.headers['set-cookie'],
    language: /<html lang="([^"]*)"/.exec(answer.payload)?.[1],
    payload: answer.payload,
  };
}

test('every page exists in both languages, and names the other one', async () => {
  for (const page of ['', '/guides', '/guides/signing']) {
    const [english, chinese] = [await open(`/docs${page}`), await open(`/docs/zh-TW${page}`)];
    assert.deepEqual([english.status, english.language], [200, 'en'], page);
    assert.deepEqual([chinese.status, chinese.language], [200, 'zh-TW'], page);
    for (const [here, { payload }] of [
      [`/docs${page}`, english],
      [`/docs/zh-TW${page}`, chinese],
    ] as const) {
      const alternates = [...payload.matchAll(/<link rel="alternate" hreflang="([^"]*)" href="([^"]*)">/g)];
      assert.deepEqual(
        alternates.map(([, language, href]) => [language, new URL(href!, `https://host${here}`).pathname]),
        [
          ['en', `/docs${page}`],
          ['zh-TW', `/docs/zh-TW${page}`],
        ],
        here,
      );
    }
  }
});

test('/docs opens in the language of the browser; English for browsers that prefer neither', async () => {
  for (const [preference, location] of [
    ['zh-TW,zh;q=0.9,en;q=0.8', 'https://lading.example/oms/docs/zh-TW'],
    ['fr, zh-Hant-TW;q=0.5, en;q=0.4', 'https://lading.example/oms/docs/zh-TW'],
    ['en-GB,zh;q=0.9', undefined],
    ['zh;q=0', undefined],
    ['fr', undefined],
    ['*', undefined],
    [',;q=,zh;q=x', undefined],
  ]) {
    const { status, vary, ...answer } = await open('/docs', { 'accept-language': preference! });
    assert.deepEqual([answer.location, status], [location, location ? 302 : 200], preference);
    assert.match(String(vary), /accept-language, cookie$/);
  }
});

test('all other URLs keep their language, whatever the browser prefers', async () => {
  const chinese = { 'accept-language': 'zh-TW', cookie: 'docs_language=zh-TW' };
  assert.equal((await open('/docs/guides/signing', chinese)).language, 'en');
  assert.equal((await open('/docs/zh-TW', { 'accept-language': 'en', cookie: 'docs_language=en' })).language, 'zh-TW');
});

test('the switch goes to the same page and is remembered: a reader who chose English stays with it', async () => {
  const { payload } = await open('/docs/zh-TW/guides/signing');
  const href = /<a class="language" lang="en"[^>]*href="([^"]*)"/.exec(payload)?.[1];
  const target = new URL(href!, 'https://host/docs/zh-TW/guides/signing');
  assert.equal(`${target.pathname}${target.search}`, '/docs/guides/signing?language=en');

  const switched = await open(`${target.pathname}${target.search}`);
  assert.deepEqual([switched.status, switched.location], [302, 'https://lading.example/oms/docs/guides/signing']);
  assert.match(String(switched.cookie), /^docs_language=en; Path=\/; Max-Age=31536000; /);
  const remembered = { 'accept-language': 'zh-TW', cookie: 'a=b; docs_language=en' };
  assert.deepEqual((await open('/docs', remembered)).language, 'en');
  const other = await open('/docs', { 'accept-language': 'en', cookie: 'docs_language=zh-TW' });
  assert.equal(other.location, 'https://lading.example/oms/docs/zh-TW');
  assert.equal((await open('/docs?language=en')).location, 'https://lading.example/oms/docs');
  assert.equal((await open('/docs?language=xx')).status, 200);
});

test('a guide without a translation shows the English text, marked as English, with a note in Chinese', () => {
  const folder = mkdtempSync(join(tmpdir(), 'guides-'));
  mkdirSync(join(folder, 'zh-TW'));
  writeFileSync(join(folder, 'README.md'), '# Guides\n\n- [One](one.md)\n- [Two](two.md)\n');
  writeFileSync(join(folder, 'one.md'), '# One');
  writeFileSync(join(folder, 'two.md'), '# Two');
  writeFileSync(join(folder, 'zh-TW/one.md'), '# 一');
  const { contents, guides } = readGuides(pathToFileURL(`${folder}/`));
  rmSync(folder, { recursive: true });
  assert.deepEqual(
    [contents, ...guides].map(({ texts }) => [texts['zh-TW'].title, texts['zh-TW'].language]),
    [
      ['Guides', 'en'],
      ['一', 'zh-TW'],
      ['Two', 'en'],
    ],
  );
});

test('relative URLs lead from any page to any other', () => {
  const paths = [
    '/docs',
    '/docs/zh-TW',
    '/docs/guides',
    '/docs/zh-TW/guides',
    '/docs/guides/a',
    '/docs/zh-TW/guides/a',
    '/openapi.json',
  ];
  for (const from of paths) {
    for (const to of paths) assert.equal(new URL(relativeUrl(from, to), `https://host${from}`).pathname, to);
  }
});
