import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EndpointReference } from '../../reference/reference.ts';
import { missingFor, runProgram } from '../docs/programs.ts';
import type { TestAnswer } from './app.ts';

/** Sends the examples of an endpoint and compares the responses with those of the reference. */
export async function assertExamples(
  {
    answers,
    body: { example: usual } = { example: undefined },
  }: Pick<EndpointReference, 'answers'> & { body?: { example?: unknown } },
  statuses: number[],
  send: (body: unknown, name: string) => Promise<TestAnswer>,
  skipped: string[] = [],
): Promise<void> {
  for (const { status, examples } of answers.filter((answer) => statuses.includes(answer.status))) {
    for (const [name, { sent, value }] of Object.entries(examples)) {
      if (skipped.includes(name)) continue;
      const answer = await send(name === 'unreadable' ? '{"sku_id":' : (sent ?? usual), name);
      assert.equal(answer.status, status, `${name}: ${answer.text}`);
      assert.deepEqual(withoutOurNumbers(answer.json), withoutOurNumbers(value), name);
    }
  }
}

/** Replaces values that differ in every run, by their format. */
export function withoutOurNumbers(value: unknown): Record<string, unknown> {
  const text = JSON.stringify(value)
    .replace(/"products_id":\d+/, '"products_id":"ours"')
    .replace(/"si_[0-9a-f]{20}"/, '"si_ours"')
    .replace(/"(ow_[A-Z]+-[\d-]+_)[0-9a-f]{10}"/, '"$1ours"')
    .replace(/"event_id":"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"/, '"event_id":"ours"')
    .replace(/"trace_id":"[0-9a-f-]{36}"/g, '"trace_id":"ours"')
    .replace(
      /"(created_at|updated_at|occurred_at|at)":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}\+08:00"/g,
      '"$1":"then"',
    );
  return JSON.parse(text);
}

/** Runs the samples of a contract as programs. */
export function testSamples(
  promise: string,
  samples: () => Promise<{ label: string; source: string }[]>,
  env: Record<string, string>,
  prints: RegExp,
): void {
  for (const [label, file] of [
    ['TypeScript', 'call.mts'],
    ['curl', 'call.sh'],
    ['Python', 'call.py'],
  ] as const) {
    test(`${promise}: ${label}`, async (t) => {
      const missing = await missingFor(file);
      if (missing) return t.skip(`${missing} is not on this machine`);
      const { source } = (await samples()).find((sample) => sample.label === label)!;
      assert.match(await runProgram(file, source, env), prints);
    });
  }
}
