import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { Compile } from 'typebox/schema';
import { findCatalogued } from '../reference/error-catalogue.ts';
import { openEmbeddedPostgres } from '../server/platform/postgres/embedded/embedded-postgres.ts';
import { type AnyEnvelope, refusalMessages } from '../test/support/answer-check.ts';
import {
  allowEverything,
  faultAccount,
  faultClient,
  freePort,
  makeDataDir,
  provisioningFile,
  startProgram,
  stopService,
  waitUntilReady,
} from './child-process.ts';
import { emptyReport, type FaultOptions, type FaultReport } from './fault.ts';
import { type FuzzCaller, makeFuzzCaller } from './fuzz-caller.ts';
import { stockedSku } from './hostile-bodies.ts';
import { makeRandom, type Random } from './random.ts';
import type { RawAnswer } from './raw-connection.ts';
import { runAudit } from './run-audit.ts';
import { anyValue, type JsonSchema } from './schema-values.ts';

const requestsInAll = { quick: 150, full: 10_000 };
const parallelRequests = 8;

/**
 * Refusals of requests that are valid by the published schema, and why they are not malformed. Business rules of the
 * error catalogue need no entry.
 */
const acceptableRefusals: Record<string, string> = {
  qty_not_sum: 'no schema can compare a number with the sum of others',
  too_many_expires: 'published as x-max-items-in-all: no keyword limits lists together',
  label_too_large: 'no keyword limits the bytes of an object',
  key_forbidden: 'applies to every object in a body, also to unknown fields and within a label',
  cursor_of_other_search: 'a cursor is opaque',
  url_private: 'where we connect depends on the settings of the operator',
  document_not_found: 'a business rule about a field',
  cannot_stop: 'a business rule about a field',
  cannot_receive: 'a business rule about a field',
  too_many_portions: 'a business rule about a field',
  product_unknown: 'a business rule about a field',
  warehouse_unknown: 'a business rule about a field',
  lot_unknown: 'a business rule about a field',
  units_not_free: 'a business rule about a field',
  counted_below_locked: 'a business rule about a field',
  lot_would_overflow: 'a business rule about a field',
  lot_counted_twice: 'no schema can compare the entries of a list by some of their fields',
  same_warehouse: 'no schema can compare two fields',
  test_url_of_production: 'which addresses a test may use depends on the environment of the account',
  test_without_url: 'depends on the addresses that the account has',
  test_without_secret: 'depends on the secrets that the account has',
};

interface Operation {
  operationId: string;
  path: string;
  schema: JsonSchema;
}

/**
 * Sends requests that are generated from the published OpenAPI document. None may get a response of 5xx, and none may be
 * rejected as malformed: what the document allows, the service must understand.
 */
