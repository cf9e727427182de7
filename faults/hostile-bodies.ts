import type { TSchema } from 'typebox';
import { logisticsReference } from '../contract/logistics/reference.ts';
import { mainReference } from '../contract/main/reference.ts';
import type { EndpointReference } from '../contract/reference.ts';
import { warehouseReference } from '../contract/warehouse/reference.ts';
import { faultAccount } from './child-process.ts';
import type { Fragment } from './hostile-values.ts';

/** An endpoint that takes a body, as its contract describes it. */
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

export const fuzzedEndpoints: FuzzedEndpoint[] = contracts.flatMap(({ basePath, reference }) =>
  reference.endpoints.flatMap(({ path, operationId, body }: EndpointReference) =>
    body ? [{ operationId, path: `${basePath}${path}`, schema: body.schema, example: body.example }] : [],
  ),
);

/** Of which there is always enough; and documents that are there to be reported on, many, since a report may be the last one. */
export const stockedSku = 'STOCKED';
export const standingCount = 100;
export const standingInbound = (number: number) => `STANDING-IN-${number % standingCount}`;
export const standingOrder = (number: number) => `STANDING-OUT-${number % standingCount}`;

const examplesOfOthers: Partial<Record<string, (number: number) => object>> = {
  productSync: (number) => ({ sku_id: `SKU-${number}` }),
  inboundsReceive: (number) => ({
    ...{ inbound_short_id: standingInbound(number), receipt_no: `GR-${number}` },
    details: [{ sku_id: stockedSku, expire_date: '2099-06-30', batch_id: 'L-1', qty: 1, stock_type: 'good' }],
  }),
  fulfilmentAdvance: (number) => ({ orders: [{ outbound_short_id: standingOrder(number), status: 'picking', carrier: 'tcat' }] }),
};

/** The example of an endpoint, for our account, with numbers of its own: it would be accepted. */
export function soundBody({ example, operationId }: FuzzedEndpoint, number: number): object {
  const text = JSON.stringify(example)
    .replaceAll('"TPW-DEMO"', JSON.stringify(faultAccount.tenant))
    .replaceAll(/"TEA-\d+"/g, JSON.stringify(stockedSku))
    .replaceAll(/"(OUT|IN|RT|WMS-2026|PO-2026|SHOP|A)-(\d+)"/g, (_, kind, given) => JSON.stringify(`${kind}-${number}-${given}`));
  return { ...JSON.parse(text), ...examplesOfOthers[operationId]?.(number) };
}

export type FieldPath = (string | number)[];

/** Every place in a body that its schema knows, lists by their first entry. */
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

/** How many entries a list there may have; null: it is none. */
export function entriesMax(schema: TSchema, path: FieldPath): number | null {
  const [step, ...rest] = path;
  const { properties = {}, items, anyOf = [], maxItems } = schema as SchemaParts;
  if (step === undefined) return maxItems ?? anyOf.map((part) => entriesMax(part, [])).find((max) => max !== null) ?? null;
  const next = typeof step === 'number' ? items : properties[step];
  const found = next ? [entriesMax(next, rest)] : anyOf.map((part) => entriesMax(part, path));
  return found.find((max) => max !== null) ?? null;
}

export function valueAt(body: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((value, step) => (value as Record<string, unknown> | null | undefined)?.[step], body);
}

const mark = '\u0001here\u0001';
const writtenMark = JSON.stringify(mark);

/** The body with this in one place, whatever stood there. */
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

/** What stands beside the fields: the same one again, those that reach a prototype, those that nobody knows. */
export function withNeighbours(body: object, path: FieldPath): Buffer[] {
  const step = path.at(-1)!;
  if (typeof step === 'number') return [];
  const value = JSON.stringify(valueAt(body, path) ?? null);
  const neighbours = [`${JSON.stringify(step)}:${value}`, '"__proto__":{"a":1}', '"constructor":{"a":1}', '"unknown":{"deep":[1]}', '"":0'];
  return neighbours.map((neighbour) => withFragment(body, path, `${value},${neighbour}`));
}

/** Lists at their limit, over it, and far over it; the entries repeat the first one. */
export function withEntries(body: object, path: FieldPath, counts: number[]): Buffer[] {
  const [first] = [valueAt(body, path)].flat();
  const entry = JSON.stringify(first ?? 'X');
  return counts.map((count) => withFragment(body, path, `[${Array(count).fill(entry).join(',')}]`));
}

function put(holder: object, path: FieldPath, value: unknown): void {
  const [step, ...rest] = path as [string | number, ...FieldPath];
  const place = holder as Record<string | number, unknown>;
  if (rest.length === 0) {
    place[step] = value;
    return;
  }
  const needed = typeof rest[0] === 'number' ? [] : {};
  const there = place[step];
  if (typeof there !== 'object' || there === null || Array.isArray(there) !== Array.isArray(needed)) place[step] = needed;
  put(place[step] as object, rest, value);
}
