import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, Option } from 'commander';
import { type App, buildApp } from './app.ts';
import { configOrFail, exitCodes, exitCodesHelp, Failure, makeCommand, runCommandLine, settingsHelp } from './command-line.ts';
import type { Config } from './config.ts';
import { demoBanner, demoProvisioning } from './demo-account.ts';
import { type ApplyOutcome, applyProvisioning } from './domain/partners/apply-provisioning.ts';
import { readProvisioning } from './domain/partners/read-provisioning.ts';
import { startWorker } from './jobs/worker.ts';
import { openStore, type Store } from './open-store.ts';
import { systemClock } from './platform/clock.ts';
import { describeError, type Log, makeLog } from './platform/log.ts';
import { wordApplied } from './provisioning-report.ts';

interface ServeOptions {
  apply?: string;
  migrate: boolean;
  role: 'api' | 'worker' | 'both';
  json?: boolean;
}

/** Every answer of the database within this time, or a 503: the contract promises 5 s. */
const databaseDeadlineSeconds = 4.5;
const stopDeadlineSeconds = 30;

export function serveCommand(): Command {
  return makeCommand('serve')
    .description('run the service')
    .option('--apply <file>', 'apply a provisioning file (JSON or YAML) first')
    .option('--no-migrate', 'refuse to start when the database lacks migrations, instead of applying them')
    .addOption(new Option('--role <role>', 'what this node does').choices(['api', 'worker', 'both']).default('both'))
    .addHelpText('after', settingsHelp())
    .addHelpText('after', exitCodesHelp)
    .action((options: ServeOptions) => serve(configOrFail(), options));
}

async function serve(config: Config, options: ServeOptions): Promise<void> {
  const log = makeLog(config.logLevel);
  const provisioningText = options.apply === undefined ? null : readFileOrFail(options.apply);
  const stop = stopSignal();
  endOnSurprise(log);
  const store = await openStore(config, {
    migrations: options.migrate ? 'apply' : 'refuse',
    deadlineSeconds: databaseDeadlineSeconds,
    onProgress: (line) => log.info(line),
  });
  try {
    const firstWords = await provision(store, provisioningText, config, options);
    const app = await buildApp({ config, ...store, clock: systemClock, log, contracts: options.role !== 'worker' });
    await listen(app, config);
    const worker = options.role === 'api' ? null : startWorker({ ...store, config, clock: systemClock, log, metrics: app.metrics });
    announce(config, options, firstWords);

    await stop;
    log.info('stopping');
    app.startDraining();
    await sleep(config.drainSeconds * 1000);
    await Promise.all([app.close(), worker?.close()]);
  } finally {
    await store.close();
    log.info('stopped');
  }
}

/** The first signal stops the service in order; a second one, or a stop that hangs, ends it at once. */
function stopSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let asked = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (asked) process.exit(exitCodes.refused);
      asked = true;
      setTimeout(() => process.exit(exitCodes.refused), stopDeadlineSeconds * 1000).unref();
      resolve();
    });
  }
  return promise;
}

/** Whatever state a surprise leaves behind is not to be trusted; a new process starts from what is committed. */
function endOnSurprise(log: Log): void {
  for (const surprise of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(surprise, (error: unknown) => {
      log.fatal(describeError(error), surprise);
      process.exit(exitCodes.cannotRun);
    });
  }
}

function readFileOrFail(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Failure(exitCodes.wrongUsage, `${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Applies the file, or, where there is neither file nor account, makes the demo account. Returns what to tell the operator. */
async function provision(store: Store, text: string | null, config: Config, { apply }: ServeOptions): Promise<string> {
  if (text === null) {
    const outcome = await applyProvisioning(store.database, store.keyring, demoProvisioning, { actor: 'first start', onlyIfEmpty: true });
    return outcome.kind === 'applied' ? demoBanner(outcome.issued, config) : '';
  }
  return wordApplied(await applyProvisioningText(store, text, apply!, 'serve --apply'));
}

/** For `serve --apply` and for `apply`: the same file, the same words. */
export async function applyProvisioningText(
  store: Store,
  text: string,
  path: string,
  actor: string,
): Promise<Extract<ApplyOutcome, { kind: 'applied' }>> {
  const reading = readProvisioning(text);
  if (reading.kind === 'mistakes') throw new Failure(exitCodes.refused, `${path} has mistakes; nothing was changed:`, reading.mistakes);
  const outcome = await applyProvisioning(store.database, store.keyring, reading.provisioning, { actor: `${actor} (${userName()})` });
  if (outcome.kind === 'applied') return outcome;
  const mistakes = outcome.kind === 'refused' ? outcome.mistakes.map(reading.place) : [];
  throw new Failure(exitCodes.refused, `${path} has mistakes; nothing was changed:`, mistakes);
}

export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}

async function listen(app: App, config: Config): Promise<void> {
  try {
    await app.http.listen({ host: config.host, port: config.port, backlog: 2048 });
  } catch (error) {
    await app.close();
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new Failure(exitCodes.cannotRun, `port ${config.port} on ${config.host} is taken by another program; set PORT to a free one`);
    }
    if (code === 'EACCES')
      throw new Failure(exitCodes.cannotRun, `port ${config.port} may not be used by this user; set PORT to one above 1023`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new Failure(exitCodes.cannotRun, `${config.host} is not an address of this machine; set HOST`);
    }
    throw error;
  }
}

function announce(config: Config, { json }: ServeOptions, firstWords: string): void {
  if (json) process.stdout.write(`${JSON.stringify({ ready: config.publicUrl })}\n`);
  else process.stdout.write(`${firstWords}Lading is ready at ${config.publicUrl}\n`);
}

if (import.meta.main) await runCommandLine(serveCommand(), process.argv.slice(2));
