import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Compile } from 'typebox/schema';
import { connectorReference } from '../../contract/connector/reference.ts';
import { errorCatalogue, explainMessage } from '../../contract/error-catalogue.ts';
import { shownMessage } from '../../contract/errors/message-tables.ts';
import { logisticsReference } from '../../contract/logistics/reference.ts';
import { mainReference } from '../../contract/main/reference.ts';
import type { OpenApiDocument } from '../../contract/openapi.ts';
import { operationsReference } from '../../contract/operations.ts';
import type { EndpointReference, WebhookReference } from '../../contract/reference.ts';
import { warehouseReference } from '../../contract/warehouse/reference.ts';
import type { Wording } from '../../server/api/dialect.ts';
import { wordLogisticsProblem, wordMainProblem } from '../../server/api/done-envelope.ts';
import { httpOf, type Problem } from '../../server/api/problem.ts';
import { wordWarehouseProblem } from '../../server/api/warehouse/envelope.ts';
import { makeChecker } from '../../server/platform/schema.ts';
import { version } from '../../server/version.ts';
import { type AnyEnvelope, type GivenAnswer, makeAnswerCheck, refusalMessages } from '../support/answer-check.ts';
import { startTestApp, type TestApp } from '../support/app.ts';

const app = await startTestApp();
const elsewhere = await startTestApp({
  env: { WAREHOUSE_BASE_PATH: '/tpw/v9', LOGISTICS_SEGMENT: 'wms-hooks', PUBLIC_URL: 'https://lading.example/oms/' },
});
const document = await documentOf(app);
const contracts = [mainReference, warehouseReference, connectorReference, logisticsReference, operationsReference];
const endpoints = contracts.flatMap((contract) => contract.endpoints);
const webhooks = contracts.flatMap((contract) => contract.webhooks ?? []);

async function documentOf({ http }: TestApp): Promise<OpenApiDocument> {
  return (await http.inject('/openapi.json')).json();
}

type Content = Record<string, { schema: object; examples: Record<string, { value: unknown }> }>;

interface PlainOperation {
  requestBody?: { content: Record<string, { schema: object; example: unknown }> };
  responses: Record<string, { headers: Record<string, object>; content: Content }>;
}

interface PlainWebhook {
  parameters: { name: string; in: string; required: boolean; schema: { examples: unknown[] } }[];
  requestBody: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

interface PlainDocument {
  paths: Record<string, Record<string, PlainOperation>>;
  webhooks: Record<string, { post: PlainWebhook }>;
}

/** With its references followed, as a reader of the document sees it. */
async function plainDocument(): Promise<PlainDocument> {
  const validator = new Validator();
  assert.deepEqual(await validator.validate(structuredClone(document)), { valid: true });
  return validator.resolveRefs() as unknown as PlainDocument;
}
const plain = await plainDocument();
const operations = Object.entries(plain.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation] as [string, PlainOperation]),
);

test('the document is served as JSON, and is valid OpenAPI 3.1', async () => {
  const answer = await app.http.inject('/openapi.json');
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  assert.match(document.openapi, /^3\.1\./);
  assert.equal((document.info as { version: string }).version, version);
  assert.deepEqual(await new Validator().validate(structuredClone(document)), { valid: true });
});

test('every reference in the document leads somewhere', () => {
  const targets = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1]!);
  assert.ok(targets.length > 0);
  const lost = targets.filter(
    (target) => target.split('/').reduce((node, step) => node?.[step], document as ReturnType<typeof JSON.parse>) === undefined,
  );
  assert.deepEqual(lost, []);
});

test('each name of a schema, an answer, a credential, an operation and a webhook is used once over all contracts', () => {
  const names = contracts.flatMap((contract) => [
    ...Object.keys(contract.schemas).map((name) => `schema ${name}`),
    ...Object.keys(contract.answers).map((name) => `answer ${name}`),
    ...Object.keys(contract.credentials).map((name) => `credential ${name}`),
    ...[...contract.endpoints, ...(contract.webhooks ?? [])].map(({ operationId }) => `operation ${operationId}`),
    ...(contract.webhooks ?? []).map(({ name }) => `webhook ${name}`),
  ]);
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});

