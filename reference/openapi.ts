import { type TSchema, Type } from 'typebox';
import type { CataloguedMessage } from './errors/catalogued-message.ts';
import { messagesChapter, messagesOfOperation, messagesOfRequest, messageTable } from './errors/message-tables.ts';
import { collectExamples } from './example-values.ts';
import type {
  ContractReference,
  CredentialReference,
  EndpointReference,
  ExampleReference,
  HeaderReference,
  ResponseReference,
  WebhookReference,
} from './reference.ts';

export interface MountedContract {
  /** An empty string, or a path such as `/warehouse/v1`. */
  basePath: string;
  reference: ContractReference;
}

export interface OpenApiOptions {
  serverUrl: string;
  version: string;
  contracts: MountedContract[];
}

type Json = Record<string, unknown>;

/** The parts of an OpenAPI 3.1 document that other modules read. */
export interface OpenApiDocument extends Json {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Json; responses: Json; headers: Json; securitySchemes: Json };
}

export interface Operation extends Json {
  operationId: string;
  responses: Record<string, Json>;
}

const traceIdHeader: HeaderReference = {
  description: 'Unique per request; quote it when you report a problem.',
  schema: Type.String({ format: 'uuid', examples: ['019a83c4-5e00-7b3c-9d41-6f2b8a1c0e57'] }),
  required: true,
};

const introduction = `
Lading manages products, inbound documents, orders and the stock between them. Each API below has its own authentication and its own response envelope.

Every response carries the header \`trace-id\`. Quote it when you report a problem: with it, the operator can find the request and the reason for the response.
`.trim();

/** Generates the OpenAPI document of the contracts. */
export function makeOpenApiDocument({ serverUrl, version, contracts }: OpenApiOptions): OpenApiDocument {
  const references = contracts.map(({ reference }) => reference);
  const schemas = references.flatMap((reference) => Object.entries(reference.schemas));
  const answers = references.flatMap((reference) => Object.entries(reference.answers));
  const names: Names = {
    schemas: new Map(schemas.map(([name, schema]) => [schema, name])),
    answers: new Map(answers.map(([name, answer]) => [answer, name])),
    examples: collectExamples(references),
  };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Lading',
      version,
      summary: 'Order management: products, inbound documents, orders and the stock between them.',
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    tags: references.map(tagOf),
    paths: mapOf(
      contracts.flatMap((contract) =>
        contract.reference.endpoints.map((endpoint) => pathOf(contract, endpoint, serverUrl, names)),
      ),
    ),
    webhooks: mapOf(
      references.flatMap(({ name, webhooks = [] }) =>
        webhooks.map((webhook) => [webhook.name, { post: webhookOf(name, webhook, names) }] as const),
      ),
    ),
    components: {
      schemas: mapOf(
        schemas.map(([name, schema]) => [name, withExample(schema, jsonSchemaOf(schema, names, 'itself'), names)]),
      ),
      responses: mapOf(
        references.flatMap(({ answers: shared, errors }) =>
          Object.entries(shared).map(
            ([name, answer]) =>
              [name, responseOf(answer, names, errors && messagesOfRequest(errors, answer.status))] as const,
          ),
        ),
      ),
      headers: { 'trace-id': headerOf(traceIdHeader, names) },
      securitySchemes: mapOf(
        references.flatMap(({ credentials }) => Object.entries(credentials)).map(securitySchemeOf),
      ),
    },
  };
}

/** Refers to the introduction for the messages that are the same at every endpoint. */
function withBodyMessages(response: Json): Json {
  const hint =
    'For errors that can occur in any body and any field, see *Messages of HTTP 400* in the introduction of this API.';
  return { ...response, description: inChapters(String(response.description), hint) };
}

function tagOf({ name, description, errors }: ContractReference): Json {
  return { name, description: inChapters(description, errors ? messagesChapter(errors) : '') };
}

