import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callbacksSearch } from '../../../contract/main/callbacks-search.ts';
import { changeFields } from '../../../contract/main/orders-update.ts';
import { type FilterField, type SearchList, sortKeysOf } from '../../../contract/main/search-list.ts';
import { mainReference } from '../../../reference/main/endpoints.ts';
import type { EndpointReference } from '../../../reference/reference.ts';
import { startTestApp, type TestAnswer } from '../../support/app.ts';
import {
  absent,
  assertProbes,
  type Body,
  exampleBody,
  exampleSku,
  type FieldError,
  isLeftOut,
  mistakesIn,
  optionalFields,
  type Probe,
  type ProbedOperation,
  pathText,
  receiveExampleSku,
  type SchemaNode,
  scalarMistakes,
  withValue,
} from '../../support/every-field.ts';
import { lists, retvalOf } from '../../support/main.ts';
import { putLot, syncProducts } from '../../support/warehouse.ts';

const app = await startTestApp();
await receiveExampleSku(app);
const secondWarehouse = { warehouse_tpw_id: 'TPW-A-2', warehouse_no: 2, store_no: 10 };
await app.provision({
  warehouses: [{ warehouse_no: 2 }],
  accounts: [{ account_no: 'ALPHA', environment: 'uat', tenants: [secondWarehouse] }],
});
/** Products that no order takes, and the lot of the example of `stocks/move` with enough units for all of its bodies. */
const skuOfStock: Record<string, string> = { stocksAdjust: 'ADJUSTED', stocksMove: 'MOVED' };
await syncProducts(app, Object.values(skuOfStock));
await putLot(app, { skuId: 'MOVED', expireDate: '2028-12-31', batchId: 'L-2026-12', qty: 900_000_000_000 });

/** Distinguishes the callers of the token call. */
let callers = 0;

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== '';
const at = (path: string, message: string): FieldError => ({ path, message });

function namedDocument({ inbound_short_id, form_no }: Body): FieldError[] {
  if (isGiven(inbound_short_id) && isGiven(form_no)) return [at('form_no', 'must not stand beside inbound_short_id')];
  const isNamed = isGiven(inbound_short_id) || isGiven(form_no);
  return isNamed ? [] : [at('inbound_short_id', 'is missing; or name the document by form_no')];
}

function namedOrders({ orders }: Body, rule: (entry: Body) => FieldError[] = () => []): FieldError[] {
  return (orders as Body[]).flatMap((entry, index) => {
    const [direct, logistics] = [isGiven(entry.outbound_short_id), isGiven(entry.internal_name)];
    const own = [
      ...(direct && logistics ? [at('internal_name', 'must not be given as well')] : []),
      ...(direct || logistics ? [] : [at('outbound_short_id', 'is missing, or internal_name')]),
      ...rule(entry),
    ];
    return own.map(({ path, message }) => at(`orders[${index}].${path}`, message));
  });
}

function changesSomething({ outbound_short_id: _, internal_name: __, ...fields }: Body): FieldError[] {
  const known = Object.keys(changeFields).some((field) => isGiven(fields[field]));
  return known ? [] : [at('consignee_name', 'is missing; send at least one field to change')];
}

/** Rules about more than one field. */
const rules: Record<string, (body: Body) => FieldError[]> = {
  ordersCancel: ({ outbound_short_ids, internal_names }) =>
    isGiven(outbound_short_ids) || isGiven(internal_names)
      ? []
      : [at('outbound_short_ids', 'is missing; or name orders by internal_names')],
  inboundsCancel: ({ inbound_short_ids, form_nos }) =>
    isGiven(inbound_short_ids) || isGiven(form_nos)
      ? []
      : [at('inbound_short_ids', 'is missing; or name documents by form_nos')],
  inboundsStop: namedDocument,
  inboundsReceive: (body) => [
    ...namedDocument(body),
    ...((body.details as unknown[]).length > 0 || body.final === true
      ? []
      : [at('details', 'must not be empty, unless final is true')]),
  ],
  ordersUpdate: (body) => namedOrders(body, changesSomething),
  ordersHold: (body) => namedOrders(body),
  ordersRelease: (body) => namedOrders(body),
  fulfilmentAdvance: ({ orders }) =>
    (orders as Body[]).flatMap(({ outbound_short_id, internal_name }, index) => {
      if (isGiven(outbound_short_id) !== isGiven(internal_name)) return [];
      return isGiven(outbound_short_id)
        ? [at(`orders[${index}].internal_name`, 'must not be given as well')]
        : [at(`orders[${index}].outbound_short_id`, 'is missing, or internal_name')];
    }),
  stocksAdjust: ({ lines }) =>
    (lines as Body[]).flatMap(({ delta, counted }, index) => {
      if (isGiven(delta) !== isGiven(counted)) return [];
      return isGiven(delta)
        ? [at(`lines[${index}].counted`, 'must not be given together with delta')]
        : [at(`lines[${index}].delta`, 'is missing; send delta or counted')];
    }),
};