test('what is mounted is in the document, and what is in the document is mounted', () => {
  // Pages for people, which no machine calls, and what those of the console ask for.
  const mounted = mountedRoutes(app).filter((route) => !/^get \/(docs(\/|$)|$)|^(get|post) \/console/.test(route));
  assert.deepEqual(mounted, operations.map(([name]) => name).toSorted());
});

/** Fastify lists its routes as a tree, a path below another one without the other's part. */
function mountedRoutes({ http }: TestApp): string[] {
  const above: string[] = [];
  const routes = http
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent, part, methods] = /^([│ ]*)[├└]── (\S+) \(([^)]+)\)/.exec(line) ?? [];
      if (indent === undefined) return [];
      const depth = indent.length / 4;
      above.splice(depth, above.length, part!);
      return methods!
        .split(', ')
        .filter((method) => method !== 'HEAD')
        .map((method) => `${method.toLowerCase()} ${above.join('')}`);
    });
  return routes.toSorted();
}

test('paths, server and samples follow WAREHOUSE_BASE_PATH, LOGISTICS_SEGMENT and PUBLIC_URL', async () => {
  const { paths, servers } = await documentOf(elsewhere);
  assert.deepEqual(servers, [{ url: 'https://lading.example/oms' }]);
  const warehousePaths = Object.keys(paths).filter((path) => path.startsWith('/tpw/v9/'));
  assert.equal(warehousePaths.length, 7);
  assert.ok(!JSON.stringify(paths).includes('/warehouse/v1'));
  const [{ source }] = paths['/tpw/v9/stock/query']!.post!['x-codeSamples'] as [{ source: string }];
  assert.match(source, /curl 'https:\/\/lading\.example\/oms\/tpw\/v9\/stock\/query'/);
  assert.deepEqual(
    Object.keys(paths).filter((path) => /logistics|wms-hooks/.test(path)),
    ['/wms-hooks/orders/order', '/wms-hooks/purchases/purchase'],
  );
  const [{ source: keyCall }] = paths['/wms-hooks/orders/order']!.post!['x-codeSamples'] as [{ source: string }];
  assert.match(keyCall, /curl 'https:\/\/lading\.example\/oms\/wms-hooks\/orders\/order'/);
});

test('a bearer token, the three headers of the signature together, or an API key; and how to sign is said exactly', () => {
  const { securitySchemes } = document.components as unknown as { securitySchemes: Record<string, Record<string, string>> };
  assert.deepEqual(
    Object.values(securitySchemes).map(({ type, in: place, name, scheme }) => [type, place ?? scheme, name]),
    [
      ['http', 'bearer', undefined],
      ['apiKey', 'header', 'account-no'],
      ['apiKey', 'header', 'timestamp'],
      ['apiKey', 'header', 'sign'],
      ['apiKey', 'header', 'Authorization'],
    ],
  );
  const needed = {
    '/api/v2/': { accessToken: [] },
    '/warehouse/v1/': { accountNo: [], timestamp: [], sign: [] },
    '/logistics/': { apiKey: [] },
  };
  for (const [path, methods] of Object.entries(document.paths)) {
    const together = Object.entries(needed).flatMap(([start, credentials]) => (path.startsWith(start) ? [credentials] : []));
    for (const { security } of Object.values(methods)) assert.deepEqual(security, together, path);
  }
  for (const words of [/HMAC-SHA256/, /lowercase hex/, /exact bytes of the body/, /nothing between/]) {
    assert.match(securitySchemes.sign!.description!, words);
  }
  assert.match(securitySchemes.timestamp!.description!, /at most 300 seconds/);
});

for (const { path, body, answers } of endpoints) {
  test(`the examples of ${path} pass the schemas they are examples of`, () => {
    if (body) assert.deepEqual(makeChecker(body.schema)(body.example), { kind: 'valid', value: body.example });
    for (const { schema, examples } of answers) {
      const check = makeChecker(schema);
      for (const { value } of Object.values(examples)) assert.deepEqual(check(value), { kind: 'valid', value });
    }
  });
}

for (const [name, { requestBody, responses }] of operations) {
  test(`a reader who has only the document finds its examples to be right: ${name}`, () => {
    for (const { schema, example } of Object.values(requestBody?.content ?? {})) assertFits(schema, example);
    for (const { content } of Object.values(responses)) {
      for (const { schema, examples } of Object.values(content)) {
        for (const { value } of Object.values(examples)) assertFits(schema, value);
      }
    }
  });
}

