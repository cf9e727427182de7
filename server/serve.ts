import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type App, buildApp } from './app.ts';
import { applyProvisioningText } from './apply-file.ts';
import { exitCodes, Failure } from './command-line.ts';
import type { Config } from './config.ts';
import { demoBanner, demoProvisioning } from './demo-account.ts';
import { applyProvisioning } from './domain/partners/apply-provisioning.ts';
import { readInputText } from './input-file.ts';
import { startSignOfLife } from './jobs/sign-of-life.ts';
import { openStore, type Store } from './open-store.ts';
import { systemClock } from './platform/clock.ts';
import { isUnavailable, openDatabase, operationDeadlineSeconds } from './platform/database.ts';
import { followDatabaseClock } from './platform/database-clock.ts';
import { runsAsRoot } from './platform/embedded-postgres/database-user.ts';
import { becomeUser, mayReadProgram } from './platform/leave-root.ts';
import { describeError, flushLog, type Log, makeLog } from './platform/log.ts';
import { loadHttpClient } from './platform/outgoing-connection.ts';
import { appliedAnswer, wordApplied } from './provisioning-report.ts';
import { startBackground } from './start-background.ts';
import { version } from './version.ts';

export interface ServeOptions {
  apply?: string;
  migrate: boolean;
  role: 'api' | 'worker' | 'both';
  json?: boolean;
}

const stopDeadlineSeconds = 30;
const sameMomentMs = 500;
/** Nobody waits for what happens in the background, and it does not take the connections of those who are waited for. */
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
    onProgress: (line) => log.info(line),
  });
  try {
    await provision(store, provisioningText, config, options);
    const clock = await followDatabaseClock(store.database, systemClock, log);
    const app = await buildApp({ config, ...store, clock, ownClock: systemClock, log, contracts: options.role !== 'worker' });
    await listen(app, config);
    const database = openDatabase(store.target, { max: backgroundPool, deadlineSeconds: backgroundDeadlineSeconds });
    const work = { database, keyring: store.keyring, config, clock, log, metrics: app.metrics };
    const background = options.role === 'api' ? null : startBackground(work);
    const signOfLife = startSignOfLife(database, { role: options.role, version });
    if (runsAsRoot()) await leaveRoot(app, store, log);
    announce(app, config, options);

    await stop;
    log.info('stopping');
    app.startDraining();
    const atRest = background?.close();
    await sleep(config.drainSeconds * 1000);
    await Promise.all([app.close(), atRest]);
    await signOfLife.close();
    await database.close();
    clock.close();
  } finally {
    await store.close();
  }
}

/**
 * The first signal stops the service in order; a second one, or a stop that hangs, ends it at once. Ctrl-C reaches us twice at the same
 * moment: from the terminal, and from npm, which hands it on.
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

/** Whatever state a surprise leaves behind is not to be trusted; a new process starts from what is committed. */
function endOnSurprise(log: Log): void {
  for (const surprise of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(surprise, (error: unknown) => {
      // The driver lets go of some promises of a connection that breaks; whoever waited for it has been told already.
      if (surprise === 'unhandledRejection' && isUnavailable(error)) {
        log.warn(describeError(error), 'a database connection broke');
        return;
      }
      log.fatal(describeError(error), surprise);
      process.exit(exitCodes.cannotRun);
    });
  }
}

/**
 * Applies the file, or, where there is neither file nor account, makes the demo account. What was made is shown at once: should
 * the start fail afterwards, its secrets would otherwise never be seen.
 */
async function provision(store: Store, text: string | null, config: Config, { apply, json }: ServeOptions): Promise<void> {
  const database = openDatabase(store.target, { max: 1, deadlineSeconds: null });
  const patient = { database, keyring: store.keyring };
  try {
    const outcome =
      text === null
        ? await applyProvisioning(database, store.keyring, demoProvisioning, { actor: 'first start', onlyIfEmpty: true })
        : await applyProvisioningText(patient, text, apply!, 'serve --apply');
    if (outcome.kind !== 'applied') return;
    if (json) tell(appliedAnswer(outcome));
    else process.stdout.write(text === null ? demoBanner(outcome.issued, config) : wordApplied(outcome));
  } finally {
    await database.close();
  }
}

function tell(line: object): void {
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

/** Root was needed to listen on a port below 1024 and to start PostgreSQL as another user; serving requests needs none of it. */
async function leaveRoot(app: App, store: Store, log: Log): Promise<void> {
  const user = await store.prepareToLeaveRoot();
  if (!mayReadProgram(user)) await Promise.all([app.loadLazyFiles(), loadHttpClient()]);
  try {
    becomeUser(user);
    log.info(`running as ${user.name} from here on`);
  } catch (error) {
    // Such as in a container that may not change its user.
    log.warn(describeError(error), `root cannot be given up for ${user.name}; the service keeps running as root`);
  }
}

/** Before the database and the credentials of a first start are made, because a start that then fails would leave both behind. */
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
      return new Failure(exitCodes.cannotRun, `port ${port} on ${host} is taken by another program; set PORT to a free one`);
    case 'EACCES':
      return new Failure(exitCodes.cannotRun, `port ${port} may not be used by this user; set PORT to one above 1023`);
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
  if (json) tell({ ready: url });
  else process.stdout.write(`Lading is ready at ${url}\n`);
}
