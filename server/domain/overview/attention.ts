import { taipeiDay, taipeiInstant } from '../../platform/clock.ts';
import { lowestTraceIdAt } from '../../platform/ids.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts, type Sql } from '../../platform/postgres/sql.ts';
import { countFailingChannels } from '../alerts/alert-message-queries.ts';
import { lastAudit } from '../audit/audit-queries.ts';
import { type BackupState, isLate } from '../backup/backup-state.ts';
import { deliveryRules } from '../callbacks/retry-schedule.ts';
import { everyAccount } from '../partners/every-account.ts';
import type { AccountName } from '../partners/partner-queries.ts';
import {
  type AttentionKind,
  type AttentionScope,
  attentionKinds,
  kindsWithin,
  wholeService,
} from './attention-kinds.ts';
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
  /** null: there is no folder for backups, so there is no item about them. */
  backup: BackupState | null;
}

export const expiringWithinDays = 30;
export const failedWithinDays = 7;
/** The audit runs every hour; if there is none for a day, the job does not run. */
const auditEveryHoursMax = 25;
/** Their names in the request log. */
const signedContract = 'warehouse';
const tokenEndpoint = '/api/v1/token/getToken';
const callsLookedBackMs = 3_600_000;

/**
 * Everything that may need an operator's attention, each with its count; urgent items first, items without problems
 * last. With a scope, only the kinds that can be counted within it.
 */
export async function lookForAttention(
  database: Database,
  question: AttentionQuestion,
  scope: AttentionScope = wholeService,
): Promise<Attention[]> {
  const kinds = new Set(kindsWithin(scope));
  const looks = [lookAtAccounts(database, question.now, scope), ...looksAtService(database, question, scope)];
  const items = (await Promise.all(looks)).flat().filter(({ kind }) => kinds.has(kind));
  return items.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** The items that are not counted account by account. */
function looksAtService(
  database: Database,
  { now, backup }: AttentionQuestion,
  { accountNos, warehouseNos }: AttentionScope,
): Promise<Attention | Attention[]>[] {
  const from = { ...recentFrom(now), accountNos };
  const read = <One>(list: (sql: Sql) => Promise<One>) => database.read(noAccounts, list);
  const ofAccounts =
    warehouseNos === null
      ? [
          read((sql) => listRefusedSignatures(sql, signedContract, from)).then((callers) =>
            listed('signatures_failing', callers, (caller) => caller),
          ),
          read((sql) => listRefusedTokens(sql, tokenEndpoint, from)).then((callers) =>
            listed('tokens_failing', callers, (caller) => caller),
          ),
        ]
      : [];
  if (accountNos !== null) return ofAccounts;
  const waves = read((sql) => listFailingWaves(sql, warehouseNos)).then((found) =>
    listed('waves_failing', found, (wave) => ofWave(wave)),
  );
  if (warehouseNos !== null) return [waves];
  return [
    ...ofAccounts,
    waves,
    read(lastAudit).then((audit) => ofAudit(audit, now)),
    read(listFailedJobs).then((jobs) => listed('jobs_failed', jobs, ({ name, lastRunAt: since }) => ({ name, since }))),
    read(listSilentNodes).then((nodes) =>
      listed('nodes_silent', nodes, ({ host, pid, seenAt: since }) => ({ name: `${host} ${pid}`, since })),
    ),
    read(countFailingChannels).then((failing) => ofCount('alerts_failing', failing)),
    Promise.resolve(backup ? [ofBackup(backup, now)] : []),
  ];
}

/** Sends the statements of all accounts without waiting in between. */
async function lookAtAccounts(
  database: Database,
  now: Date,
  { accountNos, warehouseNos }: AttentionScope,
): Promise<Attention[]> {
  const expired = { from: '-infinity', to: taipeiDay(now, -1), onlyGood: true, warehouseNos };
  const expiring = { from: taipeiDay(now), to: taipeiDay(now, expiringWithinDays), warehouseNos };
  return await database.read(noAccounts, async (sql) => {
    const every = await everyAccount(sql);
    const accounts = every.accounts.filter(({ accountNo }) => accountNos === null || accountNos.includes(accountNo));
    const { own } = every;
    const ofCallbacks = warehouseNos === null ? lookAtCallbacks(own, accounts, taipeiDay(now, -failedWithinDays)) : [];
    const [callbacks, rejected, awaiting, spoiled, spoiling] = await Promise.all([
      ofCallbacks,
      countTransfers(own, accounts, 'rejected', warehouseNos),
      countOrdersAwaitingStock(own, accounts, warehouseNos),
      countLotsExpiring(own, accounts, expired),
      countLotsExpiring(own, accounts, expiring),
    ]);
    return [
      ...callbacks,
      ofCount('transfers_rejected', rejected),
      ofCount('orders_awaiting_stock', awaiting),
      ofCount('lots_expired', spoiled),
      ofCount('lots_expiring', spoiling),
    ];
  });
}

async function lookAtCallbacks(own: Sql, accounts: AccountName[], failedFrom: string): Promise<Attention[]> {
  const [receivers, failed] = await Promise.all([
    listQueuedReceivers(own, accounts),
    countFailedCallbacks(own, accounts, failedFrom),
  ]);
  return [
    ofReceivers('receivers_down', receivers.filter(isDown)),
    ofReceivers('receivers_paused', receivers.filter(isPaused)),
    ofCount('callbacks_failed', failed),
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