for (const { name, body, headers, answers, answerBody } of webhooks) {
  test(`the webhook ${name} is in the document: its headers, its answers, and examples that fit, for a reader who has only the document too`, () => {
    const { parameters, requestBody, responses } = plain.webhooks[name]!.post;
    assert.deepEqual(
      parameters.map((parameter) => [parameter.name, parameter.in, parameter.required]),
      Object.keys(headers).map((header) => [header, 'header', true]),
    );
    for (const { schema } of parameters) for (const example of schema.examples) assertFits(schema, example);

    assertExamplesFit(requestBody.content, body);
    if (answerBody) assertExamplesFit(responses['2XX']!.content!, answerBody);
    assert.deepEqual(
      Object.entries(responses).map(([status, { description, content }]) => [status, description, content !== undefined]),
      Object.entries(answers).map(([status, description]) => [status, description, status === '2XX' && answerBody !== undefined]),
    );
  });
}

function assertExamplesFit(content: Content, meant: WebhookReference['body']): void {
  const check = makeChecker(meant.schema);
  const { schema, examples } = content['application/json']!;
  assert.deepEqual(Object.keys(examples), Object.keys(meant.examples));
  for (const { value } of Object.values(examples)) {
    assert.deepEqual(check(value), { kind: 'valid', value });
    assertFits(schema, value);
  }
}

function assertFits(schema: object, value: unknown): void {
  assert.deepEqual(Compile(schema).Errors(value), [true, []]);
}

test('every answer has the header trace-id', () => {
  const without = operations.filter(([, { responses }]) => Object.values(responses).some(({ headers }) => !headers['trace-id']));
  assert.deepEqual(without, []);
});

interface SchemaPart {
  description?: string;
  examples?: unknown[];
  type?: string | string[];
  properties?: Record<string, SchemaPart>;
  items?: SchemaPart;
  anyOf?: SchemaPart[];
}
type Field = [path: string, field: SchemaPart];

function fieldsOf({ properties = {}, items, anyOf = [] }: SchemaPart, path: string): Field[] {
  const own = Object.entries(properties).flatMap(([name, field]): Field[] => [
    [`${path}.${name}`, field],
    ...fieldsOf(field, `${path}.${name}`),
  ]);
  return [...own, ...(items ? fieldsOf(items, `${path}[]`) : []), ...anyOf.flatMap((part) => fieldsOf(part, path))];
}

const bodiesOf = (content: Record<string, { schema: object }> = {}, path: string) =>
  Object.values(content).flatMap(({ schema }) => fieldsOf(schema, path));
const requestFields = operations.flatMap(([name, { requestBody }]) => bodiesOf(requestBody?.content, name));
const answerFields = [
  ...operations.flatMap(([name, { responses }]) =>
    Object.entries(responses).flatMap(([status, { content }]) => bodiesOf(content, `${name} ${status}`)),
  ),
  ...Object.entries(plain.webhooks).flatMap(([name, { post }]) => [
    ...bodiesOf(post.requestBody.content, name),
    ...Object.entries(post.responses).flatMap(([status, { content }]) => bodiesOf(content, `${name} ${status}`)),
  ]),
];
const headerFields = [
  ...operations.flatMap(([name, { responses }]) =>
    Object.entries(responses).flatMap(([status, { headers }]) =>
      Object.entries(headers).map(([header, documented]): Field => [`${name} ${status} ${header}`, headerPart(documented)]),
    ),
  ),
  ...Object.entries(plain.webhooks).flatMap(([name, { post }]) =>
    post.parameters.map((parameter): Field => [`${name} ${parameter.name}`, headerPart(parameter)]),
  ),
];

function headerPart(header: object): SchemaPart {
  const { description, schema } = header as { description: string; schema: SchemaPart };
  return { ...schema, description };
}

test('every field and every header has a meaning', () => {
  assert.ok(requestFields.length > 300 && answerFields.length > 1000 && headerFields.length > 300);
  const bare = [...requestFields, ...answerFields, ...headerFields].filter(([, { description }]) => !description);
  assert.deepEqual(
    bare.map(([path]) => path),
    [],
  );
});

