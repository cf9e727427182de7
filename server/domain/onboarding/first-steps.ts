import type { Reader } from '../../platform/postgres/database.ts';
import { noAccounts, type Sql } from '../../platform/postgres/sql.ts';
import {
  type ErrorGroup,
  findCallNoted,
  findFirstCallInLog,
  findFirstDelivered,
  findFirstInbound,
  findFirstOrder,
  findFirstProduct,
  findOnboardedAccount,
  findUndelivered,
  listErrorGroups,
  type OnboardedAccount,
} from './first-steps-queries.ts';

export const stepKinds = ['call', 'product', 'inbound', 'order', 'callback'] as const;
export type StepKind = (typeof stepKinds)[number];

/** What was done first, for a link to it. */
export interface StepDone {
  at: string;
  /** The id of the product, document or callback; null: only the time is known, as after the log was deleted. */
  id: number | null;
  /** The trace id of the call. */
  traceId: string | null;
  /** The number of the document, the event of the callback, or the contract of the call. */
  name: string | null;
  isTest: boolean;
}

/** What keeps an open step from being done. */
export type StepObstacle =
  | ({ kind: 'calls' } & ErrorGroup)
  | { kind: 'callback'; callbackId: number; httpStatus: number | null; error: string | null; lastAt: string };

export interface FirstStep {
  kind: StepKind;
  done: StepDone | null;
  obstacle: StepObstacle | null;
}

/** Calls older than this are not the obstacle of today. */
const recentDays = 7;
const dayMs = 86_400_000;

/** The steps from an account without calls to one that works; null: there is no such account. */
export async function readFirstSteps(reads: Reader, accountNo: string, now: Date): Promise<FirstStep[] | null> {
  const account = await reads.read(noAccounts, (sql) => findOnboardedAccount(sql, accountNo));
  if (account === null) return null;
  const done = await reads.read([account.accountId], (sql) => readDone(sql, accountNo, account));
  const open = stepKinds.filter((kind) => done[kind] === null);
  const obstacles = open.length === 0 ? null : await readObstacles(reads, account.accountId, accountNo, now);
  return stepKinds.map((kind) => ({
    kind,
    done: done[kind],
    obstacle: done[kind] === null && obstacles !== null ? obstacleOf(kind, obstacles) : null,
  }));
}

async function readDone(
  sql: Sql,
  accountNo: string,
  { accountId, createdAt }: OnboardedAccount,
): Promise<Record<StepKind, StepDone | null>> {
  const [called, noted, product, inbound, order, callback] = await Promise.all([
    findFirstCallInLog(sql, accountNo, createdAt),
    findCallNoted(sql, accountId, accountNo),
    findFirstProduct(sql, accountId),
    findFirstInbound(sql, accountId),
    findFirstOrder(sql, accountId),
    findFirstDelivered(sql, accountId),
  ]);
  const ofCall = called && { id: null, traceId: called.traceId, name: called.contract, at: called.at, isTest: false };
  const ofNote = noted === null ? null : { id: null, traceId: null, name: null, at: noted, isTest: false };
  return {
    call: ofCall ?? ofNote,
    product: product && { ...product, traceId: null, isTest: false },
    inbound: inbound && { ...inbound, traceId: null, isTest: false },
    order: order && { ...order, traceId: null, isTest: false },
    callback: callback && { ...callback, traceId: null },
  };
}

interface Obstacles {
  groups: ErrorGroup[];
  callback: StepObstacle | null;
}

async function readObstacles(reads: Reader, accountId: number, accountNo: string, now: Date): Promise<Obstacles> {
  const since = new Date(now.getTime() - recentDays * dayMs);
  return await reads.read([accountId], async (sql) => {
    const [groups, undelivered] = await Promise.all([
      listErrorGroups(sql, accountNo, since),
      findUndelivered(sql, accountId),
    ]);
    const callback = undelivered && { kind: 'callback' as const, ...undelivered, lastAt: undelivered.at };
    return { groups, callback };
  });
}

/** The parts of the endpoints that lead to each step. */
const endpointsOf: Record<Exclude<StepKind, 'callback'>, RegExp> = {
  call: /./,
  product: /\/product/,
  inbound: /\/(inbound|purchases)/,
  order: /\/(outbound|orders)/,
};

/** The most frequent error of the calls that lead to a step. */
export function obstacleOf(kind: StepKind, { groups, callback }: Obstacles): StepObstacle | null {
  if (kind === 'callback') return callback;
  const group = groups.find(({ endpoint }) => endpointsOf[kind].test(endpoint));
  return group === undefined ? null : { kind: 'calls', ...group };
}
