import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { Compile } from 'typebox/schema';
import { findCatalogued } from '../reference/error-catalogue.ts';
import { openEmbeddedPostgres } from '../server/platform/postgres/embedded/embedded-postgres.ts';
import { type AnyEnvelope, refusalMessages } from '../test/support/answer-check.ts';
import {
  allowEverything,
  freePort,
  makeDataDir,
  provisioningFile,
  startProgram,
  stopService,
  waitUntilReady,
} from './child-process.ts';
import { emptyReport, type FaultOptions, type FaultReport } from './fault.ts';
import { type FuzzCaller, makeFuzzCaller } from './fuzz-caller.ts';
import { makeRandom, type Random } from './random.ts';
import type { RawAnswer } from './raw-connection.ts';
import { runAudit } from './run-audit.ts';
import { type KnownNumbers, knownValues, prepareDocuments, provisionEveryOperation } from './schema-known.ts';
import { anyValue, type JsonSchema } from './schema-values.ts';

const requestsInAll = { quick: 150, full: 10_000 };
const documentsOfEachKind = { quick: 2, full: 8 };
const requestsUntilAcceptedMax = 1500;
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
  listed_twice: 'no schema can compare the entries of a list by some of their fields',
  code_of_other: 'a business rule about a field',
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
 * rejected as malformed: what the document allows, the service must understand. Of each operation, at least one must be
 * accepted, so that its success is tried, too.
 */
