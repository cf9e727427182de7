import { once } from 'node:events';
import type { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type App, buildApp } from '../server/app.ts';
import type { Config } from '../server/config.ts';
import type { NodeRole } from '../server/domain/overview/node-queries.ts';
import { startHeartbeat } from '../server/jobs/heartbeat.ts';
import { openReadReplica } from '../server/open-read-replica.ts';
import { openTracing } from '../server/open-tracing.ts';
import { systemClock } from '../server/platform/clock.ts';
import type { Keyring } from '../server/platform/keyring.ts';
import { becomeUser, mayReadProgram } from '../server/platform/leave-root.ts';
import { describeError, type Log } from '../server/platform/log.ts';
import { makeMetrics } from '../server/platform/metrics.ts';
import { loadHttpClient } from '../server/platform/outgoing/connection.ts';
import type { ConnectionTarget } from '../server/platform/postgres/connection-target.ts';
import { type Database, openDatabase } from '../server/platform/postgres/database.ts';
import { followDatabaseClock } from '../server/platform/postgres/database-clock.ts';
import type { DatabaseUser } from '../server/platform/postgres/embedded/database-user.ts';
import type { ReadReplica } from '../server/platform/postgres/read-replica.ts';
import type { Siblings } from '../server/platform/siblings.ts';
import { startBackground } from '../server/start-background.ts';
import { version } from '../server/version.ts';
import { exitCodes, Failure } from './command-line.ts';

export interface ProcessParts {
  config: Config;
  role: NodeRole;
  target: ConnectionTarget;
  /** The data folder of the embedded PostgreSQL; null if another one is used. */
  dataDir: string | null;
  database: Database;
  keyring: Keyring;
  log: Log;
  siblings?: Siblings;
}

/** A process that serves requests, runs background work, or both. */
export interface RunningProcess {
  app: App;
  /** Requests in progress are finished, and for some seconds new ones are served. */
  stop(): Promise<void>;
  /** Stops while other processes serve on: this one accepts no more connections, and ends with its last one. */
  stopAlone(): Promise<void>;
}

/** Background jobs have separate connections, so that they do not delay requests. */
const backgroundPool = 4;
const heartbeatPool = 1;
const backgroundDeadlineSeconds = 60;
/**
 * While other processes serve on, idle connections stay open for this time, so that the response to the next request can
 * tell the client to close. A client may be sending a request at the moment in which its connection is closed.
 */
const lastRequestsSeconds = 10;

export async function runProcess(parts: ProcessParts): Promise<RunningProcess> {
  const { config, role, target, dataDir, database, keyring, log, siblings } = parts;
  const clock = await followDatabaseClock(database, systemClock, log);
  const metrics = makeMetrics();
  const tracing = await openTracing(config, { log, metrics });
  const replica = role === 'worker' ? null : await openReplica(parts, database);
  const app = await buildApp({
    config,
    database,
    dataDir,
    replica,
    keyring,
    clock,
    ownClock: systemClock,
    log,
    metrics,
    tracer: tracing?.tracer ?? null,
    contracts: role !== 'worker',
    ...(siblings ? { siblings } : {}),
  });
  await listen(app, config);
  const jobs = openDatabase(target, {
    max: role === 'api' ? heartbeatPool : backgroundPool,
    deadlineSeconds: backgroundDeadlineSeconds,
    role,
    purpose: 'jobs',
    record: database.record,
  });
  const auditReplica = role === 'api' ? null : await openReplica(parts, jobs);
  auditReplica?.watch({ onRead: (source) => app.metrics.replicaReads.inc({ source }) });
  const traceHttp = tracing?.traceHttp ?? null;
  const backupSource = dataDir === null ? null : { dataDir, ladingVersion: version };
  const work = { database: jobs, reads: auditReplica, backupSource, keyring, config, clock, log, metrics, traceHttp };
  const background = role === 'api' ? null : startBackground(work);
  const heartbeat = startHeartbeat(jobs, { role, version, masterKeyId: keyring.currentKeyId });

  async function stopAfter(lastRequests: Promise<unknown>): Promise<void> {
    const atRest = background?.close();
    await lastRequests;
    await Promise.all([app.close(), atRest]);
    await heartbeat.close();
    await Promise.all([replica?.close(), auditReplica?.close(), tracing?.tracer.close()]);
    await jobs.close();
    clock.close();
  }

  return {
    app,
    async stop() {
      app.startDraining('node');
      await stopAfter(sleep(config.drainSeconds * 1000));
    },
    async stopAlone() {
      app.startDraining('process');
      app.stopAccepting();
      await stopAfter(untilClosed(app.http.server, Math.max(config.drainSeconds, lastRequestsSeconds)));
    },
  };
}

