import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type App, buildApp } from '../server/app.ts';
import type { Config } from '../server/config.ts';
import { applyProvisioning } from '../server/domain/partners/apply-provisioning.ts';
import { startHeartbeat } from '../server/jobs/heartbeat.ts';
import { openStore, type Store } from '../server/open-store.ts';
import { systemClock } from '../server/platform/clock.ts';
import { becomeUser, mayReadProgram } from '../server/platform/leave-root.ts';
import { describeError, flushLog, type Log, makeLog } from '../server/platform/log.ts';
import { loadHttpClient } from '../server/platform/outgoing/connection.ts';
import { openDatabase, operationDeadlineSeconds } from '../server/platform/postgres/database.ts';
import { followDatabaseClock } from '../server/platform/postgres/database-clock.ts';
import { runsAsRoot } from '../server/platform/postgres/embedded/database-user.ts';
import { startBackground } from '../server/start-background.ts';
import { version } from '../server/version.ts';
import { applyProvisioningText } from './apply-file.ts';
import { exitCodes, Failure } from './command-line.ts';
import { demoBanner, demoProvisioning } from './demo-account.ts';
import { readInputText } from './input-file.ts';
import { appliedAnswer, formatApplied } from './provisioning-report.ts';

export interface ServeOptions {
  apply?: string;
  migrate: boolean;
  role: 'api' | 'worker' | 'both';
  json?: boolean;
}

const stopDeadlineSeconds = 30;
const sameMomentMs = 500;
/** Background jobs have separate connections, so that they do not delay requests. */
const backgroundPool = 4;
const backgroundDeadlineSeconds = 60;

/** Runs the service until a signal stops it. */
export async function serve(config: Config, options: ServeOptions): Promise<void> {
  const log = makeLog(config.logLevel);
  endOnSurprise(log);
  try {
    await serveUntilStopped(config, options, log);
    log.info('stopped');
  } finally {
    await flushLog(log);
  }
}

async function serveUntilStopped(config: Config, options: ServeOptions, log: Log): Promise<void> {
  const provisioningText = options.apply === undefined ? null : readInputText(options.apply);
  await refuseTakenPort(config);
  const stop = stopSignal(config.drainSeconds + stopDeadlineSeconds);
  const store = await openStore(config, {
    migrations: options.migrate ? 'apply' : 'refuse',
    deadlineSeconds: operationDeadlineSeconds,
    role: options.role,
    onProgress: (line) => log.info(line),
  });
  try {
    if (store.weakness !== null) log.warn(store.weakness);
    await provision(store, provisioningText, config, options);
    const clock = await followDatabaseClock(store.database, systemClock, log);
    const app = await buildApp({
      config,
      ...store,
      clock,
      ownClock: systemClock,
      log,
      contracts: options.role !== 'worker',
    });
    await listen(app, config);
    const database = openDatabase(store.target, {
      max: backgroundPool,
      deadlineSeconds: backgroundDeadlineSeconds,
      role: options.role,
      purpose: 'jobs',
      record: store.record,
    });
    const work = { database, keyring: store.keyring, config, clock, log, metrics: app.metrics };
    const background = options.role === 'api' ? null : startBackground(work);
    const heartbeat = startHeartbeat(database, { role: options.role, version });
    if (runsAsRoot()) await leaveRoot(app, store, log);
    announce(app, config, options);

    await stop;
    log.info('stopping');
    app.startDraining();
    const atRest = background?.close();
    await sleep(config.drainSeconds * 1000);
    await Promise.all([app.close(), atRest]);
    await heartbeat.close();
    await database.close();
    clock.close();
  } finally {
    await store.close();
  }
}

/**
 * The first signal stops the service gracefully; a second one, or a stop that hangs, ends it immediately. Ctrl-C
 * arrives twice at the same time: from the terminal and from npm, which forwards it.
 */
