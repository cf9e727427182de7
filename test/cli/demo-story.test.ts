import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exitCodes, Failure } from '../../cli/command-line.ts';
import { widthMax, wrapJson } from '../../cli/demo-layout.ts';
import { type CallScene, differenceFrom, makeStory } from '../../cli/demo-story.ts';
import type { Exchange } from '../../cli/demo-wire.ts';

const exchange: Exchange = {
  path: '/warehouse/v1/product/sync',
  headers: { sign: 'abc…' },
  body: { sku_id: 'TEA' },
  status: 200,
  answer: { code: 'OK', trace_id: 'T-1', success: true, data: { products_id: 1, left_out: 'by shown' } },
};
const scene: CallScene = {
  title: 'A product becomes known',
  why: 'It must be known.',
  call: async () => {},
  expects: { body: { data: { products_id: 1 } } },
  shown: ({ products_id }) => ({ products_id }),
};

async function show(json: boolean, shown: CallScene, exchanges = [exchange]) {
  const output: string[] = [];
  const write = (text: string) => void output.push(text);
  const story = makeStory({ json, pauseSeconds: 0, write, wire: { during: async () => exchanges } });
  const failure = await story.call(shown).then(
    () => null,
    (error) => error as Failure,
  );
  return { output: output.join(''), failure };
}

test('if a client makes several calls by itself, a step shows the last or, if it says so, the first one', async () => {
  const first = { ...exchange, path: '/api/v1/token/getToken' };
  for (const [about, path] of [
    [{}, exchange.path],
    [{ about: 'first' }, first.path],
  ] as const) {
    const { output } = await show(true, { ...scene, ...about }, [first, exchange]);
    assert.equal(JSON.parse(output).request.path, path);
  }
});

test('in JSON a step is one line, with the whole response', async () => {
  const { output } = await show(true, scene);
  assert.equal(output.split('\n').length, 2);
  assert.deepEqual(JSON.parse(output), {
    act: 0,
    step: 1,
    title: scene.title,
    why: scene.why,
    request: { method: 'POST', path: exchange.path, headers: exchange.headers, body: exchange.body },
    answer: { status: 200, body: exchange.answer },
    ok: true,
  });
});

test('an unexpected response is shown in full, its difference is named, and the demo ends with exit code 1', async () => {
  for (const [expects, wrong] of [
    [{ body: { data: { products_id: 2 } } }, 'body.data.products_id should be 2, but is 1'],
    [{ status: 400, body: {} }, 'status should be 400, but is 200'],
  ] as const) {
    const { output, failure } = await show(false, { ...scene, expects });
    assert.ok(failure instanceof Failure);
    assert.deepEqual(
      [failure.exitCode, failure.message],
      [exitCodes.refused, `step 1 of the demo (A product becomes known) failed: ${wrong}`],
    );
    assert.ok(output.endsWith(`✗ Unexpected result: ${wrong}\n`), output);
    assert.match(output, /"left_out":"by shown"/);
    assert.equal(JSON.parse((await show(true, { ...scene, expects })).output).ok, false);
  }
});

test('tokens and check values are cut short, for people and for machines', async () => {
  const secret = 'a-secret-that-nobody-should-read';
  const answer = { done: true, msg: 'success', retval: { access_token: secret } };
  const withSecrets = { ...exchange, body: { CheckValue: secret }, answer };
  for (const json of [true, false]) {
    const { output } = await show(json, { ...scene, expects: { body: { done: true } }, shown: (content) => content }, [
      withSecrets,
    ]);
    assert.equal(output.includes(secret), false);
    assert.equal(output.split('a-secret-t…').length, 3);
  }
});

test('a difference is named by its path; fields that are not mentioned may have any value', () => {
  const cases: [expected: unknown, actual: unknown, difference: string | null][] = [
    [{ a: 1 }, { a: 1, b: 2 }, null],
    [{ a: /^x/ }, { a: 'xy' }, null],
    [{ a: /^x/ }, { a: 'y' }, 'a should match /^x/, but is "y"'],
    [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }, 'a[0].b should be 1, but is 2'],
    [{ a: [1] }, { a: [1, 2] }, 'a should have 1 entries, but is [1,2]'],
    [{ a: [] }, { a: null }, 'a should have 0 entries, but is null'],
    [{ a: { b: 1 } }, { a: null }, 'a.b should be 1, but is undefined'],
    [{ a: null }, { a: null }, null],
  ];
  for (const [expected, actual, difference] of cases) assert.equal(differenceFrom(expected, actual), difference);
});

test('JSON that is broken into lines is the same JSON, and fits the width', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 0, max: 12 }), (value, indent) => {
      fc.pre(typeof value !== 'string');
      const text = wrapJson(value, indent)
        .map((line) => line.slice(indent))
        .join('\n');
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
    }),
  );
  const row = { text: 'x'.repeat(40), more: 'y'.repeat(20), other: { a: 1, b: 2 } };
  for (const line of wrapJson({ rows: Array(9).fill(row) }, 6)) assert.ok(line.length <= widthMax, line);
});
