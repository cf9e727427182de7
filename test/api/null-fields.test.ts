import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { before, test } from 'node:test';
import type { TSchema } from 'typebox';
import { type ConsoleCall, consoleBasePath } from '../../contract/console/console-call.ts';
import { logisticsReference } from '../../contract/logistics/reference.ts';
import { mainReference } from '../../contract/main/reference.ts';
import { warehouseReference } from '../../contract/warehouse/reference.ts';
import { type FieldPath, fieldPaths, put, valueAt } from '../../faults/hostile-bodies.ts';
import { makeChecker } from '../../server/platform/schema.ts';
import { alpha, startTestApp } from '../support/app.ts';
import { provisionOperators, signIn } from '../support/console.ts';
import { receive, syncProducts } from '../support/warehouse.ts';

type Body = Record<string, unknown>;

interface Answered {
  status: number;
  /** What the envelope of the contract says went wrong. */
  message: unknown;
}

/** An operation with a body that it accepts; each call of `sound` uses new numbers for new documents. */
interface Operation {
  name: string;
  schema: TSchema;
  sound(): Promise<Body> | Body;
  send(body: Body): Promise<Answered>;
}

const app = await startTestApp();
await provisionOperators(app);
const admin = await signIn(app, 'admin');
const sku = 'NULL-TEA';

before(async () => {
  await syncProducts(app, [sku]);
  await receive(app, { [sku]: [['2099-06-30', 1_000_000]] });
});

let documents = 0;

/** The example of the reference, for our account, about documents of its own. */
function soundExample(example: unknown): Body {
  const number = ++documents;
  const text = JSON.stringify(example)
    .replaceAll('"TPW-DEMO"', JSON.stringify(alpha.warehouseTpwId))
    .replaceAll(/"TEA-\d+"/g, JSON.stringify(sku))
    .replaceAll(/"(OUT|IN|RT|WMS-2026|PO-2026|SHOP|A|GR)-(\d+)"/g, (_, kind, given) => JSON.stringify(`${kind}-${number}-${given}`));
  return JSON.parse(text);
}

const answered = ({ status, json }: { status: number; json: Body }): Answered => ({
  status,
  message: json.message ?? json.msg ?? (json.error as Body | undefined)?.message,
});

const contracts = [
  { reference: warehouseReference, call: (path: string, body: Body) => app.callWarehouse(path, body) },
  { reference: mainReference, call: (path: string, body: Body) => callMain(path, body) },
  { reference: logisticsReference, call: (path: string, body: Body) => app.callLogistics(path, body) },
];

async function callMain(path: string, body: Body) {
  const token = await app.tokenOf();
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const answer = await app.http.inject({ method: 'POST', url: path, headers, payload: JSON.stringify(body) });
  return { status: answer.statusCode, json: answer.json() };
}

const ofPartners: Operation[] = contracts.flatMap(({ reference, call }) =>
  reference.endpoints.flatMap(({ path, operationId, body }) =>
    body === undefined
      ? []
      : [
          {
            name: operationId,
            schema: body.schema,
            sound: () =>
              operationId === 'getToken' ? { ClientId: alpha.clientId, CheckValue: alpha.checkValue } : soundExample(body.example),
            send: async (sent: Body) => answered(await call(path, sent)),
          },
        ],
  ),
);

const contractFolder = new URL('../../contract/console/', import.meta.url);
const modules = await Promise.all(readdirSync(contractFolder).map((file) => import(new URL(file, contractFolder).href)));
const isCall = (value: unknown): value is ConsoleCall =>
  typeof value === 'object' && value !== null && 'path' in value && 'body' in value && String(value.path).startsWith('/');
/** Ends the session of the test. */
const ofSessions = ['/session/sign-in', '/session/sign-out', '/sessions/end'];
const ofConsole: Operation[] = modules
  .flatMap((module) => Object.values(module).filter(isCall))
  .filter(({ path }) => !ofSessions.includes(path))
  .map(({ path, body }) => ({
    name: `${consoleBasePath}${path}`,
    schema: body,
    sound: () => sampleOf(body) as Body,
    send: async (sent: Body) => answered(await admin.send(path, sent)),
  }));

