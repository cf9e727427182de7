import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { type Database, DatabaseUnavailable, isRepeatable, operationDeadlineSeconds, rethrowUnavailable, type Tx } from './database.ts';
import { type Decision, openSession } from './session.ts';
import { makeSlices } from './slices.ts';

/** One operation on a list of requests, in one transaction: one outcome for each, in the same order. */
export interface GroupOperation<Request extends GroupRequest, Outcome> {
  name: string;
  run(tx: Tx, requests: Request[]): Promise<Decision<Outcome[]>>;
  /** How much work a request is, where that differs; a group has its limit. */
  weightOf?(request: Request): number;
}

export interface GroupRequest {
  accountId: number;
}

export interface GroupCommit<Request, Outcome> {
  /** Done, and committed, when it resolves. */
  submit(request: Request): Promise<Outcome>;
  waiting(): number;
  close(): Promise<void>;
}

/** Thrown by an operation that sees that its look is out of date: the group begins anew. */
export class Overtaken extends Error {
  constructor() {
    super('others came first, again and again');
    this.name = 'Overtaken';
  }
}

/** For whoever counts. */
export type GroupEvent = { operation: string } & ({ kind: 'formed'; size: number } | { kind: 'repeated' } | { kind: 'halved' });

const groupMax = 256;
const groupWeightMax = 2000;
/** A backstop only: requests are held at the door. */
const waitingMax = 10_000;
const triesMax = 5;
const answeredAtOnceMax = 16;

/**
 * Requests that come while a group is being committed form the next group; a lone one goes at once. Rows that everybody wants are so
 * locked once a group and not once a request, and a group waits for the disk once.
 */
export function makeGroupCommit<Request extends GroupRequest, Outcome>(
  database: Database,
  operation: GroupOperation<Request, Outcome>,
  onEvent: (event: GroupEvent) => void = () => {},
): GroupCommit<Request, Outcome> {
  const session = openSession(database);
  const deadlineMs = (database.deadlineSeconds ?? operationDeadlineSeconds) * 1000;
  const queue = makeFairQueue<Request, Outcome>(operation.weightOf ?? (() => 1));
  const patience = makePatience<Entry<Request, Outcome>>(deadlineMs);
  const inTurn = makeSlices(answeredAtOnceMax);
  let working: Promise<void> | null = null;

  /** The next group is on its way to the database before the answers of the last one are written: neither waits for the other. */
  async function work(): Promise<void> {
    let answer: () => void = () => {};
    while (queue.size() > 0) {
      const group = queue.take();
      onEvent({ kind: 'formed', operation: operation.name, size: group.length });
      const settling = settle(group);
      answer();
      answer = await settling;
    }
    working = null;
    answer();
  }

  /**
   * What to answer once a group is committed. A request that cannot be carried out must not take its neighbours with it, so a group that
   * fails is halved until it is alone.
   */
  async function settle(entries: Entry<Request, Outcome>[]): Promise<() => void> {
    const group = entries.filter((entry) => performance.now() < entry.expiresAt);
    if (group.length === 0) return () => {};
    try {
      const outcomes = await repeatedly(group);
      return () => group.forEach((entry, index) => void inTurn(() => entry.resolve(outcomes[index]!)));
    } catch (error) {
      if (group.length === 1 || error instanceof DatabaseUnavailable) {
        const reason = error instanceof Overtaken ? new DatabaseUnavailable(error.message) : error;
        return () => group.forEach((entry) => void entry.reject(reason));
      }
      onEvent({ kind: 'halved', operation: operation.name });
      const middle = Math.ceil(group.length / 2);
      const [answerFirst, answerSecond] = [await settle(group.slice(0, middle)), await settle(group.slice(middle))];
      return () => {
        answerFirst();
        answerSecond();
      };
    }
  }

  /** What another node did at the same instant (took a number, made a lot) is seen when the group is looked at anew. */
  async function repeatedly(group: Entry<Request, Outcome>[]): Promise<Outcome[]> {
    const requests = group.map((entry) => entry.request);
    const expiresAt = Math.max(...group.map((entry) => entry.expiresAt));
    for (let tries = 1; ; tries++) {
      try {
        return await session.transaction((tx) => operation.run(tx, requests), expiresAt);
      } catch (error) {
        if (!isOvertaken(error) || tries === triesMax) return rethrowUnavailable(error);
        onEvent({ kind: 'repeated', operation: operation.name });
        if (tries > 1) await sleep(Math.random() * 10 * tries);
      }
    }
  }

  return {
    submit(request) {
      if (queue.size() >= waitingMax) return Promise.reject(new DatabaseUnavailable('too many requests wait for their group'));
      const entry = makeEntry<Request, Outcome>(request, patience);
      queue.add(entry);
      working ??= work();
      return entry.promise;
    },
    waiting: () => queue.size(),
    async close() {
      await working;
      await session.close();
    },
  };
}

interface Entry<Request, Outcome> {
  request: Request;
  promise: Promise<Outcome>;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
  expiresAt: number;
}

function makeEntry<Request, Outcome>(request: Request, patience: Patience<Entry<Request, Outcome>>): Entry<Request, Outcome> {
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
  };
  entry.expiresAt = patience.begin(entry);
  return entry;
}

interface Patience<Waiter> {
  /** Returns when its time is up. */
  begin(waiter: Waiter): number;
  settled(waiter: Waiter): void;
}

/**
 * Whoever asks has an answer in time, whatever becomes of the group; a neighbour that came later has its own time. All have the same patience, so
 * the first who came is the first whose time is up, and one timer does for all of them.
 */
function makePatience<Waiter extends { expiresAt: number; reject(error: unknown): void }>(deadlineMs: number): Patience<Waiter> {
  const waiting = new Set<Waiter>();
  let timer: NodeJS.Timeout | null = null;

  function watch(): void {
    const [first] = waiting;
    timer = first === undefined ? null : setTimeout(turnAwayLate, Math.max(1, first.expiresAt - performance.now())).unref();
  }

  function turnAwayLate(): void {
    const now = performance.now();
    for (const waiter of waiting) {
      if (waiter.expiresAt > now) break;
      waiter.reject(new DatabaseUnavailable('it was not committed in time'));
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

/** Accounts take turns, so that one that floods us waits for itself; within an account, first come first served. */
function makeFairQueue<Request extends GroupRequest, Outcome>(weightOf: (request: Request) => number) {
  const lines = new Map<number, Entry<Request, Outcome>[]>();
  let size = 0;

  function add(entry: Entry<Request, Outcome>): void {
    const line = lines.get(entry.request.accountId);
    if (line) line.push(entry);
    else lines.set(entry.request.accountId, [entry]);
    size++;
  }

  function take(): Entry<Request, Outcome>[] {
    const group: Entry<Request, Outcome>[] = [];
    let weight = 0;
    for (const [accountId, line] of lines) {
      weight += weightOf(line[0]!.request);
      if (group.length > 0 && (group.length >= groupMax || weight > groupWeightMax)) break;
      group.push(line.shift()!);
      // To the end of the turn: the loop comes by again, and the next group begins with whoever was not served.
      lines.delete(accountId);
      if (line.length > 0) lines.set(accountId, line);
    }
    size -= group.length;
    return group;
  }

  return { add, take, size: () => size };
}

function isOvertaken(error: unknown): boolean {
  return error instanceof Overtaken || isRepeatable(error) || (error instanceof postgres.PostgresError && error.code === '23505');
}
