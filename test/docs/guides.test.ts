import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { callbackEvents } from '../../contract/logistics/callback.ts';
import { blocksOf, docsFolder, readGuide } from './guide.ts';

const guides = readdirSync(docsFolder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));

test('every block of JSON in the guides is JSON', () => {
  for (const name of guides) {
    for (const { language, text } of blocksOf(readGuide(name))) {
      if (language === 'json') assert.doesNotThrow(() => JSON.parse(text), `${name}: ${text}`);
    }
  }
});

test('every link in the guides leads to a file that exists, and to a heading that it has', () => {
  const broken = guides.flatMap((name) =>
    linksOf(readGuide(name))
      .filter((link) => !leadsSomewhere(name, link))
      .map((link) => `${name}: ${link}`),
  );
  assert.deepEqual(broken, []);
});

function linksOf(markdown: string): string[] {
  const prose = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]!).filter((link) => !/^https?:/.test(link));
}

function leadsSomewhere(from: string, link: string): boolean {
  const target = new URL(link, new URL(from, docsFolder));
  const heading = decodeURIComponent(target.hash.slice(1));
  target.hash = '';
  if (!existsSync(target)) return false;
  return heading === '' || headingsOf(readFileSync(target, 'utf8')).includes(heading);
}

/** As the viewers of Markdown name them. */
function headingsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map((match) =>
    match[1]!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every guide is in the index, and begins with a title', () => {
  const index = readGuide('README.md');
  for (const name of guides.filter((one) => !one.includes('/') && one !== 'README.md')) {
    assert.ok(index.includes(`](${name})`), name);
    assert.match(readGuide(name), /^# \S/m, name);
  }
});

test('the guide to callbacks names every event', () => {
  const guide = readGuide('callbacks.md');
  for (const event of callbackEvents) assert.ok(guide.includes(`\`${event}\``), event);
});