function stopSignal(deadlineSeconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let askedAtMs: number | null = null;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (askedAtMs !== null && performance.now() - askedAtMs > sameMomentMs) process.exit(exitCodes.refused);
      if (askedAtMs !== null) return;
      askedAtMs = performance.now();
      setTimeout(() => process.exit(exitCodes.refused), deadlineSeconds * 1000).unref();
      resolve();
    });
  }
  return promise;
}

/**
 * Exits after an unexpected error, because the state in memory may be inconsistent; a new process starts from the
 * committed data.
 */
function endOnSurprise(log: Log): void {
  for (const surprise of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(surprise, (error: unknown) => {
      log.fatal(describeError(error), surprise);
      process.exit(exitCodes.cannotRun);
    });
  }
}

/**
 * Applies the file or, if there is neither a file nor an account, creates the demo account. The result is printed
 * immediately: if the start failed afterwards, the generated secrets would otherwise be lost.
 */
async function provision(
  store: Store,
  text: string | null,
  config: Config,
  { apply, json }: ServeOptions,
): Promise<void> {
  const database = openDatabase(store.target, { max: 1, deadlineSeconds: null, record: store.record });
  const patient = { database, keyring: store.keyring };
  try {
    const outcome =
      text === null
        ? await applyProvisioning(database, store.keyring, demoProvisioning, {
            actor: 'first start',
            onlyIfEmpty: true,
          })
        : await applyProvisioningText(patient, text, apply!, 'serve --apply');
    if (outcome.kind !== 'applied') return;
    if (json) printJson(appliedAnswer(outcome));
    else process.stdout.write(text === null ? demoBanner(outcome.issued, config) : formatApplied(outcome));
  } finally {
    await database.close();
  }
}

function printJson(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function listen(app: App, config: Config): Promise<void> {
  try {
    await app.http.listen({ host: config.host, port: config.port, backlog: 2048 });
  } catch (error) {
    await app.close();
    throw explainListenError(error as NodeJS.ErrnoException, config);
  }
}

/** Gives up root, which is only needed to listen on a port below 1024 and to start PostgreSQL as another user. */
async function leaveRoot(app: App, store: Store, log: Log): Promise<void> {
  const user = await store.prepareToLeaveRoot();
  if (!mayReadProgram(user)) await Promise.all([app.loadLazyFiles(), loadHttpClient()]);
  try {
    becomeUser(user);
    log.info(`now running as ${user.name}`);
  } catch (error) {
    // For example in a container that is not allowed to change its user.
    log.warn(describeError(error), `cannot switch from root to ${user.name}; the service keeps running as root`);
  }
}

/**
 * Runs before a first start creates the database and the credentials, because a failed start would leave both behind.
 */
async function refuseTakenPort({ host, port }: Config): Promise<void> {
  const probe = createServer();
  try {
    probe.listen({ host, port });
    await once(probe, 'listening');
    probe.close();
    await once(probe, 'close');
  } catch (error) {
    throw explainListenError(error as NodeJS.ErrnoException, { host, port });
  }
}

function explainListenError(error: NodeJS.ErrnoException, { host, port }: Pick<Config, 'host' | 'port'>): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new Failure(
        exitCodes.cannotRun,
        `port ${port} on ${host} is in use by another program; set PORT to a free one`,
      );
    case 'EACCES':
      return new Failure(
        exitCodes.cannotRun,
        `this user is not allowed to listen on port ${port}; set PORT to one above 1023`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Failure(exitCodes.cannotRun, `${host} is not an address of this machine; set HOST`);
    default:
      return error;
  }
}

function announce(app: App, config: Config, { json }: ServeOptions): void {
  const { port } = app.http.server.address() as AddressInfo;
  const url = config.port === 0 ? config.publicUrl.replace(/:0$/, `:${port}`) : config.publicUrl;
  if (json) printJson({ ready: url });
  else process.stdout.write(`Lading is ready at ${url}\n`);
}
