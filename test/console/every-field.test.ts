import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import type { TSchema } from 'typebox';
import type { ConsoleCall } from '../../contract/console/console-call.ts';
import { type FieldPath, fieldPaths } from '../../faults/hostile-bodies.ts';
import { makeNormalizer } from '../../server/platform/json/normalize.ts';
import { makeChecker } from '../../server/platform/json/schema.ts';
import { startTestApp } from '../support/app.ts';
import { provisionOperators, signIn } from '../support/console.ts';
import {
  absent,
  type Body,
  fewValuesAt,
  fingerprint,
  optionalFields,
  pathText,
  withValue,
} from '../support/every-field.ts';

const app = await startTestApp();
await provisionOperators(app);
const admin = await signIn(app, 'admin');

const contractFolder = new URL('../../contract/console/', import.meta.url);
const modules = await Promise.all(
  readdirSync(contractFolder).map((file) => import(new URL(file, contractFolder).href)),
);
const isCall = (value: unknown): value is ConsoleCall =>
  typeof value === 'object' &&
  value !== null &&
  'path' in value &&
  'body' in value &&
  String(value.path).startsWith('/');
/** These would end the session of the test. */
const sessionCalls = ['/session/sign-in', '/session/sign-in-code', '/session/sign-out', '/sessions/end'];
const calls = modules
  .flatMap((module) => Object.values(module).filter(isCall))
  .filter(({ path }) => !sessionCalls.includes(path));

const samples = [
  'A-1',
  '2027-06-30',
  '2026-11-15T09:30:00+08:00',
  '0199c3b2-7d10-7f00-8a3e-5b1d2c4f6a80',
  'http://partner.example/',
  '4xx',
  'ops@mail.example',
  '22:00',
];

/** A value that the schema allows, with every optional field. */
function sampleOf(schema: TSchema): unknown {
  const {
    anyOf,
    enum: values,
    items,
    properties,
    type,
    minimum,
  } = schema as Body & { anyOf?: TSchema[]; enum?: unknown[]; items?: TSchema; properties?: Record<string, TSchema> };
  if (anyOf) return sampleOf(anyOf[0]!);
  if (values) return values[0];
  if (items) return [sampleOf(items)];
  if (properties) return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, sampleOf(field)]));
  if (type === 'boolean') return true;
  const found = [minimum, 1, ...samples].find(
    (value) => value !== undefined && makeChecker(schema)(value).kind === 'valid',
  );
  return found ?? 'a password that is long enough';
}

test('null in a field of a console call is never an internal error, and means "left out" in an optional field', async () => {
  for (const { path, body: schema } of calls) {
    const sample = sampleOf(schema) as Body;
    const optional = new Set(optionalFields(schema).map(({ field }) => pathText(field)));
    const refused: FieldPath[] = [];
    for (const field of fieldPaths(schema)) {
      const where = `${path}: ${pathText(field)}`;
      const { status, json } = await admin.send(path, withValue(sample, field, null));
      assert.ok(status === 200 || (status >= 400 && status < 500), `${where}: ${status}`);
      if (status !== 200) {
        assert.ok(json.error!.message.length > 0, where);
        refused.push(field);
      }
      if (!optional.has(pathText(field))) continue;
      const without = await admin.send(path, withValue(withValue(sample, field, null), field, absent));
      assert.deepEqual([status, json.error?.message], [without.status, without.json.error?.message], where);
    }

    const before = await fingerprint(app);
    for (const field of refused) await admin.send(path, withValue(sample, field, null));
    assert.equal(await fingerprint(app), before, path);
  }
});

/** Enough to prove that a call applies its schema to the field; the rules of schemas have their own tests. */
const refusedValuesMax = 4;

test('a value that the schema of a console call refuses is rejected in every field, and nothing changes', async () => {
  for (const { path, body: schema } of calls) {
    const sample = sampleOf(schema) as Body;
    const [normalize, check] = [makeNormalizer(schema), makeChecker(schema)];
    const before = await fingerprint(app);
    for (const field of fieldPaths(schema)) {
      const bodies = fewValuesAt(schema, field).map((value) => withValue(sample, field, value));
      const refused = bodies
        .filter((body) => check(normalize(structuredClone(body))).kind === 'mistakes')
        .slice(0, refusedValuesMax);
      assert.ok(refused.length > 0, `${path}: ${pathText(field)}`);
      for (const body of refused) {
        const { status, json } = await admin.send(path, body);
        assert.deepEqual([status, typeof json.error], [400, 'object'], `${path}: ${JSON.stringify(body)}`);
      }
    }
    assert.equal(await fingerprint(app), before, path);
  }
});
