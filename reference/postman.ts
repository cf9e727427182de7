import type { OpenApiDocument, Operation } from './openapi.ts';
import { checkScript, signScript, tokenScript } from './postman-scripts.ts';

/** A collection in Postman format 2.1, which Bruno and other tools can import. */
export interface PostmanCollection {
  info: { name: string; description: string; schema: string };
  item: PostmanFolder[];
  event: PostmanEvent[];
  variable: { key: string; value: string; description: string }[];
}

export interface PostmanFolder {
  name: string;
  description: string;
  item: PostmanRequest[];
  event: PostmanEvent[];
}

export interface PostmanRequest {
  name: string;
  request: {
    method: string;
    description: string;
    header: { key: string; value: string }[];
    url: { raw: string; host: string[]; path: string[] };
    body?: { mode: 'raw'; raw: string; options: { raw: { language: 'json' } } };
  };
  response: [];
}

interface PostmanEvent {
  listen: 'prerequest' | 'test';
  script: { type: 'text/javascript'; exec: string[] };
}

/**
 * The examples build on each other when sent in this order. Operations that are not listed follow in their original
 * order.
 */
const recommendedOrder = [
  'productSync',
  'inboundCreate',
  'stockQuery',
  'outboundCreate',
  'inboundReturn',
  'inboundCancel',
  'outboundCancel',
];

type Credential = 'sign' | 'accessToken' | 'apiKey';

/** The headers of each authentication method, and the script that fills them in. */
const ways: Record<Credential, { header: Record<string, string>; script?: string }> = {
  sign: { header: { 'account-no': '{{accountNo}}', timestamp: '{{timestamp}}', sign: '{{sign}}' }, script: signScript },
  accessToken: { header: { Authorization: 'Bearer {{accessToken}}' }, script: tokenScript },
  apiKey: { header: { Authorization: '{{apiKey}}' } },
};

const introduction = `
All endpoints of Lading. Fill in the variables of the collection: your account and shared secret for the warehouse API, ClientId and CheckValue for the
main API, the API key for the logistics webhook. Requests to the warehouse API are signed by a script of their folder, over the body as it is sent;
another script gets an access token for the main API and reuses it until it expires.

You can run the warehouse API folder from its first request to its last: the examples build on each other. A second run gets responses saying that its numbers were
already used.
In the main API, *Report received goods* and *Stop receiving* need the number of a document that is still expected; enter one of yours.
`.trim();

export function makePostmanCollection(document: OpenApiDocument): PostmanCollection {
  const [{ url }] = document.servers as [{ url: string }];
  const tags = document.tags as { name: string; description: string }[];
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const folders = tags.map((tag) =>
    folderOf(
      tag,
      operations.filter(({ operation }) => (operation.tags as string[])[0] === tag.name),
    ),
  );
  return {
    info: {
      name: 'Lading',
      description: introduction,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item: folders
      .filter(({ item }) => item.length > 0)
      .toSorted((one, other) => rankOfFolder(one) - rankOfFolder(other)),
    event: [eventOf('test', checkScript)],
    variable: [
      { key: 'baseUrl', value: url, description: 'The URL of the service.' },
      {
        key: 'accountNo',
        value: 'DEMO',
        description: 'Warehouse API: your account number. Document numbers start with it.',
      },
      {
        key: 'sharedSecret',
        value: '',
        description: 'Warehouse API: your shared secret. Requests are signed with it; it is never sent.',
      },
      { key: 'warehouseTpwId', value: exampleTenant, description: 'Warehouse API: your warehouse_tpw_id.' },
      { key: 'clientId', value: 'demo', description: 'Main API.' },
      { key: 'checkValue', value: '', description: 'Main API.' },
      { key: 'apiKey', value: '', description: 'Logistics webhook.' },
    ],
  };
}

interface Addressed {
  path: string;
  method: string;
  operation: Operation;
}

function folderOf(
  { name, description }: { name: string; description: string },
  operations: Addressed[],
): PostmanFolder {
  const script = operations
    .map(({ operation }) => credentialOf(operation))
    .find((credential) => credential !== null && ways[credential].script);
  return {
    name,
    description,
    item: operations.toSorted((one, other) => rankOf(one) - rankOf(other)).map(requestOf),
    event: script ? [eventOf('prerequest', ways[script].script!)] : [],
  };
}

/** The warehouse API comes first because it fills the stock. */
function rankOfFolder({ item }: PostmanFolder): number {
  return item.some(({ request }) => request.header.some(({ key }) => key === 'sign')) ? 0 : 1;
}

function rankOf({ operation }: Addressed): number {
  const rank = recommendedOrder.indexOf(operation.operationId);
  return rank < 0 ? recommendedOrder.length : rank;
}

function credentialOf({ security }: Operation): Credential | null {
  const [together = {}] = security as Record<string, string[]>[];
  return (Object.keys(ways) as Credential[]).find((credential) => credential in together) ?? null;
}

function requestOf({ path, method, operation }: Addressed): PostmanRequest {
  const credential = credentialOf(operation);
  const body = bodyOf(operation);
  const header = {
    ...(body === null ? {} : { 'content-type': 'application/json' }),
    ...(credential === null ? {} : ways[credential].header),
  };
  return {
    name: operation.summary as string,
    request: {
      method: method.toUpperCase(),
      description: operation.description as string,
      header: Object.entries(header).map(([key, value]) => ({ key, value })),
      url: { raw: `{{baseUrl}}${path}`, host: ['{{baseUrl}}'], path: path.slice(1).split('/') },
      ...(body === null ? {} : { body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } } }),
    },
    response: [],
  };
}

const exampleTenant = 'TPW-DEMO';

/** The example with the caller's own credentials and tenant. */
function bodyOf({ operationId, requestBody }: Operation): string | null {
  if (requestBody === undefined) return null;
  const { content } = requestBody as { content: Record<string, { example: object }> };
  const { example } = content['application/json']!;
  const own = operationId === 'getToken' ? { ClientId: '{{clientId}}', CheckValue: '{{checkValue}}' } : example;
  return JSON.stringify(own, null, 2).replaceAll(`"${exampleTenant}"`, '"{{warehouseTpwId}}"');
}

function eventOf(listen: PostmanEvent['listen'], script: string): PostmanEvent {
  return { listen, script: { type: 'text/javascript', exec: script.split('\n') } };
}