/** Filters are reported in their own words: a filter is a value, a list of values or an object of operators. */
function filterMistakes(key: string, field: FilterField, given: unknown): FieldError[] {
  const value = field.value as SchemaNode;
  if (given === undefined || isLeftOut(value, given)) return [];
  if (Array.isArray(given)) {
    if (given.length < 1 || given.length > 100) return [at(key, 'must have 1 to 100 values')];
    return given.flatMap((one, index) => valueMistakes(value, one).map((message) => at(`${key}[${index}]`, message)));
  }
  if (typeof given !== 'object' || given === null)
    return valueMistakes(value, given).map((message) => at(key, message));
  if (field.operators.length === 0) return [at(key, 'must be a value, or a list of values')];
  if (isAllNull(given)) return [];
  const operators = field.operators.join(', ');
  const asked = Object.entries(given).filter(
    ([operator, one]) => one !== null && !(operator === 'prefix' ? one === '' : isLeftOut(value, one)),
  );
  if (asked.length === 0) return [at(key, `must name an operator: ${operators}`)];
  return asked.flatMap(([operator, one]) => {
    if (!field.operators.includes(operator as 'ne'))
      return [at(`${key}.${operator}`, `is not an operator of this filter; there are ${operators}`)];
    const form = operator === 'prefix' ? prefixForm : value;
    return valueMistakes(form, one).map((message) => at(`${key}.${operator}`, message));
  });
}

/** Such a filter is ignored, like one that is null itself. */
function isAllNull(operators: object): boolean {
  const values = Object.values(operators);
  return values.length > 0 && values.every((value) => value === null);
}

const prefixForm = {
  type: 'string',
  description:
    '1-255 characters, not blank, without control characters other than line breaks and tabs, which become spaces',
};

/** A value of a fixed form is described even if it is no text. */
function valueMistakes(form: SchemaNode, value: unknown): string[] {
  const hasFixedForm = /^a (date|time|UUID)/.test(form.description ?? '');
  return hasFixedForm && typeof value !== 'string' ? [`must be ${form.description}`] : scalarMistakes(form, value);
}

function filtersMistakes({ prefix, fields }: SearchList, body: Body): FieldError[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const key = `${prefix}.${name}`;
    return filterMistakes(key, field, body[key]);
  });
}

function searchMistakes(list: SearchList, body: Body): FieldError[] {
  const { sort, page_size, cursor, total } = body;
  const keys = sortKeysOf(list.fields);
  const known = `there are ${keys.join(', ')}`;
  const mistakes = filtersMistakes(list, body);
  if (isGiven(sort) && typeof sort !== 'string')
    mistakes.push(at('sort', `must be a field, or "-" and a field; ${known}`));
  else if (isGiven(sort) && !keys.some((key) => [key, `-${key}`].includes(sort as string)))
    mistakes.push(at('sort', `${sort} is not a sort key of this list; ${known}`));
  if (isGiven(page_size) && !(Number.isInteger(page_size) && Number(page_size) >= 1 && Number(page_size) <= 500))
    mistakes.push(at('page_size', 'must be a whole number from 1 to 500'));
  if (isGiven(total) && typeof total !== 'boolean') mistakes.push(at('total', 'must be true or false'));
  if (isGiven(cursor)) {
    const isText = typeof cursor === 'string' && cursor.length <= 4096;
    const message = isText
      ? 'is not of this search: same list, filters and sort'
      : 'must be the next_cursor of an earlier answer; leave it out for the first page';
    mistakes.push(at('cursor', message));
  }
  return mistakes;
}

