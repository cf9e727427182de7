import { isDeepStrictEqual } from 'node:util';
import type { TSchema } from 'typebox';
import { logisticsReference } from '../reference/logistics/endpoints.ts';
import { mainReference } from '../reference/main/endpoints.ts';
import type { EndpointReference } from '../reference/reference.ts';
import { warehouseReference } from '../reference/warehouse/endpoints.ts';
import { faultAccount, faultClient } from './child-process.ts';
import type { Fragment } from './hostile-values.ts';

/** An endpoint with a request body, as its contract describes it. */
export interface FuzzedEndpoint {
  operationId: string;
  path: string;
  schema: TSchema;
  example: unknown;
}

const contracts = [
  { basePath: '/warehouse/v1', reference: warehouseReference },
  { basePath: '', reference: mainReference },
  { basePath: '/logistics', reference: logisticsReference },
];

/** Each account may make few of these calls per minute, so others try them: the fault `schema` and `every-field.test.ts`. */
const throttled = ['diagnose', 'callbacksTest', 'testCallback'];

export const fuzzedEndpoints: FuzzedEndpoint[] = contracts.flatMap(({ basePath, reference }) =>
  reference.endpoints.flatMap(({ path, operationId, body }: EndpointReference) =>
    body && !throttled.includes(operationId)
      ? [{ operationId, path: `${basePath}${path}`, schema: body.schema, example: body.example }]
      : [],
  ),
);

/** This product never runs out of stock. */
export const stockedSku = 'STOCKED';
/** This tenant counts stock only when the warehouse reports its receipt. */
export const reportedTenant = 'REPORTED';

const exampleChanges: Partial<Record<string, (number: number) => object>> = {
  productSync: (number) => ({ sku_id: `SKU-${number}` }),
  getToken: () => ({ ClientId: faultClient.clientId, CheckValue: faultClient.checkValue }),
  inboundsReceive: (number) => ({
    inbound_short_id: `IN-${number}`,
    receipt_no: `GR-${number}`,
    details: [{ sku_id: stockedSku, expire_date: '2099-06-30', batch_id: 'L-1', qty: 1, stock_type: 'good' }],
  }),
  ordersUpdate: (number) => ({ orders: [{ outbound_short_id: `OUT-${number}`, consignee_name: 'Li Ming' }] }),
  ordersHold: (number) => ({ orders: [{ outbound_short_id: `OUT-${number}`, reason: 'wait' }] }),
  ordersRelease: (number) => ({ orders: [{ outbound_short_id: `OUT-${number}` }] }),
  fulfilmentAdvance: (number) => ({
    orders: [
      { outbound_short_id: `OUT-${number}`, status: 'picking', shipment_no: `SHIPMENT-${number}`, carrier: 'tcat' },
    ],
  }),
};

/** The example of an endpoint for our account, with unique document numbers. The service accepts it. */
export function soundBody({ example, operationId }: FuzzedEndpoint, number: number): object {
  const text = JSON.stringify(example)
    .replaceAll('"TPW-DEMO"', JSON.stringify(faultAccount.tenant))
    .replaceAll(/"TEA-\d+"/g, JSON.stringify(stockedSku))
    .replaceAll(/"(OUT|IN|RT|WMS-2026|PO-2026|SHOP|A)-(\d+)"/g, (_, kind, given) =>
      JSON.stringify(`${kind}-${number}-${given}`),
    );
  return { ...JSON.parse(text), ...exampleChanges[operationId]?.(number) };
}

export function endpointOf(operationId: string): FuzzedEndpoint {
  return fuzzedEndpoints.find((endpoint) => endpoint.operationId === operationId)!;
}

/**
 * The calls that prepare another one, so that it reaches the code that it is meant for. They create the documents that
 * the body names. A correct CheckValue precedes a wrong one, because several wrong ones in a row are throttled.
 */
export function callsBefore(operationId: string, body: unknown): { endpoint: FuzzedEndpoint; body: object }[] {
  const right = soundBody(endpointOf('getToken'), 0);
  if (operationId === 'getToken')
    return isDeepStrictEqual(body, right) ? [] : [{ endpoint: endpointOf('getToken'), body: right }];
  const adjust = endpointOf('stocksAdjust');
  if (operationId === 'stocksMove') return [{ endpoint: adjust, body: soundBody(adjust, 0) }];
  const changesDocuments =
    /^(inbounds?(Receive|Stop|Cancel)|outboundCancel|orders(Cancel|Update|Hold|Release)|fulfilmentAdvance)$/;
  if (!changesDocuments.test(operationId)) return [];
  const makers: [name: string, operationId: string, change: object][] = [
    ['inbound_short_id', 'inboundCreate', { warehouse_tpw_id: reportedTenant, details: [manyUnits(['2099-06-30'])] }],
    ['outbound_short_id', 'outboundCreate', {}],
    ['form_no', 'inboundForm', {}],
    ['internal_name', 'shippingOrder', {}],
  ];
  return makers.flatMap(([name, maker, change]) => {
    const endpoint = endpointOf(maker);
    return numbersNamed(body, name).map((number) => ({
      endpoint,
      body: { ...soundBody(endpoint, 0), ...change, [name]: number },
    }));
  });
}