export async function schema(options: FaultOptions): Promise<FaultReport> {
  const dataDir = makeDataDir('production');
  allowEverything(dataDir);
  const postgres = await openEmbeddedPostgres({ dataDir });
  const port = await freePort();
  // Without a worker, no callback is sent to a generated address.
  const args = ['cli/serve.ts', '--role', 'api', '--apply', join(dataDir, provisioningFile)];
  const service = startProgram(args, { dataDir, port, env: { RATE_LIMIT: 'off', LOG_LEVEL: 'error' } });
  try {
    await waitUntilReady(service, 60);
    const caller = await makeFuzzCaller(port, options.quick);
    const run = new SchemaRun(caller, options);
    await run.sendAll(operationsOf(await (await fetch(`${service.url}/openapi.json`)).json()));
    caller.close();
    await stopService(service);
    const audit = await runAudit({ DATA_DIR: dataDir });
    if (audit !== 'clean') caller.findings.push(`lading audit ${audit}`);
    return { ...run.report(), audit };
  } finally {
    await stopService(service);
    await postgres.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

class SchemaRun {
  private readonly caller: FuzzCaller;
  private readonly options: FaultOptions;
  private readonly random: Random;
  private readonly refusals: Map<string, number>;
  private readonly sentNumbers: Record<string, string[]>;
  private sent: number;
  private accepted: number;
  private discarded: number;

  constructor(caller: FuzzCaller, options: FaultOptions) {
    this.caller = caller;
    this.options = options;
    this.random = makeRandom(options.seed);
    this.refusals = new Map();
    this.sentNumbers = {};
    this.sent = 0;
    this.accepted = 0;
    this.discarded = 0;
  }

  async sendAll(operations: Operation[]): Promise<void> {
    await this.prepareStock(operations);
    const { quick, progress } = this.options;
    const each = Math.ceil(requestsInAll[quick ? 'quick' : 'full'] / operations.length);
    progress(`${operations.length} operations, ${each} requests each`);
    for (const operation of operations) {
      const bodies = this.drawBodies(operation, each).values();
      const acceptedBefore = this.accepted;
      await Promise.all(
        Array.from({ length: parallelRequests }, async () => {
          for (const body of bodies) await this.send(operation, body);
        }),
      );
      progress(`${operation.operationId}: ${this.accepted - acceptedBefore} of ${each} accepted`);
    }
  }

  /** Without stock, no order would be accepted. */
  private async prepareStock(operations: Operation[]): Promise<void> {
    const bodies = {
      productSync: { sku_id: stockedSku, sku_name: 'Stocked', storage_type: 1 },
      inboundCreate: {
        inbound_short_id: 'STOCK',
        warehouse_tpw_id: faultAccount.tenant,
        details: [{ sku_id: stockedSku, expires: [{ expire_date: '2100-06-30', qty: 1_000_000_000 }] }],
      },
    };
    for (const [operationId, body] of Object.entries(bodies))
      await this.send(operations.find((one) => one.operationId === operationId)!, body);
  }

  /** Every body is valid by the whole published schema, which is checked apart from the generator. */
  private drawBodies({ operationId, schema: published }: Operation, count: number): unknown[] {
    const compiled = Compile(published as object);
    const arbitrary = anyValue(published);
    const bodies: unknown[] = [];
    for (let round = 0; bodies.length < count; round++) {
      const drawn = fc.sample(arbitrary, { numRuns: count, seed: this.options.seed + round });
      const valid = drawn
        .map((body) => this.withKnownValues(structuredClone(body)))
        .filter((body) => compiled.Check(body));
      this.discarded += drawn.length - valid.length;
      bodies.push(...valid.slice(0, count - bodies.length));
      if (round === 20) throw new Error(`the bodies drawn for ${operationId} are not valid by its schema`);
    }
    return bodies;
  }

  /** Replaces some values by those of existing products, tenants and documents, so that requests reach the business rules. */
  private withKnownValues(value: unknown, name = ''): unknown {
    if (Array.isArray(value)) return value.map((one) => this.withKnownValues(one, name.replace(/s$/, '')));
    if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value).map(([key, one]) => [key, this.withKnownValues(one, key)]);
      return this.random.oneIn(10) ? Object.fromEntries(entries) : withRightSum(Object.fromEntries(entries));
    }
    if (typeof value === typeof knownValues[name]) return this.random.oneIn(5) ? value : knownValues[name];
    if (typeof value !== 'string' || !numberFields.includes(name)) return value;
    this.sentNumbers[name] ??= [];
    const earlier = this.sentNumbers[name];
    if (earlier.length > 0 && this.random.oneIn(3)) return this.random.anyOf(earlier);
    if (earlier.length < earlierMax) earlier.push(value);
    return value;
  }

  private async send(operation: Operation, body: unknown): Promise<void> {
    this.sent++;
    const bytes = Buffer.from(JSON.stringify(body));
    const answer = await this.caller.post(operation.path, bytes);
    if (!answer) return;
    if (answer.status === 200) this.accepted++;
    for (const mistake of this.mistakesIn(operation, answer))
      this.caller.findings.push(`${operation.operationId}: ${mistake}: ${bytes.toString('utf8', 0, 600)}`);
  }

  private mistakesIn({ path }: Operation, { status, body }: RawAnswer): string[] {
    if (status >= 500 || status === 413) return [`status ${status}`];
    if (status !== 400) return [];
    return refusalMessages(JSON.parse(body) as AnyEnvelope)
      .flatMap((message) => partsOf(contractOf(path), message))
      .flatMap(({ message, error, about }) => {
        this.refusals.set(error, (this.refusals.get(error) ?? 0) + 1);
        return about === 'business' || error in acceptableRefusals
          ? []
          : [`valid by the schema, malformed for the service: ${message}`];
      });
  }

  report(): FaultReport {
    const { findings, statuses } = this.caller;
    const counted = (counts: Map<string | number, number>) =>
      [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, count]) => `${name}: ${count}`);
    if (this.accepted === 0) findings.push('no generated request was accepted');
    return {
      ...emptyReport('schema'),
      rounds: this.sent,
      acknowledged: this.accepted,
      wrong: findings.length,
      figures: {
        statuses: counted(statuses).join(', '),
        refusals: counted(this.refusals).join(', '),
        discardedByTheSchema: this.discarded,
      },
      findings,
    };
  }
}