function redeliverMistakes(body: Body): FieldError[] {
  const { event_ids, dry_run } = body;
  const ofFilters = filtersMistakes(callbacksSearch, body);
  const isFiltered =
    ofFilters.length > 0 || Object.keys(callbacksSearch.fields).some((name) => isGiven(body[`callbacks.${name}`]));
  const mistakes = [...ofFilters];
  if (isGiven(dry_run) && typeof dry_run !== 'boolean') mistakes.push(at('dry_run', 'must be true or false'));
  if (!isGiven(event_ids) && !isFiltered) mistakes.push(at('event_ids', 'is missing; or say by filters which'));
  if (!isGiven(event_ids)) return mistakes;
  if (isFiltered) mistakes.push(at('event_ids', 'must not be given together with filters'));
  const list = { items: callbacksSearch.fields.event_id.value as SchemaNode, minItems: 1, maxItems: 1000 };
  return [...mistakes, ...mistakesIn(list, event_ids, ['event_ids'])];
}

/**
 * Filters of all lists share their code. Nested values are tried in two lists only, with one operator, and with `prefix`,
 * which has a form of its own.
 */
function thoroughnessOf(list: SearchList): NonNullable<ProbedOperation['thoroughness']> {
  const isNestedTried = [lists.stocks, lists.orders].includes(list);
  return ([key, inner]) => {
    if (['page_size', 'cursor', 'sort', 'event_ids', 'dry_run'].includes(String(key))) return 'all';
    const isTried = inner === undefined || (isNestedTried && [0, 'gte', 'prefix'].includes(inner));
    return isTried ? 'one of each kind' : null;
  };
}

/** The first report of a warehouse lists a parcel, so that its fields are tried in a complete one. */
function withParcel(body: Body): Body {
  const [first, ...others] = (body.orders ?? []) as Body[];
  if (first === undefined) return body;
  const parcels = [{ shipment_no: 'P-1', items: [{ sku_id: 'TEA-1', qty: 1 }] }];
  return { ...body, orders: [{ ...first, parcels }, ...others] };
}

const listOf = (path: string) => Object.values(lists).find((list) => path.endsWith(list.path));

function bodyFor(operationId: string, example: unknown): Body {
  const body = exampleBody(example);
  if (operationId === 'fulfilmentAdvance') return withParcel(body);
  const sku_id = skuOfStock[operationId];
  return sku_id === undefined ? body : { ...body, lines: (body.lines as Body[]).map((line) => ({ ...line, sku_id })) };
}

const sendersOf: Record<string, ProbedOperation['send']> = { getToken: sendToken, callbacksTest: sendTest };

/** Earlier tests are too old to count, so that no attempt is limited because of them. */
async function sendTest(sent: Body): Promise<TestAnswer> {
  const { database } = app.store;
  await database.read((sql) => sql`update callback set created_at = '2026-01-01' where test_of is not null`);
  return await app.callMain('/callbacks/test', sent);
}

function operationOf({ path, operationId, body }: EndpointReference): ProbedOperation {
  const list = listOf(path);
  return {
    name: operationId,
    schema: body!.schema,
    makeBody: () => (operationId === 'getToken' ? wrongCredentials() : bodyFor(operationId, body!.example)),
    send: sendersOf[operationId] ?? ((sent) => app.callMain(path.replace('/api/v2/default', ''), sent)),
    ...(rules[operationId] ? { rules: rules[operationId] } : {}),
    // More searches of one account would wait for each other.
    ...(list
      ? { findMistakes: (sent: Body) => searchMistakes(list, sent), atOnceMax: 2, thoroughness: thoroughnessOf(list) }
      : {}),
    ...(operationId === 'callbacksRedeliver'
      ? { findMistakes: redeliverMistakes, thoroughness: thoroughnessOf(callbacksSearch) }
      : {}),
  };
}

const operations = mainReference.endpoints.filter(({ body }) => body).map(operationOf);

/** Never the same name or address twice, so that no attempt is limited because of earlier ones. */
const wrongCredentials = () => ({ ClientId: `unknown-${++callers}`, CheckValue: 'wrong' });

async function sendToken(payload: Body): Promise<TestAnswer> {
  const number = ++callers;
  const answer = await app.http.inject({
    method: 'POST',
    url: '/api/v1/token/getToken',
    headers: { 'content-type': 'application/json' },
    remoteAddress: `203.0.${Math.floor(number / 250) % 250}.${(number % 250) + 1}`,
    payload: JSON.stringify(payload),
  });
  return { status: answer.statusCode, headers: answer.headers, text: answer.payload, json: answer.json() };
}

