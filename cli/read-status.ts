import { hostname } from 'node:os';
import type { Config } from '../server/config.ts';
import { readBackupState } from '../server/domain/backup/backup-state.ts';
import { lookForAttention } from '../server/domain/overview/attention.ts';
import { readServiceStatus, type ServiceStatus } from '../server/domain/overview/service-status.ts';
import type { Store } from '../server/open-store.ts';
import { makeStatusReader, type ServerStatus } from '../server/platform/postgres/server-status.ts';
import { freeBytesLow, freeBytesMin, spaceOf } from '../server/readiness.ts';
import { version } from '../server/version.ts';
import { itemsNeedingAttention, type StatusItem } from './status-attention.ts';

export interface Status {
  state: 'fine' | 'warning' | 'urgent';
  at: string;
  version: string;
  service: {
    /** Whether the address of this service responds, and with what. */
    health: 'ready' | 'not_ready' | 'no_answer';
    reasons: string[];
    warnings: string[];
    processes: { host: string; pid: number; role: string; version: string; started_at: string; is_silent: boolean }[];
    /** Since the oldest running process has started; null: none is running. */
    uptime_s: number | null;
  };
  addresses: { console: string; docs: string; health: string };
  database: {
    kind: 'embedded' | 'postgresql';
    version: string;
    role: 'primary';
    /** Connected synchronous standbys; null if our login may not see them. */
    synchronous_standbys: number | null;
    size_bytes: number;
    /** The disk of the embedded database; null for a database whose disk is not ours. */
    disk: { free_bytes: number; total_bytes: number } | null;
  };
  accounts: { uat: number; production: number };
  orders_today: { day: string; count: number; is_more: boolean; by_status: Record<string, number> };
  callbacks_waiting: { count: number; is_more: boolean; oldest_at: string | null };
  attention: StatusItem[];
}

export async function readStatus(store: Store, config: Config, now: Date): Promise<Status> {
  const { database, dataDir } = store;
  const { publicUrl, backupDir, backupEveryHours } = config;
  const backup = backupDir === null ? null : await readBackupState(backupDir, backupEveryHours);
  const [facts, found, server, health, disk] = await Promise.all([
    readServiceStatus(database, now),
    lookForAttention(database, { now, backup }),
    readServer(store),
    askHealth(publicUrl),
    dataDir === null ? null : spaceOf(dataDir),
  ]);
  const ofData = itemsNeedingAttention(found, { now, consoleUrl: `${publicUrl}/console` });
  const attention = [...itemsOfService(facts, health, publicUrl), ...itemsOfDisk(disk, dataDir), ...ofData].toSorted(
    (one, other) => Number(other.severity === 'critical') - Number(one.severity === 'critical'),
  );
  return {
    state: stateOf(attention),
    at: now.toISOString(),
    version,
    service: { ...health, ...processesOf(facts, now) },
    addresses: { console: `${publicUrl}/console`, docs: `${publicUrl}/docs`, health: `${publicUrl}/health/ready` },
    database: {
      kind: dataDir === null ? 'postgresql' : 'embedded',
      version: server.version,
      role: 'primary',
      synchronous_standbys: server.standbys?.synchronous ?? null,
      size_bytes: facts.databaseBytes,
      disk: disk && { free_bytes: disk.freeBytes, total_bytes: disk.totalBytes },
    },
    ...countsOf(facts),
    attention,
  };
}

function stateOf(attention: StatusItem[]): Status['state'] {
  if (attention.length === 0) return 'fine';
  return attention.some(({ severity }) => severity === 'critical') ? 'urgent' : 'warning';
}

async function readServer({ database }: Store): Promise<ServerStatus> {
  const reader = makeStatusReader(database);
  try {
    return await reader.read();
  } finally {
    reader.close();
  }
}

interface Health {
  health: Status['service']['health'];
  reasons: string[];
  warnings: string[];
}

const healthWithinMs = 3000;

async function askHealth(publicUrl: string): Promise<Health> {
  try {
    const signal = AbortSignal.timeout(healthWithinMs);
    const answer = await fetch(`${publicUrl}/health/ready`, { redirect: 'manual', signal });
    const { status, reasons = [], warnings = [] } = (await answer.json()) as Partial<Health> & { status?: string };
    if (status === 'ready') return { health: 'ready', reasons, warnings };
    return { health: status === 'not_ready' ? 'not_ready' : 'no_answer', reasons, warnings };
  } catch {
    return { health: 'no_answer', reasons: [], warnings: [] };
  }
}

function processesOf({ nodes }: ServiceStatus, now: Date): Pick<Status['service'], 'processes' | 'uptime_s'> {
  const processes = nodes.map(({ node_id: _, seen_at: __, ...node }) => node);
  const startedMs = nodes.filter(({ is_silent }) => !is_silent).map(({ started_at }) => Date.parse(started_at));
  const uptimeMs = startedMs.length === 0 ? null : Math.max(0, now.getTime() - Math.min(...startedMs));
  return { processes, uptime_s: uptimeMs === null ? null : Math.round(uptimeMs / 1000) };
}

/** A process that was killed still has its heartbeat for half a minute, so the address counts, too. */
function itemsOfService({ nodes }: ServiceStatus, { health, reasons, warnings }: Health, url: string): StatusItem[] {
  const living = nodes.filter(({ is_silent }) => !is_silent);
  const warned = warnings.map(
    (what): StatusItem => ({ kind: 'not_ready', severity: 'warning', what, next: `${url}/console/system` }),
  );
  if (health === 'ready') return warned;
  if (health === 'not_ready')
    return [
      { kind: 'not_ready', severity: 'critical', what: reasons.join('; '), next: `${url}/health/ready` },
      ...warned,
    ];
  if (living.length === 0)
    return [{ kind: 'not_running', severity: 'critical', what: 'the service is not running', next: 'npm start' }];
  const isHere = living.some(({ host }) => host === hostname());
  const what = `${url} does not respond${isHere ? '' : ' from here'}; PORT and PUBLIC_URL must be those of the service`;
  return [{ kind: 'out_of_reach', severity: isHere ? 'critical' : 'warning', what, next: `curl ${url}/health/ready` }];
}

function itemsOfDisk(disk: { freeBytes: number } | null, dataDir: string | null): StatusItem[] {
  if (disk === null || disk.freeBytes >= freeBytesLow) return [];
  const severity = disk.freeBytes < freeBytesMin ? 'critical' : 'warning';
  return [{ kind: 'disk_low', severity, what: 'the disk of the database is almost full', next: `df -h ${dataDir}` }];
}

function countsOf({ accounts, day, orders, hasMoreOrders, callbacksWaiting }: ServiceStatus) {
  const { count, isMore, since } = callbacksWaiting;
  return {
    accounts,
    orders_today: {
      day,
      count: orders.reduce((sum, one) => sum + one.count, 0),
      is_more: hasMoreOrders,
      by_status: Object.fromEntries(orders.map((one) => [one.status, one.count])),
    },
    callbacks_waiting: { count, is_more: isMore, oldest_at: since },
  };
}
