import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { isDeepStrictEqual } from 'node:util';
import { formatMessage } from '../messages/format-message.ts';
import { isDemoOnly } from '../server/callback-guard.ts';
import { type Config, readConfig } from '../server/config.ts';
import { applyProvisioning } from '../server/domain/partners/apply-provisioning.ts';
import { productionAccountIds } from '../server/domain/transfers/transfer-queries.ts';
import { CannotRun, openStore, type Store } from '../server/open-store.ts';
import { mayReadProgram } from '../server/platform/leave-root.ts';
import { flushLog, type Log, makeServiceLog } from '../server/platform/log.ts';
import { openDatabase, operationDeadlineSeconds } from '../server/platform/postgres/database.ts';
import { type DatabaseUser, runsAsRoot } from '../server/platform/postgres/embedded/database-user.ts';
import { noAccounts } from '../server/platform/postgres/sql.ts';
import { weaknessesOfSettings } from '../server/weaknesses.ts';
import { applyProvisioningText } from './apply-file.ts';
import { exitCodes } from './command-line.ts';
import { demoBanner, demoProvisioning } from './demo-account.ts';
import { demoCredentials, writeDemoCredentials } from './demo-credentials.ts';
import { readInputText } from './input-file.ts';
import type { ProcessStart } from './process-messages.ts';
import { appliedAnswer, formatApplied } from './provisioning-report.ts';
import { endOnSurprise, explainListenError, leaveRoot, type OwnPort, portsOf, runProcess } from './run-process.ts';
import { makeSupervisor, type Supervisor } from './supervisor.ts';

export interface ServeOptions {
  apply?: string;
  /** Whether an empty database gets a demo account. Its credentials are printed, which may end up in a log. */
  demo: boolean;
  migrate: boolean;
  role: 'api' | 'worker' | 'both';
  json?: boolean;
}

const stopDeadlineSeconds = 30;
/** Longer than the deadline of the processes, so they have ended before. */
const supervisorDeadlineSeconds = stopDeadlineSeconds + 5;
const sameMomentMs = 500;

/** Runs the service until a signal stops it. */
export async function serve(config: Config, options: ServeOptions): Promise<void> {
  const isAlone = config.processes === 1 || options.role === 'worker';
  const { log, sumUp } = makeServiceLog(config.logLevel, isAlone ? undefined : process.pid);
  endOnSurprise(log);
  try {
    const provisioningText = options.apply === undefined ? null : readInputText(options.apply);
    for (const own of portsOf(config)) await refuseTakenPort(own);
    const node = { config, options, log };
    await (isAlone ? serveAlone(node, provisioningText) : serveBySeveral(node, provisioningText));
    log.info('stopped');
  } finally {
    sumUp();
    await flushLog(log);
  }
}

interface ServedNode {
  config: Config;
  options: ServeOptions;
  log: Log;
}

async function serveAlone(node: ServedNode, provisioningText: string | null): Promise<void> {
  const { config, options, log } = node;
  const stop = stopSignal(config.drainSeconds + stopDeadlineSeconds, {
    onHangUp: () => log.warn('SIGHUP restarts the processes of a node with PROCESSES above 1; this node has one'),
  });
  await withStore(node, provisioningText, async (store, config) => {
    const { target, dataDir, database, keyring } = store;
    const running = await runProcess({ config, role: options.role, target, dataDir, database, keyring, log });
    if (runsAsRoot()) await leaveRoot(running.app, await store.prepareToLeaveRoot(), log);
    announce((running.app.http.server.address() as AddressInfo).port, node);

    await stop;
    log.info('stopping');
    await running.stop();
  });
}

/** This process opens the database and starts the others, which serve. It serves nothing itself. */
async function serveBySeveral(node: ServedNode, provisioningText: string | null): Promise<void> {
  const { config, log } = node;
  let supervisor: Supervisor | null = null;
  let onHangUp = () => {};
  const stop = stopSignal(config.drainSeconds + supervisorDeadlineSeconds, {
    onHangUp: () => onHangUp(),
    onForced: () => supervisor?.kill(),
  });
  await withStore(node, provisioningText, async (store, config) => {
    const user = runsAsRoot() ? await store.prepareToLeaveRoot() : null;
    await store.database.close();
    let current: NodeSecrets = { ...store, config };
    supervisor = makeSupervisor(config.processes, (index) => partsOf(index, node, current, user), log);
    const port = await supervisor.start();
    onHangUp = async () => {
      log.info('SIGHUP: restarting the processes of this node one by one');
      current = (await readSecretsAgain(node)) ?? current;
      await supervisor!.restart();
    };
    if (user !== null) await superviseAsUser(user, log);
    announce(port, node);

    await Promise.race([stop, supervisor.failed]).finally(async () => {
      log.info('stopping');
      await supervisor!.stop();
    });
  });
}

