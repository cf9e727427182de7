import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeptLine } from '../../faults/measured-page.ts';
import { drawBars } from '../../tools/measured/bar-chart.ts';
import { summarizePerformance } from '../../tools/measured/performance-summary.ts';
import { summarizeReliability } from '../../tools/measured/reliability-summary.ts';
import { renderSummary } from '../../tools/measured/summary.ts';

function line(subject: string, title: string, figures: KeptLine['figures']): KeptLine {
  return { subject, title, figures, run: {} };
}

const growth = (stored: number, ratio: number) =>
  line('growth', 'goals: orders per second, 64 connections', { shape: 'spread', 'stored orders': stored, ratio });

function overview(fault: string, figures: KeptLine['figures']): KeptLine {
  const none = { rounds: 1, acknowledged: 0, lost: 0, duplicated: 0, oversold: 0, 'longest outage, ms': '-' };
  return line(fault, 'overview', { ...none, ...figures, fault });
}

test('a summary has only what was measured', () => {
  assert.deepEqual(summarizePerformance([]), []);
  assert.deepEqual(summarizeReliability([]), []);
  const parts = summarizePerformance([growth(0, 0.99), growth(5_000_000, 0.984)]);
  assert.deepEqual(
    parts.map(({ file, sentence, chart }) => ({ file, sentence, bars: chart.bars })),
    [
      {
        file: 'growth',
        sentence:
          'It stays fast: with 5 million stored orders, new ones come at 98 % of the speed of an empty database.',
        bars: [{ label: '5 million orders, 200 products', value: 98.4, text: '98 %', isOurs: true }],
      },
    ],
  );
});

test('what was lost, done twice or oversold is in the first sentence about faults', () => {
  const parts = summarizeReliability([
    overview('1 kill-node', { acknowledged: 1500, lost: 2, oversold: 1, rounds: 40, 'longest outage, ms': 176 }),
    overview('8 fuzz', { acknowledged: 500, duplicated: '-', oversold: '-' }),
  ]);
  assert.deepEqual(
    parts.map(({ sentence }) => sentence),
    [
      '2,000 changes were acknowledged while processes were killed, disks filled up and networks failed: 2 of them were lost, 0 were done twice, and 1 units were promised twice.',
      'While one of three nodes was killed 40 times, there was always service within 0.2 s; the longest outage on one machine, in the fault kill-node, was 0.2 s.',
    ],
  );
  assert.deepEqual(
    parts[0]!.chart.bars.map(({ label, text }) => [label, text]),
    [
      ['kill-node', '1,500, 2 lost'],
      ['fuzz', '500, 0 lost'],
    ],
  );
});

test('a page has the sentence, and its chart with all values as text', () => {
  const marks = 'Before.\n<!-- summary: npm run generate -->\nold\n<!-- end of summary -->\nAfter.';
  const chart = { title: 'Speed', bars: [{ label: 'Lading', value: 2, text: '2', isOurs: true }] };
  assert.equal(
    renderSummary(marks, [{ file: 'speed', sentence: 'It is fast.', chart }]),
    'Before.\n<!-- summary: npm run generate -->\n**It is fast.**\n\n![Speed. Lading: 2](images/speed.svg)\n<!-- end of summary -->\nAfter.',
  );
});

test('the longest bar has all the room, the others their share; names are escaped', () => {
  const bar = (label: string, value: number, isOurs: boolean) => ({ label, value, text: String(value), isOurs });
  const drawn = drawBars({ title: 'A < B & C', bars: [bar('ours', 200, true), bar('<others>', 50, false)] });
  assert.deepEqual(
    [...drawn.matchAll(/<rect class="(\w+)" .*? width="(\d+)"/g)].map(([, kind, width]) => [kind, width]),
    [
      ['ours', '350'],
      ['others', '88'],
    ],
  );
  assert.match(drawn, /<title>A &lt; B &amp; C<\/title>/);
  assert.match(drawn, /<desc>ours: 200; &lt;others&gt;: 50<\/desc>/);
});