export async function schema(options: FaultOptions): Promise<FaultReport> {
  const dataDir = makeDataDir('production');
  allowEverything(dataDir);
  provisionEveryOperation(dataDir);
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

/** The requests of one operation. */
interface Tally {
  sent: number;
  accepted: number;
  /** Accepted requests that also did something, as far as the response shows it. */
  effective: number;
  /** Some operations have a limit of their own, which others may have used up. */
  retryAfterSeconds: number;
}

class SchemaRun {
  private readonly caller: FuzzCaller;
  private readonly options: FaultOptions;
  private readonly random: Random;
  private readonly refusals: Map<string, number>;
  private readonly tallies: Map<string, Tally>;
  private knownNumbers: KnownNumbers | null;
  private discarded: number;

  constructor(caller: FuzzCaller, options: FaultOptions) {
    this.caller = caller;
    this.options = options;
    this.random = makeRandom(options.seed);
    this.refusals = new Map();
    this.tallies = new Map();
    this.knownNumbers = null;
    this.discarded = 0;
  }

  async sendAll(operations: Operation[]): Promise<void> {
    const { quick, progress } = this.options;
    const size = quick ? 'quick' : 'full';
    const each = Math.ceil(requestsInAll[size] / operations.length);
    progress(`${operations.length} operations, ${each} requests each`);
    for (const [index, operation] of operations.entries()) {
      const tally: Tally = { sent: 0, accepted: 0, effective: 0, retryAfterSeconds: 0 };
      this.tallies.set(operation.operationId, tally);
      const prepare = (operationId: string, body: object) => this.prepare(operations, operationId, body);
      this.knownNumbers = await prepareDocuments(prepare, { round: index, count: documentsOfEachKind[size] });
      const draw = this.bodiesOf(operation, each);
      // A quick run sends too few to be sure that one of them is accepted.
      for (let round = 0; round === 0 || (tally.effective === 0 && tally.sent < requestsUntilAcceptedMax); round++) {
        await sleep(1000 * tally.retryAfterSeconds);
        await this.sendTogether(operation, draw(), tally);
      }
      progress(describeTally(operation.operationId, tally));
      if (tally.effective === 0)
        this.caller.findings.push(`${operation.operationId}: no generated request was accepted and had an effect`);
    }
  }

  private async prepare(operations: Operation[], operationId: string, body: object): Promise<PlainAnswer> {
    const { path } = operations.find((one) => one.operationId === operationId)!;
    const answer = await this.caller.post(path, Buffer.from(JSON.stringify(body)));
    if (answer?.status !== 200)
      throw new Error(`the service rejected ${operationId} ${JSON.stringify(body)}: ${answer?.body}`);
    return JSON.parse(answer.body);
  }

  private async sendTogether(operation: Operation, drawn: unknown[], tally: Tally): Promise<void> {
    const bodies = drawn.values();
    await Promise.all(
      Array.from({ length: parallelRequests }, async () => {
        for (const body of bodies) await this.send(operation, body, tally);
      }),
    );
  }

  /** Every body is valid by the whole published schema, which is checked apart from the generator. */
  private bodiesOf({ operationId, schema: published }: Operation, count: number): () => unknown[] {
    const compiled = Compile(published as object);
    const arbitrary = anyValue(published);
    let { seed } = this.options;
    return () => {
      const bodies: unknown[] = [];
      for (let round = 0; bodies.length < count; round++) {
        const drawn = fc.sample(arbitrary, { numRuns: count, seed: seed++ });
        const valid = drawn
          .map((body) => this.withKnownValues(structuredClone(body), this.random.oneIn(2) ? 'all' : 'some'))
          .filter((body) => compiled.Check(body));
        this.discarded += drawn.length - valid.length;
        bodies.push(...valid.slice(0, count - bodies.length));
        if (round === 20) throw new Error(`the bodies drawn for ${operationId} are not valid by its schema`);
      }
      return bodies;
    };
  }

  /** Replaces values by those of existing products, tenants and documents, so that requests reach the business rules. */
  private withKnownValues(value: unknown, share: 'all' | 'some', name = ''): unknown {
    if (Array.isArray(value)) return value.map((one) => this.withKnownValues(one, share, name.replace(/s$/, '')));
    if (typeof value === 'object' && value !== null) {
      const entries = Object.entries(value).map(([key, one]) => [key, this.withKnownValues(one, share, key)]);
      return this.random.oneIn(10) ? Object.fromEntries(entries) : withRightSum(Object.fromEntries(entries));
    }
    // A generated key may be the name of something that every object has, such as valueOf.
    const own = (table: object) => (Object.hasOwn(table, name) ? table[name as keyof typeof table] : undefined);
    const numbers: string[] | undefined = own(this.knownNumbers ?? {});
    const usable = (numbers ?? [own(knownValues)]).filter((one) => typeof one === typeof value);
    if (usable.length === 0) return value;
    // An operation that creates a document needs a new number.
    const isReplaced = this.random.oneIn(share === 'all' && !numbers ? 1 : 2);
    return isReplaced ? this.random.anyOf(usable) : value;
  }

  private async send(operation: Operation, body: unknown, tally: Tally): Promise<void> {
    tally.sent++;
    const bytes = Buffer.from(JSON.stringify(body));
    const answer = await this.caller.post(operation.path, bytes);
    if (!answer) return;
    if (answer.status === 429) tally.retryAfterSeconds = Number(answer.headers['retry-after']);
    if (answer.status === 200) {
      tally.accepted++;
      if (hadEffect(JSON.parse(answer.body))) tally.effective++;
    }
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
    const tallies = [...this.tallies];
    const sum = (field: 'sent' | 'accepted') => tallies.reduce((total, [, tally]) => total + tally[field], 0);
    return {
      ...emptyReport('schema'),
      rounds: sum('sent'),
      acknowledged: sum('accepted'),
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

interface PlainAnswer {
  data?: Outcome;
  retval?: Outcome;
}
interface Outcome {
  rows?: { event_id: string }[];
  results?: { status?: string }[];
  count?: number;
}

/** Statuses of entries that the service left unchanged. */
const unchangedStatuses = new Set([
  'not_found',
  'refused',
  'too_late',
  'cannot_cancel_after_picking',
  'cannot_cancel_after_receiving',
]);

/** A batch is accepted even if none of its entries is, and a redelivery even if it finds no callback. */
function hadEffect({ data, retval }: PlainAnswer): boolean {
  const { results, count } = data ?? retval ?? {};
  if (results) return results.some(({ status = '' }) => !unchangedStatuses.has(status));
  return count !== 0;
}

function describeTally(operationId: string, { sent, accepted, effective }: Tally): string {
  return `${operationId}: ${accepted} of ${sent} accepted${effective === accepted ? '' : `, ${effective} with an effect`}`;
}

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