/** The settings that come from files of secrets. */
type NodeSecrets = Pick<Store, 'masterKey' | 'retiredKeys' | 'target' | 'dataDir'> & { config: Config };

/** The first process has the role of the node, and with it the background work. */
function partsOf(
  index: number,
  { options }: ServedNode,
  { config, masterKey, retiredKeys, target, dataDir }: NodeSecrets,
  user: DatabaseUser | null,
): Omit<ProcessStart, 'counts'> {
  return {
    config: { ...config, masterKey, databasePool: partOfPool(config, index) },
    retiredKeys,
    role: index === 0 ? options.role : 'api',
    target,
    dataDir,
    user: runsAsRoot() ? user : null,
  };
}

/** Each process has an equal part; the first ones share the rest. */
function partOfPool({ databasePool, processes }: Config, index: number): number {
  return Math.floor(databasePool / processes) + (index < databasePool % processes ? 1 : 0);
}

/**
 * The environment of a process never changes, but the files of secrets may. Returns null, with the reason in the log, if
 * they are not usable: the node goes on with those that it has.
 */
async function readSecretsAgain({ config: before, options, log }: ServedNode): Promise<NodeSecrets | null> {
  const reading = readConfig();
  if (reading.kind === 'mistakes') {
    log.warn({ mistakes: reading.mistakes }, 'the settings cannot be read again; the previous ones stay in use');
    return null;
  }
  // Only a start of the embedded database reads its login and checks its key.
  if (before.databaseUrl === null) {
    if (!isDeepStrictEqual(keysOf(before), keysOf(reading.config)))
      log.warn('with the embedded PostgreSQL, a changed master key is used only after the whole node is started again');
    return null;
  }
  try {
    const store = await openStore(reading.config, {
      migrations: 'refuse',
      deadlineSeconds: operationDeadlineSeconds,
      role: options.role,
      onProgress: (line) => log.info(line),
    });
    await store.close();
    const accountLanes = lanesFor(store, reading.config, log);
    return { ...store, config: { ...reading.config, accountLanes } };
  } catch (error) {
    log.warn({ error: (error as Error).message }, 'the new settings do not work; the previous ones stay in use');
    return null;
  }
}

const keysOf = ({ masterKey, masterKeysPrevious }: Config) => [masterKey, ...masterKeysPrevious];

/** The supervisor keeps root only where new processes could not read the program without it. */
async function superviseAsUser(user: DatabaseUser, log: Log): Promise<void> {
  if (mayReadProgram(user)) return await leaveRoot(null, user, log);
  log.warn(
    `the supervising process stays root, because ${user.name} cannot read the program; the others run as ${user.name}`,
  );
}

async function withStore(
  node: ServedNode,
  provisioningText: string | null,
  work: (store: Store, config: Config) => Promise<void>,
): Promise<void> {
  const { config, options, log } = node;
  const store = await openStore(config, {
    migrations: options.migrate ? 'apply' : 'refuse',
    deadlineSeconds: operationDeadlineSeconds,
    role: options.role,
    decidesArchive: true,
    onProgress: (line) => log.info(line),
  });
  try {
    warnOfWeaknesses(store, node);
    const accountLanes = lanesFor(store, config, log);
    await provision(store, provisioningText, config, options);
    if (await isDemoOnly(store.database, config))
      log.info('callbacks may go to this machine (127.0.0.1, localhost) while the demo account is the only one');
    if (store.dataDir !== null && (await store.database.read(noAccounts, productionAccountIds)).length > 0)
      log.info('production accounts use the embedded PostgreSQL; docs/embedded-postgresql.md recommends DATABASE_URL');
    await work(store, { ...config, accountLanes, masterKey: store.masterKey });
  } finally {
    await store.close();
  }
}

