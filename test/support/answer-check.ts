import { Compile } from 'typebox/schema';
import { codesOfMessages } from '../../contract/errors/codes.ts';
import { findCatalogued } from '../../reference/error-catalogue.ts';
import type { ContractName } from '../../reference/errors/catalogued-message.ts';
import { commonHeadersFor } from '../../server/http/common-headers.ts';

/** A response as sent by the service. */
export interface GivenAnswer {
  method: string;
  /** null if unknown because the request was incomplete. */
  path: string | null;
  /** null if no route was found. */
  route: string | null;
  status: number;
  headers: Record<string, unknown>;
  body: unknown;
}

/** The paths at which the contracts are mounted; null if a contract is not mounted. */
export interface Mounts {
  warehouse: string | null;
  logistics: string | null;
}

/** Returns the differences between a response and the document, one per line. */
export type CheckAnswer = (answer: GivenAnswer) => string[];

type Json = Record<string, unknown>;
type Fits = (value: unknown) => string[];

interface DocumentedAnswer {
  headers: Record<string, { required: boolean; isNumber: boolean; fits: Fits }>;
  bodies: Record<string, Fits>;
}

export interface PlainDocument extends Json {
  paths: Record<string, Record<string, { responses: Record<string, Json> }>>;
}

/** The paths at which the contracts are mounted in the document. */
const documentMounts = { warehouse: '/warehouse/v1', logistics: '/logistics' };

/** One endpoint per contract that documents all responses common to the contract. */
const typicalPath = {
  main: '/api/v2/default/orders/create',
  warehouse: `${documentMounts.warehouse}/product/sync`,
  logistics: `${documentMounts.logistics}/orders/order`,
};

/** Checks responses of an app with these mount points against the published document. */
export function makeAnswerCheck(mounts: Mounts, document: PlainDocument): CheckAnswer {
  const documented = new Map<string, DocumentedAnswer | null>();

  function contractOf(path: string): ContractName {
    if (isBelow(path, mounts.warehouse)) return 'warehouse';
    if (isBelow(path, mounts.logistics)) return 'logistics';
    return 'main';
  }

  function documentPath(route: string, contract: ContractName): string {
    return contract === 'main' ? route : `${documentMounts[contract]}${route.slice(mounts[contract]!.length)}`;
  }

  function documentedAnswer(path: string, method: string, status: number): DocumentedAnswer | null {
    const key = `${method} ${path} ${status}`;
    const known = documented.get(key);
    if (known !== undefined) return known;
    const response = document.paths[path]?.[method]?.responses[status];
    const read = response === undefined ? null : readResponse(response, document);
    documented.set(key, read);
    return read;
  }

  /** Pages can have any content; their error responses have the format of the main API. */
  function placeOf(
    { route, method, status }: GivenAnswer,
    contract: ContractName,
  ): [path: string, method: string] | 'page' {
    if (route === null) return [typicalPath[contract], 'post'];
    if (/^\/(docs(\/|$)|$)/.test(route)) return status < 400 ? 'page' : [typicalPath.main, 'post'];
    return [documentPath(route, contract), method === 'HEAD' ? 'get' : method.toLowerCase()];
  }

  return (answer) => {
    const { headers, status } = answer;
    if (isForPeople(answer)) return traceIdMistakes(headers);
    const contract = answer.path === null ? contractByWords(answer.body) : contractOf(answer.path);
    const place = placeOf(answer, contract);
    const mistakes = traceIdMistakes(headers);
    if (place === 'page') return mistakes;
    const expected = documentedAnswer(...place, status);
    if (expected === null) return [...mistakes, `the status is not documented for ${place[1]} ${place[0]}`];

    mistakes.push(...headerMistakes(headers, expected));
    const mediaType = String(headers['content-type'] ?? '').split(';', 1)[0]!;
    const fits = expected.bodies[mediaType];
    if (fits === undefined) return [...mistakes, `the content type is not documented: ${mediaType}`];
    if (answer.method === 'HEAD') return mistakes;
    const body = mediaType.endsWith('json') ? JSON.parse(String(answer.body)) : answer.body;
    return [
      ...mistakes,
      ...fits(body),
      ...envelopeMistakes(body, headers),
      ...unexplained(contract, status, body),
      ...listMistakes(contract, status, body),
    ];
  };
}

function isForPeople({ path, status, headers }: GivenAnswer): boolean {
  if (path === null) return false;
  // The console's API and the page that shows secrets are internal and not documented for partners.
  if (isBelow(path, '/console') || isBelow(path, '/handover')) return true;
  // Browsers get a page where programs get the documented error.
  return isBelow(path, '/docs') && status === 404 && String(headers['content-type']).startsWith('text/html');
}

function isBelow(path: string, mount: string | null): boolean {
  return mount !== null && (path === mount || path.startsWith(`${mount}/`));
}

/**
 * A request that fails before its path is known gets a response in the format of the main API, except for an unreadable
 * path.
 */
function contractByWords(body: unknown): ContractName {
  const text = String(body);
  if (text.startsWith('{"code":')) return 'warehouse';
  return text.includes('"retval":{"errors":') ? 'logistics' : 'main';
}

function traceIdMistakes(headers: GivenAnswer['headers']): string[] {
  const isThere = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(headers['trace-id']));
  return isThere ? [] : ['the header trace-id is missing'];
}