/** Otherwise most inbound documents would break the one rule that no schema expresses. */
function withRightSum(detail: Record<string, unknown>): Record<string, unknown> {
  const { qty, expires } = detail as { qty?: unknown; expires?: { qty: number }[] };
  if (typeof qty !== 'number' || !Array.isArray(expires)) return detail;
  return { ...detail, qty: expires.reduce((sum, expiry) => sum + expiry.qty, 0) };
}

const knownValues: Record<string, string | number> = {
  warehouse_no: faultAccount.warehouseNo,
  from_warehouse_no: faultAccount.warehouseNo,
  sku_id: stockedSku,
  sku: stockedSku,
  warehouse_tpw_id: faultAccount.tenant,
  ClientId: faultClient.clientId,
  CheckValue: faultClient.checkValue,
};
const numberFields = ['outbound_short_id', 'inbound_short_id', 'internal_name', 'form_no'];
const earlierMax = 500;

function operationsOf(document: unknown): Operation[] {
  const { paths } = document as { paths: Record<string, Record<string, Json>> };
  return Object.entries(paths).flatMap(([path, { post }]) => {
    const content = (post?.requestBody as { content?: Record<string, { schema: JsonSchema }> } | undefined)?.content;
    if (!content) return [];
    const published = followed(content['application/json']!.schema, document as Json) as JsonSchema;
    return [{ operationId: post!.operationId as string, path, schema: published }];
  });
}

type Json = Record<string, unknown>;

/** The schema with all references replaced; request schemas are not recursive. */
function followed(node: unknown, document: Json): unknown {
  if (Array.isArray(node)) return node.map((part) => followed(part, document));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref, ...rest } = node as Json;
  const own = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, followed(part, document)]));
  if (typeof $ref !== 'string') return own;
  const target = $ref.slice('#/'.length).split('/');
  const referred = target.reduce<Json>((part, step) => part[step] as Json, document);
  return { ...(followed(referred, document) as Json), ...own };
}

type Contract = Parameters<typeof findCatalogued>[0];

function contractOf(path: string): Contract {
  if (path.startsWith('/warehouse/')) return 'warehouse';
  return path.startsWith('/logistics/') ? 'logistics' : 'main';
}

interface Part {
  message: string;
  error: string;
  about: string;
}

/** A message of the main API may list several errors, each of which counts. */
function partsOf(contract: Contract, message: string): Part[] {
  const found = (text: string): Part | null => {
    const entry = findCatalogued(contract, 400, text);
    return entry && { message: text, error: entry.error, about: entry.about };
  };
  const parts = message.split('; ').map((text) => found(text.replace(/ \(and \d+ more\)$/, '')));
  if (parts.every((part) => part !== null)) return parts;
  return [found(message) ?? { message, error: 'unknown', about: 'unknown' }];
}