/** Resolves when the last connection is closed, or after the given time. */
async function untilClosed(server: Server, seconds: number): Promise<void> {
  await Promise.race([once(server, 'close'), sleep(seconds * 1000, undefined, { ref: false })]);
}

/** Requests and jobs have different deadlines, so each has its own connections to the replica. */
async function openReplica({ config, role, log }: ProcessParts, database: Database): Promise<ReadReplica | null> {
  const { max } = database.load();
  return await openReadReplica(config, database, { max, role, purpose: 'reads' }, (line) => log.warn(line));
}

async function listen(app: App, config: Config): Promise<void> {
  const [own, ofMetrics] = portsOf(config);
  let current = own!;
  try {
    await app.http.listen({ host: config.host, port: config.port, backlog: 2048 });
    if (app.metricsServer === null) return;
    current = ofMetrics!;
    app.metricsServer.listen({ host: current.host, port: current.port });
    await once(app.metricsServer, 'listening');
  } catch (error) {
    await app.close();
    throw explainListenError(error as NodeJS.ErrnoException, current);
  }
}

/** A port to listen on, and the settings that an operator can change if that fails. */
export interface OwnPort {
  host: string;
  port: number;
  hostSetting: string;
  portSetting: string;
}

/** The port of the APIs, then that of the metrics if they have one. */
export function portsOf({ host, port, metricsHost, metricsPort }: Config): OwnPort[] {
  const own = { host, port, hostSetting: 'HOST', portSetting: 'PORT' };
  if (metricsPort === null) return [own];
  return [own, { host: metricsHost, port: metricsPort, hostSetting: 'METRICS_HOST', portSetting: 'METRICS_PORT' }];
}

export function explainListenError(error: NodeJS.ErrnoException, own: OwnPort): Error {
  const { host, port, hostSetting, portSetting } = own;
  switch (error.code) {
    case 'EADDRINUSE':
      return new Failure(
        exitCodes.cannotRun,
        `port ${port} on ${host} is in use by another program; set ${portSetting} to a free one`,
      );
    case 'EACCES':
      return new Failure(
        exitCodes.cannotRun,
        `this user is not allowed to listen on port ${port}; set ${portSetting} to one above 1023`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Failure(exitCodes.cannotRun, `${host} is not an address of this machine; set ${hostSetting}`);
    default:
      return error;
  }
}

/** Gives up root, which is only needed to listen on a port below 1024 and to start PostgreSQL as another user. */
export async function leaveRoot(app: App | null, user: DatabaseUser, log: Log): Promise<void> {
  if (app && !mayReadProgram(user)) await Promise.all([app.loadLazyFiles(), loadHttpClient()]);
  try {
    becomeUser(user);
    log.info(`now running as ${user.name}`);
  } catch (error) {
    // For example in a container that is not allowed to change its user.
    log.warn(describeError(error), `cannot switch from root to ${user.name}; the service keeps running as root`);
  }
}

/**
 * Exits after an unexpected error, because the state in memory may be inconsistent; a new process starts from the
 * committed data.
 */
export function endOnSurprise(log: Log): void {
  for (const surprise of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(surprise, (error: unknown) => {
      log.fatal(describeError(error), surprise);
      process.exit(exitCodes.cannotRun);
    });
  }
}