const samples = [
  'A-1',
  '2027-06-30',
  '2026-11-15T09:30:00+08:00',
  '0199c3b2-7d10-7f00-8a3e-5b1d2c4f6a80',
  'http://partner.example/',
  '4xx',
];

/** A value that the schema allows, with every optional field in it. */
function sampleOf(schema: TSchema): unknown {
  const {
    anyOf,
    enum: values,
    items,
    properties,
    type,
    minimum,
  } = schema as Body & { anyOf?: TSchema[]; enum?: unknown[]; items?: TSchema };
  if (anyOf) return sampleOf(anyOf[0]!);
  if (values) return values[0];
  if (items) return [sampleOf(items)];
  if (properties) return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, sampleOf(field)]));
  if (type === 'boolean') return true;
  const found = [minimum, 1, ...samples].find((value) => value !== undefined && makeChecker(schema)(value).kind === 'valid');
  return found ?? 'a password that is long enough';
}

/** Whether the contract lets a caller leave out what is at this place. */
function isOptional(schema: TSchema, [step, ...rest]: FieldPath): boolean {
  const {
    anyOf = [],
    items,
    properties = {},
    required = [],
  } = schema as Body & {
    anyOf?: TSchema[];
    items?: TSchema;
    properties?: Record<string, TSchema>;
    required?: string[];
  };
  const inner = typeof step === 'number' ? items : properties[step!];
  if (inner === undefined) return anyOf.some((part) => isOptional(part, [step!, ...rest]));
  if (rest.length > 0) return isOptional(inner, rest);
  return typeof step === 'string' && !required.includes(step);
}

function withNull(body: Body, path: FieldPath): Body {
  const changed = structuredClone(body);
  put(changed, path, null);
  return changed;
}

function without(body: Body, path: FieldPath): Body {
  const changed = structuredClone(body);
  delete (valueAt(changed, path.slice(0, -1)) as Body | undefined)?.[path.at(-1)!];
  return changed;
}

/** All that a call could change, beside the lines that say that there was a call. */
async function dumpTables(): Promise<Record<string, string>> {
  const [row] = await app.store.database.read(
    (sql) => sql`
      select jsonb_object_agg(name, md5(query_to_xml(format('select t::text from %I t order by 1', name), false, true, '')::text)) as tables
      from (select tablename as name from pg_tables where schemaname = current_schema() and tablename !~ ${'^(request_log|operator_action|operator_session|client_network|partner_use|schedule|node)'}) as all_tables`,
  );
  return row!.tables;
}

for (const operation of [...ofPartners, ...ofConsole]) {
  test(`null in any field of ${operation.name} is never an error of ours, and what it refuses changes nothing`, async () => {
    const { schema, sound, send } = operation;
    const refused: FieldPath[] = [];
    for (const path of fieldPaths(schema)) {
      const where = `null at ${JSON.stringify(path)}`;
      const { status, message } = await send(withNull(await sound(), path));
      assert.ok(status === 200 || (status >= 400 && status < 500), `${where}: ${status} ${message}`);
      if (status !== 200) {
        assert.ok(typeof message === 'string' && message.length > 0, where);
        refused.push(path);
      }
      if (isOptional(schema, path)) {
        const left = await send(without(withNull(await sound(), path), path));
        assert.deepEqual([status, numberless(message)], [left.status, numberless(left.message)], `${where} is like nothing there`);
      }
    }

    const before = await dumpTables();
    for (const path of refused) await send(withNull(await sound(), path));
    assert.deepEqual(await dumpTables(), before);
  });
}

/** Without the numbers of documents, which no two calls share. */
function numberless(message: unknown): string {
  return String(message).replaceAll(/\d+/g, '#');
}