test('every field and every header has an example that fits it', () => {
  const checked = new Set<SchemaPart>();
  for (const [path, field] of [...requestFields, ...answerFields, ...headerFields]) {
    if (checked.has(field)) continue;
    checked.add(field);
    assert.ok(field.examples !== undefined && field.examples.length > 0, `${path} has no example`);
    for (const example of field.examples) assert.deepEqual(Compile(field).Errors(example), [true, []], path);
  }
});

const closedSet = ['enum', 'const'];
const limits: Record<string, string[]> = {
  string: ['maxLength', 'pattern', 'format', 'contentMediaType', ...closedSet],
  integer: ['maximum', ...closedSet],
  number: ['maximum', ...closedSet],
};

test('every field of a request, every field of an answer and every header says within which limits it may be', () => {
  assert.deepEqual(withoutLimits(requestFields, { ...limits, array: ['maxItems'] }), []);
  assert.deepEqual(withoutLimits([...answerFields, ...headerFields], limits), []);
});

test('how many entries lists may have together is said where that is limited', () => {
  const together = requestFields.flatMap(([path, field]) => {
    const {
      maxItems,
      'x-max-items-in-all': inAll,
      description,
    } = field as { maxItems?: number; 'x-max-items-in-all'?: number; description: string };
    return inAll === undefined ? [] : [[path, maxItems, inAll, description]];
  });
  const said = 'The units by their expiry date, at most 5000 in all details together.';
  assert.deepEqual(together, [
    ['post /warehouse/v1/inbound/create.details[].expires', 100, 5000, said],
    ['post /warehouse/v1/inbound/return.details[].expires', 100, 5000, said],
  ]);
});

/** Also of what a list holds, and of each form that a field may have. */
function withoutLimits(fields: Field[], needed: Record<string, string[]>): string[] {
  const hasNone = (part: SchemaPart) =>
    [part.type ?? []].flat().some((type) => needed[type] && !needed[type].some((limit) => limit in part));
  const formsOf = (part: SchemaPart): SchemaPart[] => [
    part,
    ...[...(part.anyOf ?? []), ...(part.items ? [part.items] : [])].flatMap(formsOf),
  ];
  return fields.filter(([, field]) => formsOf(field).some(hasNone)).map(([path]) => path);
}

/** Off in the strictest set of the linter. */
const furtherRules = [
  'array-parameter-serialization',
  'boolean-parameter-prefixes',
  'component-name-unique',
  'no-mixed-number-range-constraints',
  'operation-description',
  'operation-singular-tag',
  'operation-tag-defined',
  'parameter-description',
  'path-http-verbs-order',
  'path-params-defined',
  'scalar-property-missing-example',
  'spec-example-values',
  'spec-strict-refs',
];