function inChapters(...chapters: string[]): string {
  return chapters.filter((chapter) => chapter !== '').join('\n\n');
}

/** Named schemas and responses are published as components and referenced wherever the same object is used. */
interface Names {
  schemas: Map<TSchema, string>;
  answers: Map<ResponseReference, string>;
  /** Example values by schema. */
  examples: Map<TSchema, unknown>;
}

function pathOf(
  contract: MountedContract,
  endpoint: EndpointReference,
  serverUrl: string,
  names: Names,
): [string, Record<string, Operation>] {
  const path = `${contract.basePath}${endpoint.path}`;
  return [path, { [endpoint.method]: operationOf(contract.reference, endpoint, `${serverUrl}${path}`, names) }];
}

function operationOf(
  { name, errors, credentials, samples }: ContractReference,
  endpoint: EndpointReference,
  url: string,
  names: Names,
): Operation {
  const { operationId, summary, description, open, body, answers } = endpoint;
  const together = Object.fromEntries(Object.keys(credentials).map((credential) => [credential, []]));
  return {
    tags: [name],
    operationId,
    summary,
    description,
    security: Object.keys(together).length > 0 && !open ? [together] : [],
    ...(body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: jsonSchemaOf(body.schema, names), example: body.example } },
          },
        }
      : {}),
    responses: mapOf(
      answers.map((answer) => {
        const messages = errors && messagesOfOperation(errors, operationId, answer.status);
        const own = sharedResponse(answer, names) ?? responseOf(answer, names, messages);
        return [String(answer.status), body && answer.status === 400 ? withBodyMessages(own) : own];
      }),
    ),
    ...(samples && body
      ? {
          'x-codeSamples': samples(url, body.example).map(({ language, label, source }) => ({
            lang: language,
            label,
            source,
          })),
        }
      : {}),
  };
}

function webhookOf(tag: string, webhook: WebhookReference, names: Names): Operation {
  const { operationId, summary, description, headers, body, answers, answerBody } = webhook;
  const jsonOf = ({ schema, examples }: WebhookReference['body']) => ({
    'application/json': { schema: jsonSchemaOf(schema, names), examples: examplesOf(examples) },
  });
  return {
    tags: [tag],
    operationId,
    summary,
    description,
    security: [],
    parameters: Object.entries(headers).map(([name, header]) => ({ name, in: 'header', ...headerOf(header, names) })),
    requestBody: {
      required: true,
      content: jsonOf(body),
    },
    responses: mapOf(
      Object.entries(answers).map(([status, meaning]) => {
        const content = status === '2XX' && answerBody ? { content: jsonOf(answerBody) } : {};
        return [status, { description: meaning, ...content }];
      }),
    ),
  };
}

function sharedResponse(answer: ResponseReference, names: Names): Json | undefined {
  const name = names.answers.get(answer);
  return name === undefined ? undefined : { $ref: `#/components/responses/${name}` };
}

/** Includes a table of the possible messages. */
function responseOf(answer: ResponseReference, names: Names, messages: CataloguedMessage[] = []): Json {
  const { description, schema, mediaType, headers = {}, examples } = answer;
  return {
    description: inChapters(description, messageTable(messages)),
    headers: {
      'trace-id': { $ref: '#/components/headers/trace-id' },
      ...mapOf(Object.entries(headers).map(([name, header]) => [name, headerOf(header, names)])),
    },
    content: {
      [mediaType ?? 'application/json']: { schema: jsonSchemaOf(schema, names), examples: examplesOf(examples) },
    },
  };
}

function examplesOf(examples: Record<string, ExampleReference>): Json {
  return mapOf(Object.entries(examples).map(([name, { summary, value }]) => [name, { summary, value }]));
}

function headerOf({ description, schema, required }: HeaderReference, names: Names): Json {
  return { description, required, schema: jsonSchemaOf(schema, names) };
}

