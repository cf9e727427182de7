import { taipeiDay, taipeiInstant } from '../../platform/clock.ts';
import { lowestTraceIdAt } from '../../platform/ids.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts, type Sql } from '../../platform/postgres/sql.ts';
import { lastAudit } from '../audit/audit-queries.ts';
import { type BackupState, isLate } from '../backup/backup-state.ts';
import { deliveryRules } from '../callbacks/retry-schedule.ts';
import { everyAccount } from '../partners/every-account.ts';
import {
  type Counted,
  countedMax,
  countFailedCallbacks,
  countLotsExpiring,
  countOrdersAwaitingStock,
  countTransfers,
  listFailedJobs,
  listFailingWaves,
  listQueuedReceivers,
  listRefusedSignatures,
  listRefusedTokens,
  listSilentNodes,
  type QueuedReceiver,
} from './attention-queries.ts';

/** The kinds of items that may need attention and how urgent each is, most urgent first. */
export const attentionKinds = {
  stock_audit: 'critical',
  jobs_failed: 'critical',
  backup_late: 'critical',
  waves_failing: 'critical',
  transfers_rejected: 'critical',
  lots_expired: 'critical',
  nodes_silent: 'warning',
  receivers_down: 'warning',
  callbacks_failed: 'warning',
  receivers_paused: 'warning',
  orders_awaiting_stock: 'warning',
  signatures_failing: 'warning',
  tokens_failing: 'warning',
  lots_expiring: 'warning',
} as const;
export type AttentionKind = keyof typeof attentionKinds;
export type Severity = (typeof attentionKinds)[AttentionKind] | 'fine';

export interface Example {
  name: string;
  detail: string | null;
  count: number | null;
}

export interface Attention extends Counted {
  kind: AttentionKind;
  severity: Severity;
  examples: Example[];
}

export interface AttentionQuestion {
  now: Date;
  /** The names of the signed contract and the token endpoint in the request log. */
  signedContract: string;
  tokenEndpoint: string;
  /** null: there is no folder for backups, so there is no item about them. */
  backup: BackupState | null;
}

export const expiringWithinDays = 30;
export const failedWithinDays = 7;
/** The audit runs every hour; if there is none for a day, the job does not run. */
const auditEveryHoursMax = 25;
const callsLookedBackMs = 3_600_000;

/**
 * Everything that may need an operator's attention, each with its count; urgent items first, items without problems
 * last.
 */
export async function lookForAttention(
  database: Database,
  { now, backup, ...names }: AttentionQuestion,
): Promise<Attention[]> {
  const from = recentFrom(now);
  const expired = { from: '-infinity', to: taipeiDay(now, -1) };
  const expiring = { from: taipeiDay(now), to: taipeiDay(now, expiringWithinDays) };
  const failedFrom = taipeiDay(now, -failedWithinDays);
  const [ofAccounts, ofService] = await Promise.all([
    database.read(noAccounts, (sql) => lookAtAccounts(sql, { expired, expiring, failedFrom })),
    Promise.all([
      database.read(noAccounts, lastAudit).then((audit) => ofAudit(audit, now)),
      database
        .read(noAccounts, listFailedJobs)
        .then((jobs) => listed('jobs_failed', jobs, ({ name, lastRunAt: since }) => ({ name, since }))),
      database
        .read(noAccounts, listFailingWaves)
        .then((waves) => listed('waves_failing', waves, (wave) => ofWave(wave))),
      database
        .read(noAccounts, listSilentNodes)
        .then((nodes) =>
          listed('nodes_silent', nodes, ({ host, pid, seenAt: since }) => ({ name: `${host} ${pid}`, since })),
        ),
      database
        .read(noAccounts, (sql) => listRefusedSignatures(sql, names.signedContract, from))
        .then((callers) => listed('signatures_failing', callers, (caller) => caller)),
      database
        .read(noAccounts, (sql) => listRefusedTokens(sql, names.tokenEndpoint, from))
        .then((callers) => listed('tokens_failing', callers, (caller) => caller)),
    ]),
  ]);
  const items = [...ofService, ...ofAccounts, ...(backup ? [ofBackup(backup, now)] : [])];
  return items.toSorted((one, other) => rankOf(one) - rankOf(other));
}

interface DaysLookedAt {
  expired: { from: string; to: string };
  expiring: { from: string; to: string };
  failedFrom: string;
}