test('a strict linter finds nothing to say, with none of its rules switched off and some more switched on', async () => {
  const rules = Object.fromEntries(furtherRules.map((rule) => [rule, 'error' as const]));
  const config = await createConfig({ extends: ['recommended-strict'], rules });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config });
  assert.deepEqual(
    problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`),
    [],
  );
});

/** Every code of the contract, with the statuses that it comes with. */
const codes: [code: string, status: string][] = [
  ['LST-TPW-2000', '200'],
  ['LST-TPW-6001', '200'],
  ['LST-TPW-2001', '400'],
  ['PARAM_INVALID', '400'],
  ['LST-TPW-4001', '401'],
  ['PARAM_INVALID', '404'],
  ['PARAM_INVALID', '405'],
  ['PARAM_INVALID', '413'],
  ['PARAM_INVALID', '415'],
  ['LST-TPW-4290', '429'],
  ['LST-TPW-5000', '500'],
  ['LST-TPW-5030', '503'],
  ['LST-TPW-5031', '503'],
];
const messages = [
  'success',
  'unknown tenant',
  'sku_id not found',
  'unknown ship_method mapping',
  'sku TEA-1 available=98 < requested=500',
  'inbound_short_id already in use',
  'outbound_short_id already in use',
];

test('each code and each fixed message of the contract has an example', () => {
  const examples = operations.flatMap(([, { responses }]) =>
    Object.entries(responses).flatMap(([status, { content }]) =>
      Object.values(content).flatMap(({ examples }) => Object.values(examples).map(({ value }) => ({ status, value }))),
    ),
  );
  const shown = examples.map(({ status, value }) => `${status} ${JSON.stringify(value)}`);
  for (const [code, status] of codes) {
    assert.ok(
      shown.some((text) => text.startsWith(status) && text.includes(`"code":"${code}"`)),
      `${status} ${code}`,
    );
  }
  for (const message of messages)
    assert.ok(
      shown.some((text) => text.includes(`"message":"${message}"`)),
      message,
    );
});

const problems: [status: number, example: string, problem: Problem][] = [
  [401, 'unauthorized', { kind: 'unauthorized', reason: 'not told' }],
  [404, 'unknown_path', { kind: 'unknown_path' }],
  [405, 'wrong_method', { kind: 'wrong_method', allow: ['POST'] }],
  [413, 'body_too_large', { kind: 'body_too_large', maxBytes: 1_048_576 }],
  [415, 'content_type', { kind: 'not_json', message: 'the content type must be application/json' }],
  [415, 'content_encoding', { kind: 'not_json', message: 'a content encoding is not supported' }],
  [429, 'rate_limited', { kind: 'rate_limited', retryAfterSeconds: 1 }],
  [500, 'internal', { kind: 'internal' }],
  [503, 'not_enabled', { kind: 'not_enabled', reason: 'not told' }],
  [503, 'database_unavailable', { kind: 'database_unavailable', reason: 'not told' }],
  [503, 'overloaded', { kind: 'overloaded', reason: 'not told' }],
];

const headerTwice: (typeof problems)[number] = [
  401,
  'header_twice',
  { kind: 'unauthorized', reason: '', told: 'the header authorization came twice' },
];

/** What the main API says otherwise; it is never not enabled as a whole. */
const bearerProblems: typeof problems = [
  [401, 'expired', { kind: 'unauthorized', reason: 'not told', told: 'the access token has expired' }],
  [401, 'no_header', { kind: 'unauthorized', reason: '', told: 'the header Authorization is missing; it must be: Bearer <access token>' }],
  [401, 'no_prefix', { kind: 'unauthorized', reason: '', told: 'the header Authorization must be: Bearer <access token>' }],
  [401, 'malformed', { kind: 'unauthorized', reason: '', told: 'the access token is malformed' }],
  [401, 'invalid', { kind: 'unauthorized', reason: '', told: 'the access token is not valid' }],
  [401, 'disabled', { kind: 'unauthorized', reason: '', told: 'this client is disabled' }],
  headerTwice,
  [403, 'forbidden', { kind: 'forbidden', permission: 'orders.read' }],
];
const openProblems = problems.filter(([status, name]) => status !== 401 && name !== 'not_enabled');

/** What the logistics webhook says otherwise. */
const keyProblems: typeof problems = [[401, 'unauthorized', { kind: 'unauthorized', reason: 'not told' }], headerTwice, ...openProblems];

const described: [endpoint: EndpointReference, word: Wording, problems: [number, string, Problem][]][] = [
  ...warehouseReference.endpoints.map((endpoint) => [endpoint, wordWarehouseProblem, problems] as (typeof described)[number]),
  ...logisticsReference.endpoints.map((endpoint) => [endpoint, wordLogisticsProblem, keyProblems] as (typeof described)[number]),
  ...mainReference.endpoints
    .filter(({ method }) => method === 'post')
    .map(
      (endpoint) =>
        [endpoint, wordMainProblem, [...(endpoint.open ? [headerTwice] : bearerProblems), ...openProblems]] as (typeof described)[number],
    ),
];

for (const [{ path, answers }, word, its] of described) {
  test(`what any endpoint may answer is described in the words of the service: ${path}`, () => {
    const shared = answers.filter(({ status }) => status > 400 && ![408, 409, 431].includes(status));
    const names = shared.flatMap(({ status, examples }) => Object.keys(examples).map((name) => [status, name]));
    assert.deepEqual(
      names,
      its.map(([status, name]) => [status, name]),
    );

    for (const [status, name, problem] of its) {
      const { examples, headers = {} } = shared.find((answer) => answer.status === status)!;
      const value = examples[name]!.value as { trace_id: string };
      const worded = word(problem, value.trace_id);
      assert.deepEqual(worded.body, value);
      const http = httpOf(problem);
      assert.equal(http.status, status);
      const given = { ...http.headers, ...worded.headers };
      const unsaid = Object.keys(given).filter((header) => header !== 'connection' && !(header in headers));
      const promised = Object.keys(headers).filter((header) => headers[header]!.required && !(header in given));
      assert.deepEqual([unsaid, promised], [[], []], name);
    }
  });
}

const catalogued = contracts.flatMap((contract) => {
  const name = contract.errors;
  return name ? [{ ...contract, name, entries: errorCatalogue.filter((entry) => entry.contracts.includes(name)) }] : [];
});

for (const { name, endpoints: its, entries } of catalogued) {
  test(`the error catalogue explains every message that the reference shows: ${name}`, () => {
    const shown = its.flatMap(({ answers }) =>
      answers.flatMap(({ status, examples }) =>
        Object.values(examples).flatMap(({ value }) => refusalMessages(value as AnyEnvelope).map((message) => [status, message] as const)),
      ),
    );
    assert.ok(shown.length > 20);
    assert.deepEqual(
      shown.filter(([status, message]) => explainMessage(name, status, message) === null),
      [],
    );
  });

  test(`the error catalogue explains what is said of a field of any form: ${name}`, () => {
    const forms = its.flatMap(({ body }) => (body ? fieldsOf(body.schema as SchemaPart, '') : []).map(([, field]) => field));
    const texts = forms.filter((field) => 'pattern' in field || 'format' in field).flatMap(({ description }) => description ?? []);
    assert.deepEqual(
      [...new Set(texts)].filter((text) => explainMessage(name, 400, `must be ${text}`) === null),
      [],
    );
  });

  test(`each message of the catalogue stands once, is given by operations that there are, and is in the document: ${name}`, () => {
    const keys = entries.map(({ status, message }) => `${status} ${message}`);
    assert.deepEqual(
      keys.filter((key, index) => keys.indexOf(key) !== index),
      [],
    );
    const operationIds = its.map(({ operationId }) => operationId);
    for (const { message, operations: by } of entries) assert.ok(!by || by.some((one) => operationIds.includes(one)), message);
    const text = JSON.stringify(document);
    const absent = entries.filter((entry) => !text.includes(JSON.stringify(`\`${shownMessage(entry)}\``).slice(1, -1)));
    assert.deepEqual(absent, []);
  });
}