function securitySchemeOf([name, credential]: [string, CredentialReference]): [string, Json] {
  const { description } = credential;
  if ('bearer' in credential)
    return [name, { type: 'http', scheme: 'bearer', bearerFormat: credential.bearer, description }];
  return [name, { type: 'apiKey', in: 'header', name: credential.header, description }];
}

interface SchemaNode extends Json {
  meaning?: string;
  description?: string;
  documented?: Json;
  normalize?: Json;
  mistake?: Json;
  anyOf?: TSchema[];
  discriminator?: { propertyName: string };
  items?: TSchema;
  properties?: Record<string, TSchema>;
  enum?: unknown[];
}

/**
 * Converts a schema to plain JSON Schema: named schemas become references, the meaning precedes the format, and null
 * becomes a type.
 */
function jsonSchemaOf(schema: TSchema, names: Names, itself?: 'itself'): Json {
  const name = names.schemas.get(schema);
  if (name !== undefined && !itself) return { $ref: `#/components/schemas/${name}` };
  const {
    meaning,
    description,
    documented,
    normalize: _,
    mistake: __,
    anyOf,
    discriminator,
    items,
    properties,
    ...rest
  } = schema as SchemaNode;
  const inner = (part: TSchema) => jsonSchemaOf(part, names);
  const either = anyOf ? eitherOf(anyOf, discriminator?.propertyName, names) : {};
  return {
    ...rest,
    ...documented,
    ...typeOfEnum(rest.enum),
    ...(properties
      ? { properties: mapOf(Object.entries(properties).map(([field, part]) => [field, fieldOf(part, names)])) }
      : {}),
    ...(items ? { items: inner(items) } : {}),
    ...either,
    // A nullable schema takes its description from the non-null alternative, which may be more specific.
    ...(meaning === undefined && either.description !== undefined ? {} : formatDescription(meaning, description)),
  };
}

function fieldOf(schema: TSchema, names: Names): Json {
  const field = jsonSchemaOf(schema, names);
  return '$ref' in field ? field : withExample(schema, field, names);
}

/** Uses the example of the schema itself, or else one from the examples of an endpoint. */
function withExample(schema: TSchema, plain: Json, { examples }: Names): Json {
  if (plain.examples !== undefined || !examples.has(schema)) return plain;
  return { ...plain, examples: [examples.get(schema)] };
}

function typeOfEnum(values: unknown[] | undefined): Json {
  if (values === undefined) return {};
  return { type: typeof values[0] === 'number' ? 'integer' : typeof values[0] };
}

function eitherOf(parts: TSchema[], discriminator: string | undefined, names: Names): Json {
  const alternatives = parts.map((part) => jsonSchemaOf(part, names));
  if (discriminator === undefined) return oneOrAny(alternatives);
  const mapping = parts.map((part, index) => {
    const { const: value } = (part as SchemaNode).properties![discriminator] as { const?: string };
    return [value!, alternatives[index]!.$ref] as const;
  });
  return { oneOf: alternatives, discriminator: { propertyName: discriminator, mapping: mapOf(mapping) } };
}

/** Writes `anyOf: [X, null]` as X with two types, which is easier to read and better supported by code generators. */
function oneOrAny(parts: Json[]): Json {
  const [first, second] = parts;
  const nullable =
    parts.length === 2 && second?.type === 'null' && first?.type !== undefined && first.enum === undefined;
  return nullable ? { ...first, type: [first.type, 'null'].flat() } : { anyOf: parts };
}

export function formatDescription(meaning: string | undefined, form: string | undefined): { description?: string } {
  const text = [meaning, form === undefined ? undefined : asSentence(form)]
    .filter((part) => part !== undefined)
    .join(' ');
  return text === '' ? {} : { description: text };
}

function asSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.`]$/.test(text) ? '' : '.'}`;
}

function mapOf<Value>(entries: (readonly [string, Value])[]): Record<string, Value> {
  return Object.fromEntries(entries);
}
