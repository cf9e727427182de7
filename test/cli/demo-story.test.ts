import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { widthMax, wrap, wrapJson } from '../../cli/demo-layout.ts';
import { type CallScene, differenceFrom, makeStory } from '../../cli/demo-story.ts';
import type { Exchange } from '../../cli/demo-wire.ts';
import { exitCodes, Failure } from '../../server/command-line.ts';

const exchange: Exchange = {
  path: '/warehouse/v1/product/sync',
  headers: { sign: 'abc…' },
  body: { sku_id: 'TEA' },
  status: 200,
  answer: { code: 'OK', trace_id: 'T-1', message: 'success', success: true, data: { products_id: 1, left_out: 'by shown' } },
};
const scene: CallScene = {
  title: 'A product becomes known',
  why: 'It must be known.',
  call: async () => {},
  expects: { body: { data: { products_id: 1 } } },
  shown: ({ products_id }) => ({ products_id }),
};

async function tell(json: boolean, told: CallScene, exchanges = [exchange]): Promise<{ output: string; failure: Failure | null }> {
  let output = '';
  const story = makeStory({
    json,
    pauseSeconds: 0,
    write: (text) => {
      output += text;
    },
    wire: { during: async () => exchanges },
  });
  const failure = await story.call(told).then(
    () => null,
    (error) => error as Failure,
  );
  return { output, failure };
}

test('a step says what it is for, what is sent, and what comes back', async () => {
  const { output, failure } = await tell(false, scene);
  assert.equal(failure, null);
  assert.equal(
    output,
    `
 1  A product becomes known
    It must be known.
    → POST /warehouse/v1/product/sync
      sign: abc…
      {"sku_id":"TEA"}
    ← 200 OK  {"products_id":1}
`,
  );
});

test('where a client makes several calls by itself, a step is about the last of them, or about the first', async () => {
  const first = { ...exchange, path: '/api/v1/token/getToken' };
  for (const [about, path] of [
    [{}, exchange.path],
    [{ about: 'first' }, first.path],
  ] as const) {
    const { output } = await tell(true, { ...scene, ...about }, [first, exchange]);
    assert.equal(JSON.parse(output).request.path, path);
  }
});

test('in JSON a step is one line, with the whole of the answer', async () => {
  const { output } = await tell(true, scene);
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

test('an answer that is not as it should be is shown in full, said plainly, and ends the demo with exit code 1', async () => {
  for (const [expects, wrong] of [
    [{ body: { data: { products_id: 2 } } }, 'body.data.products_id should be 2, and is 1'],
    [{ status: 400, body: {} }, 'status should be 400, and is 200'],
  ] as const) {
    const { output, failure } = await tell(false, { ...scene, expects });
    assert.ok(failure instanceof Failure);
    assert.deepEqual(
      [failure.exitCode, failure.message],
      [exitCodes.refused, `step 1 of the demo (A product becomes known) went wrong: ${wrong}`],
    );
    assert.ok(output.endsWith(`✗ This is not as it should be: ${wrong}\n`), output);
    assert.match(output, /"left_out":"by shown"/);
    assert.equal(JSON.parse((await tell(true, { ...scene, expects })).output).ok, false);
  }
});

test('tokens and check values are cut short, for people and for machines', async () => {
  const secret = 'a-secret-that-nobody-should-read';
  const answer = { done: true, msg: 'success', retval: { access_token: secret } };
  const withSecrets = { ...exchange, body: { CheckValue: secret }, answer };
  for (const json of [true, false]) {
    const { output } = await tell(json, { ...scene, expects: { body: { done: true } }, shown: (content) => content }, [withSecrets]);
    assert.equal(output.includes(secret), false);
    assert.equal(output.split('a-secret-t…').length, 3);
  }
});

test('what differs is named by its place; what is not mentioned may be as it likes', () => {
  const cases: [expected: unknown, actual: unknown, difference: string | null][] = [
    [{ a: 1 }, { a: 1, b: 2 }, null],
    [{ a: /^x/ }, { a: 'xy' }, null],
    [{ a: /^x/ }, { a: 'y' }, 'a should be like /^x/, and is "y"'],
    [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }, 'a[0].b should be 1, and is 2'],
    [{ a: [1] }, { a: [1, 2] }, 'a should have 1 entries, and is [1,2]'],
    [{ a: [] }, { a: null }, 'a should have 0 entries, and is null'],
    [{ a: { b: 1 } }, { a: null }, 'a.b should be 1, and is undefined'],
    [{ a: null }, { a: null }, null],
  ];
  for (const [expected, actual, difference] of cases) assert.equal(differenceFrom(expected, actual), difference);
});

test('JSON that is broken into lines is the same JSON, and no wider than it must be', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 0, max: 12 }), (value, indent) => {
      fc.pre(typeof value !== 'string');
      const lines = wrapJson(value, indent);
      assert.deepEqual(JSON.parse(lines.map((line) => line.slice(indent)).join('\n')), JSON.parse(JSON.stringify(value)));
      if (lines.length === 1) assert.equal(lines[0], `${' '.repeat(indent)}${JSON.stringify(value)}`);
    }),
  );
  const narrow = {
    rows: Array.from({ length: 9 }, (_, row) => ({ row, text: 'x'.repeat(40), more: 'y'.repeat(20), other: { a: 1, b: 2 } })),
  };
  for (const line of wrapJson(narrow, 6)) assert.ok(line.length <= widthMax, line);
});

test('words are broken into lines that fit', () => {
  const lines = wrap('word '.repeat(60).trim(), 4);
  assert.ok(lines.length > 2 && lines.every((line) => line.length <= widthMax && line.startsWith('    word')));
});