/** Headers at the HTTP level and headers for browsers, which belong to no contract. */
const transportHeaders = new Set([
  ...Object.keys(commonHeadersFor('https://lading.example').values),
  'content-type',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'date',
]);

function headerMistakes(given: GivenAnswer['headers'], { headers }: DocumentedAnswer): string[] {
  const undocumented = Object.keys(given).filter((name) => !(name in headers) && !transportHeaders.has(name));
  const missing = Object.keys(headers).filter((name) => headers[name]!.required && given[name] === undefined);
  const unfit = Object.entries(headers).flatMap(([name, { isNumber, fits }]) =>
    given[name] === undefined
      ? []
      : fits(isNumber ? Number(given[name]) : given[name]).map((mistake) => `the header ${name}: ${mistake}`),
  );
  return [
    ...undocumented.map((name) => `the header is not documented: ${name}`),
    ...missing.map((name) => `the header is missing: ${name}`),
    ...unfit,
  ];
}

/** The message fields of both envelopes. */
export interface AnyEnvelope {
  trace_id?: string;
  message?: string;
  msg?: string;
  success?: boolean;
  done?: boolean;
  errors?: ListedError[];
  data?: { errors?: ListedError[] };
  retval?: { errors?: ListedError[]; results?: { message?: string }[] } | null;
}

interface ListedError {
  code: string;
  message: string;
  doc_url: string;
}

function envelopeMistakes(body: unknown, headers: GivenAnswer['headers']): string[] {
  const { trace_id } = body as AnyEnvelope;
  return trace_id === undefined || trace_id === headers['trace-id'] ? [] : ['trace_id is not the one of the header'];
}

/** Every error message to a partner must be in the error catalogue. */
function unexplained(contract: ContractName, status: number, body: unknown): string[] {
  return refusalMessages(body as AnyEnvelope)
    .filter((message) => findCatalogued(contract, status, message) === null)
    .map((message) => `the error catalogue does not explain: ${message.slice(0, messageShownMax)}`);
}

const messageShownMax = 200;

/** Every rejection lists its errors in the place of its contract, each with the code of its message and its guide. */
function listMistakes(contract: ContractName, status: number, body: unknown): string[] {
  const { success, done, errors, data, retval } = body as AnyEnvelope;
  if (success !== false && done !== false) return [];
  const listed = { warehouse: data?.errors, logistics: retval?.errors, main: errors }[
    success === false ? 'warehouse' : contract
  ];
  if (!listed?.length) return ['the rejection does not list its errors'];
  return listed.flatMap(({ code, message, doc_url }) => {
    const catalogued = findCatalogued(contract, status, message);
    const isRight = catalogued === null || codesOfMessages[catalogued.error] === code;
    return [
      ...(isRight ? [] : [`the error has the code ${code}: ${message}`]),
      ...(doc_url.endsWith(`/docs/errors/${code}`) ? [] : [`the error links to ${doc_url}`]),
    ];
  });
}

export function refusalMessages({ success, done, message, msg, errors, data, retval }: AnyEnvelope): string[] {
  const own = success === false || done === false ? [message ?? msg ?? ''] : [];
  const listed = errors ?? data?.errors ?? retval?.errors ?? [];
  const ofEntries = [...listed, ...(retval?.results ?? [])];
  return [...own, ...ofEntries.flatMap((entry) => entry.message ?? [])];
}

function readResponse(response: Json, document: Json): DocumentedAnswer {
  const { headers = {}, content = {} } = followed(response, document) as {
    headers?: Record<string, Json>;
    content?: Record<string, Json>;
  };
  return {
    headers: mapValues(headers, (header) => {
      const { required = false, schema } = followed(header, document) as { required?: boolean; schema: Json };
      return { required, isNumber: schema.type === 'integer', fits: fitsOf(schema, document) };
    }),
    bodies: mapValues(content, ({ schema }) => fitsOf(schema as Json, document)),
  };
}

const mistakesShownMax = 5;

function fitsOf(schema: Json, document: Json): Fits {
  const compiled = Compile(closed(schema, document));
  return (value) => {
    if (compiled.Check(value)) return [];
    const [, errors] = compiled.Errors(value);
    return errors
      .slice(0, mistakesShownMax)
      .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
  };
}

/** Closes the schemas, because responses must not contain undocumented fields; request schemas stay open. */
function closed(schema: Json, document: Json): Json {
  const { properties, items, anyOf, ...rest } = followed(schema, document) as Json & {
    properties?: Record<string, Json>;
    items?: Json;
    anyOf?: Json[];
  };
  return {
    ...(properties
      ? { additionalProperties: false, properties: mapValues(properties, (part) => closed(part, document)) }
      : {}),
    ...(items ? { items: closed(items, document) } : {}),
    ...(anyOf ? { anyOf: anyOf.map((part) => closed(part, document)) } : {}),
    ...rest,
  };
}

function followed(node: Json, document: Json): Json {
  if (typeof node.$ref !== 'string') return node;
  const target = node.$ref.slice('#/'.length).split('/');
  return followed(
    target.reduce<Json>((part, step) => part[step] as Json, document),
    document,
  );
}

function mapValues<From, To>(values: Record<string, From>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
