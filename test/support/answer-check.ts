import { Compile } from 'typebox/schema';
import { findCatalogued } from '../../contract/error-catalogue.ts';
import type { ContractName } from '../../contract/errors/catalogued-message.ts';

/** An answer of the service, as it went out. */
export interface GivenAnswer {
  method: string;
  /** null: nobody knows, since the request broke off. */
  path: string | null;
  /** null: none was found for it. */
  route: string | null;
  status: number;
  headers: Record<string, unknown>;
  body: unknown;
}

/** Where the contracts are mounted; null: not at all. */
export interface Mounts {
  warehouse: string | null;
  logistics: string | null;
}

/** What in an answer is not as the document says; each mistake in one line. */
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

/** Where the contracts are mounted in the document. */
const documentMounts = { warehouse: '/warehouse/v1', logistics: '/logistics' };

/** Each has whatever any endpoint of its contract may answer. */
const typicalPath = {
  main: '/api/v2/default/orders/create',
  warehouse: `${documentMounts.warehouse}/product/sync`,
  logistics: `${documentMounts.logistics}/orders/order`,
};

/** Holds answers of an app whose contracts are mounted so against the document, as a reader gets it. */
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

  /** A page may be anything; what is refused there is refused in the words of the main API. */
  function placeOf({ route, method, status }: GivenAnswer, contract: ContractName): [path: string, method: string] | 'page' {
    if (route === null) return [typicalPath[contract], 'post'];
    if (/^\/(docs(\/|$)|$)/.test(route)) return status < 400 ? 'page' : [typicalPath.main, 'post'];
    return [documentPath(route, contract), method === 'HEAD' ? 'get' : method.toLowerCase()];
  }

  return (answer) => {
    const { headers, status } = answer;
    // The console's API is between our own pages and us, and not documented for partners.
    if (answer.path !== null && isBelow(answer.path, '/console')) return traceIdMistakes(headers);
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
    return [...mistakes, ...fits(body), ...envelopeMistakes(body, headers), ...unexplained(contract, status, body)];
  };
}

function isBelow(path: string, mount: string | null): boolean {
  return mount !== null && (path === mount || path.startsWith(`${mount}/`));
}

/** What breaks off before its path is known is answered in the words of the main API, but for a path that cannot be read. */
function contractByWords(body: unknown): ContractName {
  return typeof body === 'string' && body.startsWith('{"code":') ? 'warehouse' : 'main';
}

function traceIdMistakes(headers: GivenAnswer['headers']): string[] {
  const isThere = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(String(headers['trace-id']));
  return isThere ? [] : ['the header trace-id is missing'];
}

/** Of HTTP itself, and so of no contract. */
const transportHeaders = new Set(['content-type', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'date']);

function headerMistakes(given: GivenAnswer['headers'], { headers }: DocumentedAnswer): string[] {
  const undocumented = Object.keys(given).filter((name) => !(name in headers) && !transportHeaders.has(name));
  const missing = Object.keys(headers).filter((name) => headers[name]!.required && given[name] === undefined);
  const unfit = Object.entries(headers).flatMap(([name, { isNumber, fits }]) =>
    given[name] === undefined ? [] : fits(isNumber ? Number(given[name]) : given[name]).map((mistake) => `the header ${name}: ${mistake}`),
  );
  return [
    ...undocumented.map((name) => `the header is not documented: ${name}`),
    ...missing.map((name) => `the header is missing: ${name}`),
    ...unfit,
  ];
}

/** Both envelopes, as far as the messages in them go. */
export interface AnyEnvelope {
  trace_id?: string;
  message?: string;
  msg?: string;
  success?: boolean;
  done?: boolean;
  data?: { errors?: { message: string }[] };
  retval?: { errors?: { message: string }[]; results?: { message?: string }[] } | null;
}

function envelopeMistakes(body: unknown, headers: GivenAnswer['headers']): string[] {
  const { trace_id } = body as AnyEnvelope;
  return trace_id === undefined || trace_id === headers['trace-id'] ? [] : ['trace_id is not the one of the header'];
}

/** Whatever a partner is told of a refusal must be in the error catalogue. */
function unexplained(contract: ContractName, status: number, body: unknown): string[] {
  return refusalMessages(body as AnyEnvelope)
    .filter((message) => findCatalogued(contract, status, message) === null)
    .map((message) => `the error catalogue does not explain: ${message.slice(0, messageShownMax)}`);
}

const messageShownMax = 200;

export function refusalMessages({ success, done, message, msg, data, retval }: AnyEnvelope): string[] {
  const own = success === false || done === false ? [message ?? msg ?? ''] : [];
  const ofEntries = [...(data?.errors ?? []), ...(retval?.errors ?? []), ...(retval?.results ?? [])];
  return [...own, ...ofEntries.flatMap((entry) => entry.message ?? [])];
}

function readResponse(response: Json, document: Json): DocumentedAnswer {
  const { headers = {}, content = {} } = followed(response, document) as { headers?: Record<string, Json>; content?: Record<string, Json> };
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

/** An answer has what the document says and nothing else; where a partner may send more than we know, the document stays open. */
function closed(schema: Json, document: Json): Json {
  const { properties, items, anyOf, ...rest } = followed(schema, document) as Json & {
    properties?: Record<string, Json>;
    items?: Json;
    anyOf?: Json[];
  };
  return {
    ...(properties ? { additionalProperties: false, properties: mapValues(properties, (part) => closed(part, document)) } : {}),
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