function assertRefused({ status, json }: TestAnswer, expected: FieldError[]): void {
  assert.equal(status, 400);
  const { done, msg, retval } = json;
  assert.deepEqual([done, retval], [false, null]);
  const messages = expected.map(({ path, message }) => `${path} ${message}`);
  assert.deepEqual(msg.split('; ').sort(), messages.join('; ').split('; ').sort());
}

/** A value of the right form may still name something that does not exist. */
function refusalByName(operation: string, field: string, value: unknown): string | null {
  if (operation === 'inboundsReceive' || operation === 'inboundsStop') return 'inbound_short_id not found';
  if (operation === 'stocksAdjust' || operation === 'stocksMove') return refusalOfLot(operation, field, value);
  if (operation === 'productsUpdate') return refusalOfProduct(field, value);
  if (operation === 'callbacksTest') return refusalOfTest(field, value);
  if (operation !== 'ordersCreate') return null;
  if (['logistics_type', 'express_type'].includes(field)) return 'unknown ship_method mapping';
  if (field === 'warehouse_tpw_id') return 'unknown tenant';
  return field === 'details[0].sku_id' && value !== exampleSku ? 'sku_id not found' : null;
}

function refusalOfProduct(field: string, value: unknown): string | null {
  if (field.endsWith('.sku_id')) return value === exampleSku ? null : `${field} is not a product of your account`;
  const isOther = field.endsWith('.warehouse_no') && ![1, 2].includes(value as number);
  return isOther ? `${field} is not a warehouse of your account` : null;
}

/** The account has no callback URL of its own. */
function refusalOfTest(field: string, value: unknown): string | null {
  if (field === 'document_no' && typeof value === 'string' && value !== '') return 'document_no not found';
  const isLeft = field === 'callback_url' && [absent, null, ''].includes(value as null);
  return isLeft ? 'callback_url is missing, and no callback URL is set' : null;
}

/** The example of an adjustment creates its lot, that of a move needs it. */
function refusalOfLot(operation: string, field: string, value: unknown): string | null {
  const isOwn = [1, 2].includes(value as number);
  if (field.endsWith('.to_warehouse_no') && value === 1)
    return `${field} must be another warehouse than from_warehouse_no`;
  if (field.endsWith('.from_warehouse_no') && value === 2)
    return 'lines[0].to_warehouse_no must be another warehouse than from_warehouse_no';
  if (field.endsWith('warehouse_no') && !isOwn) return `${field} is not a warehouse of your account`;
  if (field.endsWith('.sku_id')) return `${field} is not a product of your account`;
  // The second line of the example is the lot of defective units.
  if (operation === 'stocksAdjust')
    return value === 'bad'
      ? 'lines[1] names a lot that an earlier line names too, and one of the two is a count'
      : null;
  const isOtherLot = /\.(batch_id|expire_date|stock_type)$/.test(field) && value !== 'good';
  return isOtherLot ? 'lines[0] names a lot that does not exist, so it has no units to remove' : null;
}

for (const operation of operations) {
  test(`${operation.name}: every value of every field is accepted or refused as documented, and a refusal changes nothing`, () =>
    assertProbes(app, operation, assertRefused, (answer, { field, value }: Probe) => {
      if (operation.name === 'getToken') {
        const { done, msg, retval } = answer.json;
        assert.deepEqual([answer.status, done, msg, retval], [200, false, 'invalid ClientId or CheckValue', null]);
        return;
      }
      const refusal = refusalByName(operation.name, pathText(field), value);
      if (refusal === null) retvalOf(answer);
      else assert.deepEqual([answer.status, answer.json.msg], [400, refusal]);
    }));
}

test('ordersCreate: an optional field that is null or empty is the same body as without it', async () => {
  const { schema, makeBody, send } = operations.find(({ name }) => name === 'ordersCreate')!;
  for (const { field, values } of optionalFields(schema)) {
    const body = withValue(makeBody(), field, absent);
    const { orders_id } = retvalOf(await send(body));
    for (const value of values)
      assert.deepEqual(retvalOf(await send(withValue(body, field, value))), { orders_id, idempotent: true });
  }
});