/** The system page of the console shows them too. */
function warnOfWeaknesses({ weakness }: Store, { config, options, log }: ServedNode): void {
  const ofSettings = options.role === 'worker' ? [] : weaknessesOfSettings(config);
  for (const one of [...(weakness === null ? [] : [weakness]), ...ofSettings]) log.warn(formatMessage(one));
}

/** On Citus, two accounts may be on two servers. Each transaction therefore has one account. */
function lanesFor({ unplacedTables }: Store, { accountLanes }: Config, log: Log): Config['accountLanes'] {
  if (unplacedTables === null) return accountLanes;
  if (unplacedTables.length > 0)
    throw new CannotRun(`some tables are not distributed yet (${unplacedTables.join(', ')}); run "lading distribute"`);
  if (accountLanes !== null) return accountLanes;
  log.info(`the database is distributed: ACCOUNT_LANES is ${lanesWhenDistributed} unless you set it`);
  return lanesWhenDistributed;
}

const lanesWhenDistributed = 4;

/**
 * The first signal stops the service gracefully; a second one, or a stop that hangs, ends it immediately. Ctrl-C
 * arrives twice at the same time: from the terminal and from npm, which forwards it. SIGHUP stops a service that was
 * started in a terminal, because the terminal is closed then.
 */
function stopSignal(
  deadlineSeconds: number,
  { onHangUp, onForced = () => {} }: { onHangUp(): void; onForced?(): void },
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let askedAtMs: number | null = null;
  const end = () => {
    onForced();
    process.exit(exitCodes.refused);
  };
  const stop = () => {
    if (askedAtMs !== null && performance.now() - askedAtMs > sameMomentMs) end();
    if (askedAtMs !== null) return;
    askedAtMs = performance.now();
    setTimeout(end, deadlineSeconds * 1000).unref();
    resolve();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  process.on('SIGHUP', process.stdin.isTTY ? stop : onHangUp);
  return promise;
}

/**
 * Applies the file or, if there is neither a file nor an account, creates the demo account. The result is printed
 * immediately: if the start failed afterwards, the generated secrets would otherwise be lost.
 */
async function provision(
  store: Store,
  text: string | null,
  config: Config,
  { apply, demo, json }: ServeOptions,
): Promise<void> {
  if (text === null && !demo) return;
  const database = openDatabase(store.target, { max: 1, deadlineSeconds: null, record: store.record });
  const patient = { database, keyring: store.keyring };
  try {
    const outcome =
      text === null
        ? await applyProvisioning(database, store.keyring, demoProvisioning, {
            actor: 'first start',
            onlyIfEmpty: true,
          })
        : await applyProvisioningText(patient, text, { path: apply!, actor: 'serve --apply', config });
    if (outcome.kind !== 'applied') return;
    const credentials = text === null ? demoCredentials(outcome.issued) : null;
    const file = credentials && store.dataDir !== null ? writeDemoCredentials(store.dataDir, credentials) : null;
    if (json) printJson(appliedAnswer(outcome));
    else process.stdout.write(credentials ? demoBanner(credentials, file, config) : formatApplied(outcome));
  } finally {
    await database.close();
  }
}

function printJson(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/**
 * Runs before a first start creates the database and the credentials, because a failed start would leave both behind.
 */
async function refuseTakenPort(own: OwnPort): Promise<void> {
  const probe = createServer();
  try {
    probe.listen({ host: own.host, port: own.port });
    await once(probe, 'listening');
    probe.close();
    await once(probe, 'close');
  } catch (error) {
    throw explainListenError(error as NodeJS.ErrnoException, own);
  }
}

function announce(port: number, { config, options }: ServedNode): void {
  const url = config.port === 0 ? config.publicUrl.replace(/:0$/, `:${port}`) : config.publicUrl;
  if (options.json) printJson({ ready: url });
  else process.stdout.write(process.stdout.isTTY ? readyBox(url) : `Lading is ready at ${url}\n`);
}

/** The addresses that a person needs next. */
function readyBox(url: string): string {
  const lines = [
    `Lading is ready at ${url}`,
    '',
    `console   ${url}/console`,
    `docs      ${url}/docs`,
    `health    ${url}/health/ready`,
    '',
    'Ctrl-C stops it.',
  ];
  const width = Math.max(...lines.map((line) => line.length));
  const edge = '─'.repeat(width + 2);
  return `\n╭${edge}╮\n${lines.map((line) => `│ ${line.padEnd(width)} │\n`).join('')}╰${edge}╯\n\n`;
}