/** Documents of one kind that are created for one body. */
const namedMax = 3;

function numbersNamed(body: unknown, name: string): string[] {
  const places: FieldPath[] = [
    [name],
    [`${name}s`],
    ...Array.from({ length: namedMax }, (_, index) => ['orders', index, name]),
  ];
  const named = places.flatMap((path) => valueAt(body, path)).filter((value) => typeof value === 'string');
  return [...new Set(named)].slice(0, namedMax);
}

/** A detail of an inbound document with the largest quantity for each expiry date. */
export function manyUnits(days: string[]): object {
  return { sku_id: stockedSku, expires: days.map((day) => ({ expire_date: day, qty: 1_000_000_000 })) };
}

export type FieldPath = (string | number)[];

/** The path of every field in a schema. Lists are represented by their first entry. */
export function fieldPaths(schema: TSchema): FieldPath[] {
  const { properties = {}, items, anyOf = [] } = schema as SchemaParts;
  const below = [
    ...Object.entries(properties).flatMap(([name, field]) => beginWith(name, field)),
    ...(items ? beginWith(0, items) : []),
    ...anyOf.flatMap(fieldPaths),
  ];
  return [...new Map(below.map((path) => [JSON.stringify(path), path])).values()];
}

function beginWith(step: string | number, schema: TSchema): FieldPath[] {
  return [[step], ...fieldPaths(schema).map((path) => [step, ...path])];
}

interface SchemaParts {
  properties?: Record<string, TSchema>;
  items?: TSchema;
  anyOf?: TSchema[];
  maxItems?: number;
}

/** The maximum length of the list at this path; null: the field is not a list. */
export function entriesMax(schema: TSchema, path: FieldPath): number | null {
  const [step, ...rest] = path;
  const { properties = {}, items, anyOf = [], maxItems } = schema as SchemaParts;
  if (step === undefined)
    return maxItems ?? anyOf.map((part) => entriesMax(part, [])).find((max) => max !== null) ?? null;
  const next = typeof step === 'number' ? items : properties[step];
  const found = next ? [entriesMax(next, rest)] : anyOf.map((part) => entriesMax(part, path));
  return found.find((max) => max !== null) ?? null;
}

export function valueAt(body: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((value, step) => (value as Record<string, unknown> | null | undefined)?.[step], body);
}

const mark = '\u0001here\u0001';
const writtenMark = JSON.stringify(mark);

/** The body with this value at one path. */
export function withFragment(body: object, path: FieldPath, fragment: Fragment): Buffer {
  const changed = structuredClone(body);
  put(changed, path, mark);
  const [before, behind] = JSON.stringify(changed).split(writtenMark) as [string, string];
  return Buffer.concat([Buffer.from(before), Buffer.from(fragment as Buffer), Buffer.from(behind)]);
}

export function withoutField(body: object, path: FieldPath): Buffer {
  const changed = structuredClone(body);
  const holder = valueAt(changed, path.slice(0, -1)) as Record<string, unknown> | undefined;
  const step = path.at(-1)!;
  if (Array.isArray(holder)) holder.splice(Number(step), 1);
  else if (typeof holder === 'object' && holder !== null) delete holder[step];
  return Buffer.from(JSON.stringify(changed));
}

/** Fields to add beside a field: a duplicate, names that reach a prototype, unknown names. */
export function neighbours(path: FieldPath): string[] {
  const step = path.at(-1)!;
  if (typeof step === 'number') return [];
  return [
    `${JSON.stringify(step)}:null`,
    '"__proto__":{"a":1}',
    '"constructor":{"a":1}',
    '"unknown":{"deep":[1]}',
    '"":0',
  ];
}

export function withNeighbour(body: object, path: FieldPath, neighbour: string): Buffer {
  return withFragment(body, path, `${JSON.stringify(valueAt(body, path) ?? null)},${neighbour}`);
}

/** The body with a list of `count` copies of its first entry. */
export function withEntries(body: object, path: FieldPath, count: number): Buffer {
  const [first] = [valueAt(body, path)].flat();
  const entry = JSON.stringify(first ?? 'X');
  return withFragment(body, path, `[${Array(count).fill(entry).join(',')}]`);
}

export function put(holder: object, path: FieldPath, value: unknown): void {
  const [step, ...rest] = path as [string | number, ...FieldPath];
  const place = holder as Record<string | number, unknown>;
  if (rest.length === 0) {
    place[step] = value;
    return;
  }
  const needed = typeof rest[0] === 'number' ? [] : {};
  const there = place[step];
  if (typeof there !== 'object' || there === null || Array.isArray(there) !== Array.isArray(needed))
    place[step] = needed;
  put(place[step] as object, rest, value);
}