test('every operation that the error catalogue names is one of a contract', () => {
  const operationIds = endpoints.map(({ operationId }) => operationId);
  const unknown = errorCatalogue.flatMap(({ operations: by = [] }) => by).filter((one) => !operationIds.includes(one));
  assert.deepEqual(unknown, []);
});

test('what several mistakes of one answer say is explained as a whole; what is not ours is not', () => {
  const first = explainMessage(
    'main',
    400,
    'sku_id is missing; details[0].qty must be >= 1; orders.status must be one of a, b (and 3 more)',
  );
  assert.deepEqual(first, explainMessage('main', 400, 'is missing'));
  for (const message of ['sku_id is missing; something else', 'something else; sku_id is missing', 'sku_id is gone', '']) {
    assert.equal(explainMessage('main', 400, message), null, message);
  }
  assert.equal(explainMessage('main', 403, 'sku_id is missing'), null);
});

const checkAnswer = makeAnswerCheck(
  { warehouse: '/warehouse/v1', logistics: '/logistics' },
  await app.http.inject('/openapi.json').then((answer) => answer.json()),
);
const traceId = '019a83c4-5e00-7b3c-9d41-6f2b8a1c0e57';

/** A warehouse answer as the service gives it, but for what is planted. */
function plantedAnswer(change: Partial<GivenAnswer> = {}, body: object = {}): GivenAnswer {
  const envelope = { code: 'LST-TPW-2000', trace_id: traceId, message: 'success', success: true, data: { success: true, products_id: 1 } };
  return {
    method: 'POST',
    path: '/warehouse/v1/product/sync',
    route: '/warehouse/v1/product/sync',
    status: 200,
    headers: { 'trace-id': traceId, 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ ...envelope, ...body }),
    ...change,
  };
}
const json = { 'content-type': 'application/json; charset=utf-8', 'trace-id': traceId };

