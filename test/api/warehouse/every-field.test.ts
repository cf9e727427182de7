import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warehouseReference } from '../../../reference/warehouse/endpoints.ts';
import { startTestApp, type TestAnswer } from '../../support/app.ts';
import {
  absent,
  assertProbes,
  type Body,
  exampleBody,
  type FieldError,
  optionalFields,
  type Probe,
  type ProbedOperation,
  pathText,
  receiveExampleSku,
  withValue,
} from '../../support/every-field.ts';
import { dataOf } from '../../support/warehouse.ts';

const app = await startTestApp();
await receiveExampleSku(app);

interface Detail {
  qty?: number | null;
  expires: { qty: number }[];
}

/** The sum of `expires` is the one rule about two fields of this contract. */
function sumRule(body: Body): FieldError[] {
  const details = body.details as Detail[];
  return details.flatMap(({ qty, expires }, index) => {
    const isSum = qty === undefined || qty === null || qty === expires.reduce((sum, expiry) => sum + expiry.qty, 0);
    const message = 'must equal the sum of the qty of its expires';
    return isSum || (qty as unknown) === '' ? [] : [{ path: `details[${index}].qty`, message }];
  });
}

const withFields = warehouseReference.endpoints.filter(({ operationId }) => operationId !== 'diagnose');
const operations: ProbedOperation[] = withFields.map(({ path, operationId, body }) => ({
  name: operationId,
  schema: body!.schema,
  makeBody: () => {
    const made = exampleBody(body!.example) as Body & { details?: Detail[] };
    if (operationId.startsWith('inbound')) for (const detail of made.details ?? []) delete detail.qty;
    return made;
  },
  send: (sent) => app.callWarehouse(path, sent),
  ...(['inboundCreate', 'inboundReturn'].includes(operationId) ? { rules: sumRule } : {}),
}));

function assertRefused({ status, headers, json }: TestAnswer, expected: FieldError[]): void {
  assert.equal(status, 400);
  const { code, trace_id, message, success, data } = json;
  assert.deepEqual([code, trace_id, success], ['PARAM_INVALID', headers['trace-id'], false]);
  assert.deepEqual(sorted(data.errors), sorted(expected));
  const [{ path, message: first }] = data.errors;
  const others = expected.length > 1 ? ` (and ${expected.length - 1} more)` : '';
  assert.equal(message, `${path} ${first}${others}`);
}

function sorted(errors: FieldError[]): string[] {
  return errors.map(({ path, message }) => `${path} ${message}`).sort();
}

/** A value of the right form may still name something that does not exist. */
function refusalByName(field: string, value: unknown): string | null {
  if (['logistics_type', 'express_type'].includes(field)) return 'unknown ship_method mapping';
  if (value === absent || value === null || value === '') return null;
  if (field === 'warehouse_tpw_id') return 'unknown tenant';
  return field === 'details[0].sku_id' ? 'sku_id not found' : null;
}

function assertAccepted(answer: TestAnswer, { field, value }: Probe): void {
  const refusal = refusalByName(pathText(field), value);
  if (refusal === null) dataOf(answer);
  else assert.deepEqual([answer.status, answer.json.code, answer.json.message], [400, 'PARAM_INVALID', refusal]);
}

for (const operation of operations) {
  test(`${operation.name}: every value of every field is accepted or refused as documented, and a refusal changes nothing`, () =>
    assertProbes(app, operation, assertRefused, assertAccepted));
}

for (const { name, schema, makeBody, send } of operations) {
  if (!/Create$|Return$/.test(name)) continue;
  test(`${name}: an optional field that is null or empty is the same body as without it`, async () => {
    for (const { field, values } of optionalFields(schema)) {
      const body = withValue(makeBody(), field, absent);
      const original = dataOf(await send(body));
      for (const value of values) {
        const { json } = await send(withValue(body, field, value));
        const { success: _, idempotent = true, errors: ____, ...data } = json.data;
        const { success: __, idempotent: ___, ...expected } = original;
        assert.deepEqual([idempotent, data], [true, expected], `${pathText(field)} = ${JSON.stringify(value)}`);
      }
    }
  });
}
