import { setTimeout as sleep } from 'node:timers/promises';
import { makeScheduler } from '../limits/scheduler.ts';
import { currentSpan, isTracing, runInSpan, type Span } from '../tracing/span.ts';
import { type Database, operationDeadlineSeconds } from './database.ts';
import type { DatabaseRecord } from './database-record.ts';
import { DatabaseUnavailable } from './deadline.ts';
import { isRepeatable, isUniqueViolation, rethrowUnavailable } from './errors.ts';
import { accountsOf } from './per-account.ts';
import { type Decision, openPipelinedConnection, type PipelinedConnection } from './pipelined-connection.ts';
import type { Tx } from './sql.ts';

/** One operation on a list of requests, in one transaction. Returns one outcome per request, in the same order. */
export interface GroupOperation<Request extends GroupRequest, Outcome> {
  name: string;
  run(tx: Tx, requests: Request[]): Promise<Decision<Outcome[]>>;
  /** The cost of a request, if it varies; a group has a maximum weight. */
  weightOf?(request: Request): number;
  /** How many groups of different accounts may run side by side; one if not given. */
  lanes?: number;
}

export interface GroupRequest {
  accountId: number;
}

export interface GroupCommit<Request, Outcome> {
  /** Resolves when the request is committed. */
  submit(request: Request): Promise<Outcome>;
  waiting(): number;
  close(): Promise<void>;
}

/** Thrown by an operation whose reads are out of date: the group is repeated. */
export class StaleRead extends Error {
  constructor() {
    super('other transactions changed the same rows first, several times in a row');
    this.name = 'StaleRead';
  }
}

/** For metrics. */
export type GroupEvent = { operation: string } & (
  | { kind: 'formed'; size: number }
  | { kind: 'repeated' }
  | { kind: 'halved' }
);

const groupMax = 256;
const groupWeightMax = 2000;
/** A last resort only: requests are limited when they arrive. */
const waitingMax = 10_000;
const triesMax = 5;
const answeredAtOnceMax = 16;

/** null: the lanes of the operation, whose groups have several accounts. A number: lanes whose groups have one each. */
export type AccountLanes = number | null;
export const accountLanesMax = 16;

/** Commits one group after the other on its own connection. */
interface GroupLane {
  connection: PipelinedConnection;
  working: Promise<void> | null;
}

/**
 * Requests that arrive while a group is being committed form the next group; a single request is sent at once.
 * Contended rows are therefore locked once per group instead of once per request, and a group waits for the disk once.
 */
export function makeGroupCommit<Request extends GroupRequest, Outcome>(
  database: Database,
  operation: GroupOperation<Request, Outcome>,
  accountLanes: AccountLanes,
  onEvent: (event: GroupEvent) => void = () => {},
): GroupCommit<Request, Outcome> {
  const deadlineSeconds = database.deadlineSeconds ?? operationDeadlineSeconds;
  const laneCount = accountLanes ?? operation.lanes ?? 1;
  const lanes = Array.from({ length: laneCount }, () => openLane(database, operation.name, deadlineSeconds));
  /** The lane that became idle last is used first, so that few connections are opened under little load. */
  const idle = lanes.toReversed();
  const queue = makeFairQueue<Request, Outcome>(operation.weightOf ?? (() => 1), accountLanes !== null);
  const patience = makePatience<Entry<Request, Outcome>>(deadlineSeconds * 1000);
  const commit = makeCommit(operation, database.record, onEvent);

  /**
   * The next group is sent to the database before the responses of the last one are written, so neither waits for the
   * other.
   */
  async function work(lane: GroupLane): Promise<void> {
    let answer: () => void = () => {};
    while (queue.isReady()) {
      const group = queue.take();
      onEvent({ kind: 'formed', operation: operation.name, size: group.length });
      const settling = isTracing() ? tracedCommit(lane.connection, group) : commit(lane.connection, group);
      answer();
      answer = await settling;
      queue.release(group);
    }
    lane.working = null;
    idle.push(lane);
    answer();
  }

  /** Without a span of its own, the group would belong to the request that happened to start this lane. */
  function tracedCommit(connection: PipelinedConnection, group: Entry<Request, Outcome>[]): Promise<() => void> {
    const span = spanOfGroup(operation.name, group);
    return runInSpan(span, () => commit(connection, group)).finally(() => span?.end());
  }

  return {
    submit(request) {
      if (queue.size() >= waitingMax)
        return Promise.reject(new DatabaseUnavailable('too many requests wait for their group'));
      const entry = makeEntry<Request, Outcome>(request, database.record.generation, patience);
      queue.add(entry);
      const lane = queue.isReady() ? idle.pop() : undefined;
      if (lane) lane.working = work(lane);
      return entry.promise;
    },
    waiting: () => queue.size(),
    async close() {
      while (idle.length < lanes.length) await Promise.all(lanes.map((lane) => lane.working));
      await Promise.all(lanes.map((lane) => lane.connection.close()));
    },
  };
}

