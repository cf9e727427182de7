import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logisticsReference } from '../../../reference/logistics/endpoints.ts';
import { startTestApp, type TestAnswer } from '../../support/app.ts';
import {
  absent,
  assertProbes,
  type Body,
  type FieldError,
  optionalFields,
  type ProbedOperation,
  pathText,
  withValue,
} from '../../support/every-field.ts';
import { retvalOf } from '../../support/main.ts';

const app = await startTestApp();

let documents = 0;

/** The example of the reference with a new document number. */
function makeBody(example: unknown): Body {
  const number = ++documents;
  const text = JSON.stringify(example).replaceAll(/"(WMS-2026|PO-2026)-\d+"/g, (_, kind) => `"${kind}-${number}"`);
  return JSON.parse(text);
}

/** Only a form that stops receiving may announce nothing, and its number must be known. */
function formRules(body: Body): FieldError[] {
  if (body.form_type === 3) return [{ path: 'form_no', message: 'not found' }];
  const isEmpty = (body.products as unknown[]).length === 0;
  return isEmpty ? [{ path: 'products', message: 'must not have fewer than 1 items' }] : [];
}

/** No document exists here, and no key has a callback URL of its own. */
function callbackTestRules({ document_no, callback_url }: Body): FieldError[] {
  if (document_no) return [{ path: 'document_no', message: 'not found' }];
  return callback_url ? [] : [{ path: 'callback_url', message: 'is missing, and no callback URL is set' }];
}

const rulesOf: Record<string, (body: Body) => FieldError[]> = {
  inboundForm: formRules,
  testCallback: callbackTestRules,
};

const operations: ProbedOperation[] = logisticsReference.endpoints.map(({ path, operationId, body }) => ({
  name: operationId,
  schema: body!.schema,
  makeBody: () => makeBody(body!.example),
  send: (sent) => app.callLogistics(path, sent),
  ...(rulesOf[operationId] ? { rules: rulesOf[operationId] } : {}),
}));

function assertRefused({ status, json }: TestAnswer, expected: FieldError[]): void {
  assert.equal(status, 400);
  assert.deepEqual(Object.keys(json), ['done', 'msg', 'retval']);
  assert.equal(json.done, false);
  const { errors } = json.retval;
  assert.deepEqual(sorted(errors), sorted(expected));
  const others = expected.length > 1 ? ` (and ${expected.length - 1} more)` : '';
  assert.equal(json.msg, `${errors[0].path} ${errors[0].message}${others}`);
}

function sorted(errors: FieldError[]): string[] {
  return errors.map(({ path, message }) => `${path} ${message}`).sort();
}

const testsCallbacks = ({ name }: ProbedOperation) => name === 'testCallback';

for (const operation of operations) {
  test(`${operation.name}: every value of every field is accepted or refused as documented, and a refusal changes nothing`, () =>
    assertProbes(app, operation, assertRefused, (answer) => {
      if (testsCallbacks(operation)) assert.match(retvalOf(answer).event_id as string, /^[0-9a-f-]{36}$/);
      else assert.equal(retvalOf(answer).idempotent, false);
    }));
}

test('testCallback: an optional field that is null or empty is the same body as without it', async () => {
  const operation = operations.find(testsCallbacks)!;
  const fields = optionalFields(operation.schema);
  assert.deepEqual(
    fields.map(({ field }) => pathText(field)),
    ['document_no', 'callback_url'],
  );
  const order = makeBody(
    logisticsReference.endpoints.find((one) => one.operationId === 'shippingOrder')!.body!.example,
  );
  await app.callLogistics('/orders/order', order);
  const sent = async (body: Body) => ({ ...retvalOf(await operation.send(body)), event_id: '(its own)' });
  for (const { field, values } of fields) {
    const example = { ...operation.makeBody(), document_no: order.internal_name };
    const body = withValue(example, field, absent);
    const expected = await sent(body);
    for (const value of values) assert.deepEqual(await sent(withValue(body, field, value)), expected);
  }
});

for (const operation of operations.filter((one) => !testsCallbacks(one))) {
  test(`${operation.name}: an optional field that is null or empty is the same body as without it`, async () => {
    for (const { field, values } of optionalFields(operation.schema)) {
      const body = withValue(operation.makeBody(), field, absent);
      assert.equal(retvalOf(await operation.send(body)).idempotent, false);
      for (const value of values) {
        const answer = await operation.send(withValue(body, field, value));
        assert.equal(retvalOf(answer).idempotent, true, `${pathText(field)} = ${JSON.stringify(value)}`);
      }
    }
  });
}