/** Sends the statements of all accounts without waiting in between. */
async function lookAtAccounts(sql: Sql, { expired, expiring, failedFrom }: DaysLookedAt): Promise<Attention[]> {
  const { own, accounts } = await everyAccount(sql);
  const [receivers, rejected, failed, awaiting, spoiled, spoiling] = await Promise.all([
    listQueuedReceivers(own, accounts),
    countTransfers(own, accounts, 'rejected'),
    countFailedCallbacks(own, accounts, failedFrom),
    countOrdersAwaitingStock(own, accounts),
    countLotsExpiring(own, accounts, expired),
    countLotsExpiring(own, accounts, expiring),
  ]);
  return [
    ofReceivers('receivers_down', receivers.filter(isDown)),
    ofReceivers('receivers_paused', receivers.filter(isPaused)),
    ofCount('transfers_rejected', rejected),
    ofCount('callbacks_failed', failed),
    ofCount('orders_awaiting_stock', awaiting),
    ofCount('lots_expired', spoiled),
    ofCount('lots_expiring', spoiling),
  ];
}

const kindsByRank = Object.keys(attentionKinds);

function rankOf({ kind, severity }: Attention): number {
  return kindsByRank.indexOf(kind) + { critical: 0, warning: 100, fine: 200 }[severity];
}

function ofCount(kind: AttentionKind, counted: Counted): Attention {
  return { kind, severity: counted.count > 0 ? attentionKinds[kind] : 'fine', ...counted, examples: [] };
}

/** An item whose members have names. */
function listed<One>(kind: AttentionKind, all: One[], describe: (one: One) => Named): Attention {
  const described = all.map(describe);
  const since = described.flatMap((one) => one.since ?? []).toSorted()[0] ?? null;
  const examples = described
    .slice(0, examplesMax)
    .map(({ name, detail = null, count = null }) => ({ name, detail, count }));
  return {
    ...ofCount(kind, { count: Math.min(all.length, countedMax), isMore: all.length > countedMax, since }),
    examples,
  };
}

const examplesMax = 3;

interface Named {
  name: string;
  since: string | null;
  detail?: string | null;
  count?: number | null;
}

function ofWave(wave: {
  warehouseNo: number;
  name: string;
  failures: number;
  lastOutcome: string | null;
  lastWaveAt: string | null;
}): Named {
  const { warehouseNo, name, failures, lastOutcome, lastWaveAt } = wave;
  return { name: `${warehouseNo} ${name}`, since: lastWaveAt, detail: lastOutcome, count: failures };
}

function ofReceivers(kind: AttentionKind, receivers: QueuedReceiver[]): Attention {
  return listed(kind, receivers, ({ account_no, address, first_queued_at }) => ({
    name: address,
    since: first_queued_at,
    detail: account_no,
  }));
}

/** Receivers with queued callbacks that do not accept them, counted up to the limit. */
export async function countFailingReceivers(sql: Sql): Promise<number> {
  const { own, accounts } = await everyAccount(sql);
  const receivers = await listQueuedReceivers(own, accounts);
  return Math.min(receivers.filter(isDown).length, countedMax);
}

/** On hold, failing repeatedly, or rejecting. A rejection seldom resolves itself, so the first one counts. */
function isDown({ paused, failures, unsuccessful, is_open }: QueuedReceiver): boolean {
  const isRejecting = failures === 0 && unsuccessful > 0;
  return !paused && (is_open || isRejecting || Math.max(failures, unsuccessful) >= deliveryRules.openAfterFailures);
}

function isPaused({ paused }: QueuedReceiver): boolean {
  return paused;
}

/** Findings are urgent; a day without an audit is worth a look. */
export function ofAudit(audit: { at: Date; findings: number } | null, now: Date): Attention {
  const isLate = audit === null || now.getTime() - audit.at.getTime() > auditEveryHoursMax * 3_600_000;
  const found = ofCount('stock_audit', {
    count: audit?.findings ?? 0,
    isMore: false,
    since: audit && taipeiInstant(audit.at),
  });
  return found.severity === 'fine' && isLate ? { ...found, severity: 'warning' } : found;
}

export function ofBackup(backup: BackupState, now: Date): Attention {
  const { lastVerifiedAt } = backup;
  const since = lastVerifiedAt && taipeiInstant(lastVerifiedAt);
  return { ...ofCount('backup_late', { count: isLate(backup, now) ? 1 : 0, isMore: false, since }) };
}

function recentFrom(now: Date) {
  const from = new Date(now.getTime() - callsLookedBackMs);
  return { at: from.toISOString(), traceId: lowestTraceIdAt(from) };
}