function openLane(database: Database, purpose: string, deadlineSeconds: number): GroupLane {
  return { connection: openPipelinedConnection(database, purpose, deadlineSeconds), working: null };
}

/** Returns a function that commits a group, and then returns a function that answers it. */
function makeCommit<Request extends GroupRequest, Outcome>(
  operation: GroupOperation<Request, Outcome>,
  record: DatabaseRecord,
  onEvent: (event: GroupEvent) => void,
) {
  const inTurn = makeScheduler(answeredAtOnceMax);

  /** A request that fails must not affect its neighbours, so a failing group is halved until the request is alone. */
  async function settle(connection: PipelinedConnection, entries: Entry<Request, Outcome>[]): Promise<() => void> {
    const group = entries.filter((entry) => performance.now() < entry.expiresAt);
    if (group.length === 0) return () => {};
    try {
      const outcomes = await repeatedly(connection, group);
      return () => group.forEach((entry, index) => void inTurn(() => entry.resolve(outcomes[index]!)));
    } catch (error) {
      if (group.length === 1 || error instanceof DatabaseUnavailable) {
        const reason = error instanceof StaleRead ? new DatabaseUnavailable(error.message) : error;
        return () => group.forEach((entry) => void entry.reject(reason));
      }
      onEvent({ kind: 'halved', operation: operation.name });
      const middle = Math.ceil(group.length / 2);
      const answerFirst = await settle(connection, group.slice(0, middle));
      const answerSecond = await settle(connection, group.slice(middle));
      return () => {
        answerFirst();
        answerSecond();
      };
    }
  }

  /** A repeated group sees what another node did at the same instant, such as using a number or creating a lot. */
  async function repeatedly(connection: PipelinedConnection, group: Entry<Request, Outcome>[]): Promise<Outcome[]> {
    const requests = group.map((entry) => entry.request);
    const accountIds = accountsOf(requests);
    const expiresAt = Math.max(...group.map((entry) => entry.expiresAt));
    const run = (tx: Tx) => {
      refuseFormerPrimary(group);
      return operation.run(tx, requests);
    };
    for (let tries = 1; ; tries++) {
      try {
        return await connection.transaction(accountIds, run, expiresAt);
      } catch (error) {
        if (!isStaleRead(error) || tries === triesMax) return rethrowUnavailable(error);
        onEvent({ kind: 'repeated', operation: operation.name });
        if (tries > 1) await sleep(Math.random() * 10 * tries);
      }
    }
  }

  /** A request may carry ids that were read from a primary which has been replaced while it waited. */
  function refuseFormerPrimary(group: Entry<Request, Outcome>[]): void {
    if (group.some(({ generation }) => generation !== record.generation))
      throw new DatabaseUnavailable('the primary was replaced while the request waited');
  }

  return settle;
}

interface Entry<Request, Outcome> {
  request: Request;
  promise: Promise<Outcome>;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
  expiresAt: number;
  /** That of the database when the request was submitted. */
  generation: number;
  /** null: the request is not traced. */
  span: Span | null;
}

function makeEntry<Request, Outcome>(
  request: Request,
  generation: number,
  patience: Patience<Entry<Request, Outcome>>,
): Entry<Request, Outcome> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
  const entry: Entry<Request, Outcome> = {
    request,
    promise,
    resolve(outcome) {
      patience.settled(entry);
      resolve(outcome);
    },
    reject(error) {
      patience.settled(entry);
      reject(error);
    },
    expiresAt: 0,
    generation,
    span: currentSpan(),
  };
  entry.expiresAt = patience.begin(entry);
  return entry;
}