const planted: [what: string, answer: GivenAnswer, found: RegExp][] = [
  ['a field', plantedAnswer({}, { extra: 1 }), /must not have additional properties .*extra/],
  [
    'a field of a field',
    plantedAnswer({}, { data: { success: true, products_id: 1, extra: 1 } }),
    /^\/data must not have additional .*extra/,
  ],
  ['a field left out', plantedAnswer({}, { data: { success: true } }), /^\/data must have required properties .*products_id/],
  ['a value', plantedAnswer({}, { success: 1 }), /^\/success must be/],
  ['a status', plantedAnswer({ status: 418 }), /^the status is not documented for post \/warehouse\/v1\/product\/sync$/],
  ['a header', plantedAnswer({ headers: { ...json, 'x-extra': '1' } }), /^the header is not documented: x-extra$/],
  [
    'a content type',
    plantedAnswer({ headers: { ...json, 'content-type': 'text/html' } }),
    /^the content type is not documented: text\/html$/,
  ],
  ['no trace id', plantedAnswer({ headers: { 'content-type': 'application/json' } }), /^the header trace-id is missing$/],
  ['another trace id', plantedAnswer({}, { trace_id: '019a83c4-5e00-7b3c-9d41-6f2b8a1c0e58' }), /^trace_id is not the one of the header$/],
  [
    'a 405 without its header',
    plantedAnswer(
      { method: 'GET', route: null, status: 405 },
      { code: 'PARAM_INVALID', message: 'this path takes POST only', success: false, data: {} },
    ),
    /^the header is missing: allow$/,
  ],
  [
    'a message',
    plantedAnswer({ status: 400 }, { code: 'PARAM_INVALID', message: 'no idea', success: false, data: {} }),
    /^the error catalogue does not explain: no idea$/,
  ],
  ['an unknown path in the words of another contract', plantedAnswer({ path: '/api/v3', route: null, status: 404 }), /done/],
];

test('an answer as the service gives it fits the document', () => {
  assert.deepEqual(checkAnswer(plantedAnswer()), []);
});

for (const [what, answer, found] of planted) {
  test(`an answer that is not as the document says is found: ${what}`, () => {
    const mistakes = checkAnswer(answer);
    assert.ok(
      mistakes.some((mistake) => found.test(mistake)),
      mistakes.join('\n') || 'nothing was found',
    );
  });
}

test('the reference is answered with trace ids and is in the request log; other methods are told which one is right', async () => {
  for (const url of ['/openapi.json', '/docs', '/docs/viewer.js']) {
    const got = await app.http.inject(url);
    assert.equal(got.statusCode, 200);
    const line = await app.requestLine(got.headers['trace-id'] as string);
    assert.deepEqual([line?.endpoint, line?.status], [url, 200]);

    const head = await app.http.inject({ method: 'HEAD', url });
    assert.deepEqual([head.statusCode, head.payload, head.headers['content-length']], [200, '', got.headers['content-length']]);
    const posted = await app.http.inject({ method: 'POST', url });
    assert.deepEqual([posted.statusCode, posted.headers.allow, posted.json().msg], [405, 'GET', 'this path takes GET only']);
    assert.ok(posted.headers['trace-id']);
  }
});

test('the page names no other host, and its policy lets the browser ask none', async () => {
  const { payload, headers } = await app.http.inject('/docs');
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.doesNotMatch(payload, /https?:|\/\//);
  const policy = String(headers['content-security-policy']);
  assert.match(policy, /^default-src 'none'; script-src 'self'; /);
  assert.doesNotMatch(policy, /https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
});

test('the script of the page is ours to serve, compressed where the browser takes it', async () => {
  const plain = await app.http.inject('/docs/viewer.js');
  const zipped = await app.http.inject({ url: '/docs/viewer.js', headers: { 'accept-encoding': 'br, gzip' } });
  assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8');
  assert.equal(plain.headers['content-encoding'], undefined);
  assert.equal(zipped.headers['content-encoding'], 'gzip');
  assert.ok(gunzipSync(zipped.rawPayload).equals(plain.rawPayload));
});
