import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Errors } from 'typebox/schema';
import { errorCodes } from '../../contract/errors/codes.ts';
import { type ErrorCode, errorMessage } from '../../messages/errors.ts';
import { connectorReference } from '../../reference/connector/endpoints.ts';
import { errorCatalogue, findCatalogued } from '../../reference/error-catalogue.ts';
import { shownMessage } from '../../reference/errors/message-tables.ts';
import { logisticsReference } from '../../reference/logistics/endpoints.ts';
import { mainReference } from '../../reference/main/endpoints.ts';
import type { OpenApiDocument } from '../../reference/openapi.ts';
import { operationsReference } from '../../reference/operations.ts';
import type { EndpointReference, WebhookReference } from '../../reference/reference.ts';
import { warehouseReference } from '../../reference/warehouse/endpoints.ts';
import { type Schema, fieldsOf as shownFields } from '../../server/api/docs/schema-fields.ts';
import { warehouseFormat } from '../../server/api/warehouse/envelope.ts';
import { logisticsFormat, mainFormat } from '../../server/http/done-envelope.ts';
import { type EnvelopeFormat, problemResponse } from '../../server/http/envelope.ts';
import type { Problem } from '../../server/http/problem.ts';
import { newRequestRecord } from '../../server/http/request-record.ts';
import { makeChecker } from '../../server/platform/json/schema.ts';
import { version } from '../../server/version.ts';
import { type AnyEnvelope, type GivenAnswer, makeAnswerCheck, refusalMessages } from '../support/answer-check.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { errorItem } from '../support/errors.ts';

const app = await startTestApp();
const document: OpenApiDocument = (await app.http.inject('/openapi.json')).json();
const contracts = [mainReference, warehouseReference, connectorReference, logisticsReference, operationsReference];
const endpoints = contracts.flatMap((contract) => contract.endpoints);
const webhooks = contracts.flatMap((contract) => contract.webhooks ?? []);

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