/**
 * The span of a group belongs to the trace of its first request. It is linked with the spans of all its requests, in
 * both directions, so that it is found from each trace. null if no request is traced.
 */
function spanOfGroup(operation: string, group: { span: Span | null }[]): Span | null {
  const requests = group.flatMap(({ span }) => (span === null ? [] : [span]));
  const [first, ...others] = requests;
  if (first === undefined) return null;
  const attributes = { 'lading.operation': operation, 'lading.group.size': group.length };
  const span = first.child(`group ${operation}`, 'internal', attributes);
  for (const request of requests) span.link(request);
  for (const request of others) request.link(span);
  return span;
}

interface Patience<Waiter> {
  /** Returns the time at which the waiter expires. */
  begin(waiter: Waiter): number;
  settled(waiter: Waiter): void;
}

/**
 * Every request has its own deadline, so it gets a response in time whatever happens to its group. All deadlines are
 * equally long, so the oldest request expires first, and one timer serves all of them.
 */
function makePatience<Waiter extends { expiresAt: number; reject(error: unknown): void }>(
  deadlineMs: number,
): Patience<Waiter> {
  const waiting = new Set<Waiter>();
  let timer: NodeJS.Timeout | null = null;

  function watch(): void {
    const [first] = waiting;
    timer =
      first === undefined ? null : setTimeout(turnAwayLate, Math.max(1, first.expiresAt - performance.now())).unref();
  }

  function turnAwayLate(): void {
    const now = performance.now();
    for (const waiter of waiting) {
      if (waiter.expiresAt > now) break;
      waiter.reject(new DatabaseUnavailable('the request was not committed in time'));
    }
    watch();
  }

  return {
    begin(waiter) {
      waiting.add(waiter);
      waiter.expiresAt = performance.now() + deadlineMs;
      if (timer === null) watch();
      return waiter.expiresAt;
    },
    settled: (waiter) => void waiting.delete(waiter),
  };
}

/**
 * Accounts take turns, so that an account that floods us delays only itself; within an account, first come, first
 * served. An account has one group at a time: a second one would only wait for the same rows, and occupy a lane meanwhile.
 */
function makeFairQueue<Request extends GroupRequest, Outcome>(
  weightOf: (request: Request) => number,
  hasOneAccountPerGroup: boolean,
) {
  type Line = Entry<Request, Outcome>[];
  /** The account that has waited longest for its turn comes first. */
  const lines = new Map<number, Line>();
  /** The lines of accounts that have a group at the moment. */
  const held = new Map<number, Line>();
  let size = 0;

  function add(entry: Entry<Request, Outcome>): void {
    const { accountId } = entry.request;
    const line = lines.get(accountId) ?? held.get(accountId);
    if (line) line.push(entry);
    else lines.set(accountId, [entry]);
    size++;
  }

  function take(): Entry<Request, Outcome>[] {
    const [first] = lines;
    const group = takeFrom(hasOneAccountPerGroup ? new Map([first!]) : new Map(lines));
    for (const accountId of accountsOf(group.map((entry) => entry.request))) {
      held.set(accountId, lines.get(accountId)!);
      lines.delete(accountId);
    }
    size -= group.length;
    return group;
  }

  function takeFrom(turns: Map<number, Line>): Entry<Request, Outcome>[] {
    const group: Entry<Request, Outcome>[] = [];
    let weight = 0;
    for (const [accountId, line] of turns) {
      weight += weightOf(line[0]!.request);
      if (group.length > 0 && (group.length >= groupMax || weight > groupWeightMax)) break;
      group.push(line.shift()!);
      // Moves the account to the end: the loop returns to it after the others.
      turns.delete(accountId);
      if (line.length > 0) turns.set(accountId, line);
    }
    return group;
  }

  /** Its accounts queue up behind those that were not served, or that came meanwhile. */
  function release(group: Entry<Request, Outcome>[]): void {
    for (const accountId of accountsOf(group.map((entry) => entry.request))) {
      const line = held.get(accountId)!;
      held.delete(accountId);
      if (line.length > 0) lines.set(accountId, line);
    }
  }

  return { add, take, release, isReady: () => lines.size > 0, size: () => size };
}

function isStaleRead(error: unknown): boolean {
  return error instanceof StaleRead || isRepeatable(error) || isUniqueViolation(error);
}