// plainDocument() validates it.
test('the document is served as JSON, and is OpenAPI 3.1', async () => {
  const answer = await app.http.inject('/openapi.json');
  assert.equal(answer.statusCode, 200);
  assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  assert.match(document.openapi, /^3\.1\./);
  assert.equal((document.info as { version: string }).version, version);
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

test('the document has exactly the routes that are mounted', () => {
  // Pages and texts for readers, which no program of a partner calls, and what those of the console ask for.
  const mounted = mountedRoutes(app).filter(
    (route) => !/^get \/(docs(\/|$)|llms\.txt$|$)|^(get|post) \/(console|handover)/.test(route),
  );
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

test('a bearer token, the three headers of the signature together, or an API key; and how to sign is said exactly', () => {
  const { securitySchemes } = document.components as unknown as {
    securitySchemes: Record<string, Record<string, string>>;
  };
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
    const together = Object.entries(needed).flatMap(([start, credentials]) =>
      path.startsWith(start) ? [credentials] : [],
    );
    for (const { security } of Object.values(methods)) assert.deepEqual(security, together, path);
  }
  for (const words of [/HMAC-SHA256/, /lowercase hex/, /exact bytes of the body/, /nothing between/]) {
    assert.match(securitySchemes.sign!.description!, words);
  }
  assert.match(securitySchemes.timestamp!.description!, /at most 300 seconds/);
});

for (const [name, { requestBody, responses }] of operations) {
  test(`the examples of the document fit its schemas: ${name}`, () => {
    for (const { schema, example } of Object.values(requestBody?.content ?? {})) assertFits(schema, example);
    for (const { content } of Object.values(responses)) {
      for (const { schema, examples } of Object.values(content)) {
        for (const { value } of Object.values(examples)) assertFits(schema, value);
      }
    }
  });
}

/** Two of them exclude each other, so that neither is required alone. */
const eitherOf = new Set([
  'inbound_short_ids',
  'outbound_short_ids',
  'internal_names',
  'inbound_short_id',
  'form_no',
  'form_nos',
  'event_ids',
]);

for (const [name, { requestBody, responses }] of operations) {
  test(`the pages call a field required exactly if the service requires it: ${name}`, () => {
    for (const { schema, example } of Object.values(requestBody?.content ?? {})) {
      for (const { path, required } of shownFields(schema as Schema, {}).filter(({ path }) => /^\w+$/.test(path))) {
        const { [path]: given, ...others } = example as Record<string, unknown>;
        const isMissed = Errors(schema, others)[0] === false;
        if (given !== undefined && !(isMissed && eitherOf.has(path))) assert.equal(required, isMissed, path);
      }
    }
    for (const { schema, examples } of Object.values(responses).flatMap(({ content }) => Object.values(content)))
      for (const { path, required } of shownFields(schema as Schema, {}).filter((field) => /^\w+$/.test(field.path)))
        if (required)
          for (const { value } of Object.values(examples)) assert.ok(Object.hasOwn(value as object, path), path);
  });
}

for (const { name, body, headers, answers, answerBody } of webhooks) {
  test(`the webhook ${name} is in the document: its headers, its responses, and examples that fit`, () => {
    const { parameters, requestBody, responses } = plain.webhooks[name]!.post;
    assert.deepEqual(
      parameters.map((parameter) => [parameter.name, parameter.in, parameter.required]),
      Object.keys(headers).map((header) => [header, 'header', true]),
    );
    for (const { schema } of parameters) for (const example of schema.examples) assertFits(schema, example);

    assertExamplesFit(requestBody.content, body);
    if (answerBody) assertExamplesFit(responses['2XX']!.content!, answerBody);
    assert.deepEqual(
      Object.entries(responses).map(([status, { description, content }]) => [
        status,
        description,
        content !== undefined,
      ]),
      Object.entries(answers).map(([status, description]) => [
        status,
        description,
        status === '2XX' && answerBody !== undefined,
      ]),
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
  assert.deepEqual(Errors(schema, value), [true, []]);
}

test('every answer has the header trace-id', () => {
  const without = operations.filter(([, { responses }]) =>
    Object.values(responses).some(({ headers }) => !headers['trace-id']),
  );
  assert.deepEqual(without, []);
});

interface SchemaPart {
  description?: string;
  examples?: unknown[];
  type?: string | string[];
  properties?: Record<string, SchemaPart>;
  items?: SchemaPart;
  anyOf?: SchemaPart[];
  oneOf?: SchemaPart[];
}
type Field = [path: string, field: SchemaPart];

function fieldsOf({ properties = {}, items, anyOf = [], oneOf = [] }: SchemaPart, path: string): Field[] {
  const own = Object.entries(properties).flatMap(([name, field]): Field[] => [
    [`${path}.${name}`, field],
    ...fieldsOf(field, `${path}.${name}`),
  ]);
  return [
    ...own,
    ...(items ? fieldsOf(items, `${path}[]`) : []),
    ...[...anyOf, ...oneOf].flatMap((part) => fieldsOf(part, path)),
  ];
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
      Object.entries(headers).map(
        ([header, documented]): Field => [`${name} ${status} ${header}`, headerPart(documented)],
      ),
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

test('every field and every header has a description, and an example that fits it', () => {
  assert.ok(requestFields.length > 300 && answerFields.length > 1000 && headerFields.length > 300);
  const all = [...requestFields, ...answerFields, ...headerFields];
  // Many operations share a field.
  const pathsByField = new Map(all.map(([path, field]) => [field, path]));
  for (const [field, path] of pathsByField) {
    assert.ok(field.description, `${path} has no description`);
    assert.ok(field.examples !== undefined && field.examples.length > 0, `${path} has no example`);
    for (const example of field.examples) assertFits(field, example);
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
  const said = 'The units by expiry date, at most 5000 in all details together.';
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

test('a strict linter finds nothing, with none of its rules switched off and more switched on', async () => {
  const rules = Object.fromEntries(furtherRules.map((rule) => [rule, 'error' as const]));
  const config = await createConfig({ extends: ['recommended-strict'], rules });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config });
  assert.deepEqual(
    problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`),
    [],
  );
});

/** Codes and fixed messages of the warehouse API; those of any endpoint are in `problems`. */
const shownParts = [
  ...['LST-TPW-2000', 'LST-TPW-6001', 'LST-TPW-2001', 'PARAM_INVALID'].map((code) => ({ code })),
  ...[
    ...['success', 'unknown tenant', 'sku_id not found', 'unknown ship_method mapping'],
    ...['sku TEA-1 available=98 < requested=500'],
  ].map((message) => ({ message })),
];

test('each code and each fixed message of the contract has an example', () => {
  const shown = operations.flatMap(([, { responses }]) => Object.values(responses).map((one) => JSON.stringify(one)));
  const lacking = shownParts.filter((part) => {
    const text = JSON.stringify(part).slice(1, -1);
    return !shown.some((response) => response.includes(text));
  });
  assert.deepEqual(lacking, []);
});

test('every rejection of the document requires the list of errors, and each example has one', () => {
  const rejections = endpoints.flatMap(({ path, answers }) =>
    answers
      .filter(({ status, mediaType }) => status >= 400 && mediaType === undefined)
      .map((one) => ({ path, ...one })),
  );
  // The probe of readiness gives its reasons to machines that know nothing of our envelopes.
  const listing = rejections.filter(({ path, status }) => !(path === '/health/ready' && status === 503));
  assert.ok(listing.length > 200);
  for (const { path, status, schema, examples } of listing) {
    const check = makeChecker(schema);
    for (const [name, { value }] of Object.entries(examples)) {
      const { errors, data, retval } = value as AnyEnvelope;
      const list = errors ?? data?.errors ?? retval?.errors ?? [];
      assert.ok(list.length > 0 && list.every(({ code }) => code in errorCodes), `${path} ${status} ${name}`);
      const silent = JSON.parse(JSON.stringify(value), (key, part) => (key === 'errors' ? undefined : part));
      assert.deepEqual([check(value).kind, check(silent).kind], ['valid', 'mistakes'], `${path} ${status} ${name}`);
    }
  }
});

const unsaid = { code: 'unsaid' };

/** The responses that any endpoint may give. */
const problems: [status: number, example: string, problem: Problem][] = [
  [401, 'unauthorized', { kind: 'unauthorized', reason: unsaid }],
  [404, 'unknown_path', { kind: 'unknown_path' }],
  [405, 'wrong_method', { kind: 'wrong_method', allow: ['POST'] }],
  [413, 'body_too_large', { kind: 'body_too_large', maxBytes: 1_048_576 }],
  [415, 'content_type', { kind: 'not_json', message: errorMessage('wrong_content_type') }],
  [415, 'content_encoding', { kind: 'not_json', message: errorMessage('content_encoding') }],
  [429, 'rate_limited', { kind: 'rate_limited', retryAfterSeconds: 1 }],
  [500, 'internal', { kind: 'internal' }],
  [503, 'not_enabled', { kind: 'not_enabled', reason: unsaid }],
  [503, 'database_unavailable', { kind: 'database_unavailable', reason: unsaid }],
  [503, 'overloaded', { kind: 'overloaded', reason: unsaid }],
];

const unauthorized = (example: string, error: ErrorCode): (typeof problems)[number] => [
  401,
  example,
  { kind: 'unauthorized', reason: unsaid, callerMessage: { code: error } },
];
const headerTwice = unauthorized('header_twice', 'authorization_twice');

/** The responses that only the main API gives; it is never switched off as a whole. */
const bearerProblems: typeof problems = [
  unauthorized('expired', 'access_token_expired'),
  unauthorized('no_header', 'authorization_missing'),
  unauthorized('no_prefix', 'authorization_not_bearer'),
  unauthorized('malformed', 'access_token_malformed'),
  unauthorized('invalid', 'access_token_invalid'),
  unauthorized('disabled', 'client_off_since'),
  headerTwice,
  [403, 'forbidden', { kind: 'forbidden', permission: 'orders.read' }],
];
const openProblems = problems.filter(([status, name]) => status !== 401 && name !== 'not_enabled');

/** The responses of the logistics webhook. */
const keyProblems: typeof problems = [
  [401, 'unauthorized', { kind: 'unauthorized', reason: unsaid }],
  headerTwice,
  ...openProblems,
];

type Described = [endpoint: EndpointReference, format: EnvelopeFormat, problems: [number, string, Problem][]];
const described: Described[] = [
  ...warehouseReference.endpoints.map((endpoint): Described => {
    // A diagnosis takes a body of any type.
    const its = endpoint.operationId === 'diagnose' ? problems.filter(([status]) => status !== 415) : problems;
    return [endpoint, warehouseFormat, its];
  }),
  ...logisticsReference.endpoints.map((endpoint): Described => [endpoint, logisticsFormat, keyProblems]),
  ...mainReference.endpoints
    .filter(({ method }) => method === 'post')
    .map((endpoint): Described => {
      const own = endpoint.open ? [headerTwice] : bearerProblems;
      return [endpoint, mainFormat, [...own, ...openProblems]];
    }),
];

for (const [{ path, answers }, format, its] of described) {
  test(`the responses that any endpoint may give are documented in the words of the service: ${path}`, () => {
    const shared = answers.filter(({ status }) => status > 400 && ![408, 409, 431].includes(status));
    const names = shared.flatMap(({ status, examples }) => Object.keys(examples).map((name) => [status, name]));
    assert.deepEqual(
      names,
      its.map(([status, name]) => [status, name]),
    );

    for (const [status, name, problem] of its) {
      const { examples, headers = {} } = shared.find((answer) => answer.status === status)!;
      const value = examples[name]!.value as { trace_id: string };
      const request = { id: value.trace_id, record: newRequestRecord(new Date(0), null) };
      const envelope = { name: 'described', prefix: '', ...format };
      const { body, headers: given, ...http } = problemResponse(request, envelope, problem, { docsUrl: '/docs' });
      assert.deepEqual(body, value);
      assert.equal(http.status, status);
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
        Object.values(examples).flatMap(({ value }) =>
          refusalMessages(value as AnyEnvelope).map((message) => [status, message] as const),
        ),
      ),
    );
    assert.ok(shown.length > 20);
    assert.deepEqual(
      shown.filter(([status, message]) => findCatalogued(name, status, message) === null),
      [],
    );
  });

  test(`the error catalogue explains the mistake of every form of field: ${name}`, () => {
    const forms = its.flatMap(({ body }) =>
      (body ? fieldsOf(body.schema as SchemaPart, '') : []).map(([, field]) => field),
    );
    const texts = forms
      .filter((field) => 'pattern' in field || 'format' in field)
      .flatMap(({ description }) => description ?? []);
    assert.deepEqual(
      [...new Set(texts)].filter((text) => findCatalogued(name, 400, `must be ${text}`) === null),
      [],
    );
  });

  test(`each message of the catalogue is unique, belongs to existing operations, and is in the document: ${name}`, () => {
    const keys = entries.map(({ status, message }) => `${status} ${message}`);
    assert.deepEqual(
      keys.filter((key, index) => keys.indexOf(key) !== index),
      [],
    );
    const operationIds = its.map(({ operationId }) => operationId);
    for (const { message, operations: by } of entries)
      assert.ok(!by || by.some((one) => operationIds.includes(one)), message);
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
  const first = findCatalogued(
    'main',
    400,
    'sku_id is missing; details[0].qty must be >= 1; orders.status must be one of a, b (and 3 more)',
  );
  assert.deepEqual(first, findCatalogued('main', 400, 'is missing'));
  for (const message of [
    'sku_id is missing; something else',
    'something else; sku_id is missing',
    'sku_id is gone',
    '',
  ]) {
    assert.equal(findCatalogued('main', 400, message), null, message);
  }
  assert.equal(findCatalogued('main', 403, 'sku_id is missing'), null);
});

const checkAnswer = makeAnswerCheck({ warehouse: '/warehouse/v1', logistics: '/logistics' }, document as never);
const traceId = '019a83c4-5e00-7b3c-9d41-6f2b8a1c0e57';
const json = { 'content-type': 'application/json; charset=utf-8', 'trace-id': traceId };

/** A response of the warehouse API as the service gives it, except for the planted mistake. */
function plantedAnswer(change: Partial<GivenAnswer> = {}, body: object = {}): GivenAnswer {
  const path = '/warehouse/v1/product/sync';
  const data = { success: true, products_id: 1 };
  const envelope = { code: 'LST-TPW-2000', trace_id: traceId, message: 'success', success: true, data };
  const text = JSON.stringify({ ...envelope, ...body });
  return { method: 'POST', path, route: path, status: 200, headers: json, body: text, ...change };
}

const refused = (message: string, ...errors: object[]) => ({
  code: 'PARAM_INVALID',
  message,
  success: false,
  data: { errors: errors.length > 0 ? errors : [errorItem('method_not_allowed', '', 'this path takes POST only')] },
});
const planted: [answer: GivenAnswer, found: RegExp][] = [
  [plantedAnswer({}, { extra: 1 }), /must not have additional properties .*extra/],
  [
    plantedAnswer({}, { data: { success: true, products_id: 1, extra: 1 } }),
    /^\/data must not have additional .*extra/,
  ],
  [plantedAnswer({}, { data: { success: true } }), /^\/data must have required properties .*products_id/],
  [plantedAnswer({}, { success: 1 }), /^\/success must be/],
  [plantedAnswer({ status: 418 }), /^the status is not documented for post \/warehouse\/v1\/product\/sync$/],
  [plantedAnswer({ headers: { ...json, 'x-extra': '1' } }), /^the header is not documented: x-extra$/],
  [
    plantedAnswer({ headers: { ...json, 'content-type': 'text/html' } }),
    /^the content type is not documented: text\/html$/,
  ],
  [plantedAnswer({ headers: { 'content-type': 'application/json' } }), /^the header trace-id is missing$/],
  [plantedAnswer({}, { trace_id: traceId.replace(/7$/, '8') }), /^trace_id is not the one of the header$/],
  [
    plantedAnswer({ method: 'GET', route: null, status: 405 }, refused('this path takes POST only')),
    /^the header is missing: allow$/,
  ],
  [plantedAnswer({ status: 400 }, refused('no idea')), /^the error catalogue does not explain: no idea$/],
  [
    plantedAnswer({ status: 400 }, { ...refused('sku_id is missing'), data: {} }),
    /^the rejection does not list its errors$/,
  ],
  [
    plantedAnswer({ status: 400 }, refused('sku_id is missing', errorItem('field_invalid', 'sku_id', 'is missing'))),
    /^the error has the code field_invalid: is missing$/,
  ],
  [
    plantedAnswer(
      { status: 400 },
      refused('sku_id is missing', { ...errorItem('field_missing', 'sku_id', 'is missing'), doc_url: '/docs' }),
    ),
    /^the error links to \/docs$/,
  ],
  // An unknown path in the envelope of another contract.
  [plantedAnswer({ path: '/api/v3', route: null, status: 404 }), /done/],
];

test('the check of all responses of a test run finds every kind of difference from the document', () => {
  assert.deepEqual(checkAnswer(plantedAnswer()), []);
  for (const [answer, found] of planted) {
    const mistakes = checkAnswer(answer);
    assert.ok(
      mistakes.some((mistake) => found.test(mistake)),
      `${found}: ${mistakes.join('; ')}`,
    );
  }
});
