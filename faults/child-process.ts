import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LadingError, MainClient, WarehouseClient } from '../sdk/client.ts';
import { type Permission, permissions } from '../server/domain/partners/provisioning.ts';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The service as users run it: a separate process with its own embedded PostgreSQL. */
export interface Service {
  url: string;
  process: ChildProcess;
  output: { text: string };
}

export const faultAccount = {
  accountNo: 'FAULTS',
  secret: 'the-secret-of-the-faults-account',
  tenant: 'T',
  warehouseNo: 1,
};
export const faultClient = { clientId: 'faults', checkValue: 'the-check-value-of-the-faults-client' };
export const faultKey = {
  apiKey: 'the-key-of-the-faults-of-thirty-two-characters-or-more',
  callbackSecret: `whsec_${Buffer.alloc(24, 'faults').toString('base64')}`,
};

/** In production, orders are shipped and nothing is purged. */
export type FaultEnvironment = 'uat' | 'production';

/** No more than the load needs: an older version must know every name in the file. */
const loadPermissions: Permission[] = [
  'stocks.read',
  'products.read',
  'orders.read',
  'orders.write',
  'inbounds.read',
  'inbounds.write',
  'fulfilment.write',
  'callbacks.read',
  'callbacks.write',
];

function faultProvisioning(environment: FaultEnvironment) {
  const { accountNo: account_no, secret, tenant, warehouseNo: warehouse_no } = faultAccount;
  const place = { warehouse_no, store_no: 1, receiving: 'on_create' };
  return {
    warehouses: [{ warehouse_no }],
    stores: [{ store_no: 1 }],
    accounts: [{ account_no, environment, secret, tenants: [{ warehouse_tpw_id: tenant, ...place }] }],
    clients: [
      {
        client_id: faultClient.clientId,
        check_value: faultClient.checkValue,
        account_no,
        permissions: loadPermissions,
      },
    ],
    logistics_keys: [
      {
        name: 'faults',
        key: faultKey.apiKey,
        account_no,
        ...place,
        callback_secret: faultKey.callbackSecret,
      },
    ],
  };
}

export function startService(options: ProgramOptions & { apply: string }): Service {
  return startProgram(['cli/serve.ts', '--apply', options.apply], options);
}

interface ProgramOptions {
  dataDir: string;
  port: number;
  env?: Record<string, string>;
  /** The folder of the program; another version has another folder. */
  tree?: string;
}

/** Starts another program with the settings of a service. */
export function startProgram(args: string[], options: ProgramOptions): Service {
  const tree = options.tree ?? root;
  const env = environmentWith({ DATA_DIR: options.dataDir, PORT: String(options.port), ...options.env });
  const child = spawn(join(tree, 'bin/node'), args, {
    cwd: tree,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  begun.processes.add(child);
  child.once('exit', () => begun.processes.delete(child));
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream!.setEncoding('utf8').on('data', (text: string) => {
      output.text = (output.text + text).slice(-20_000);
    });
  }
  return { url: `http://127.0.0.1:${options.port}`, process: child, output };
}

/** The settings of a program, and little else of this machine; NODE_OPTIONS may redirect it to another PostgreSQL. */
export function environmentWith(settings: Record<string, string>): Record<string, string> {
  const { PATH = '', HOME = '/', NODE_OPTIONS = '' } = process.env;
  return { PATH, HOME, ...settings, NODE_OPTIONS: `${NODE_OPTIONS} ${settings.NODE_OPTIONS ?? ''}`.trim() };
}

/** Runs a service with its own data folder during `work`, and removes both afterwards. */
export async function withService<Result>(
  env: Record<string, string>,
  work: (service: Service, dataDir: string) => Promise<Result>,
): Promise<Result> {
  const dataDir = makeDataDir();
  const service = startService({ dataDir, port: await freePort(), apply: join(dataDir, provisioningFile), env });
  try {
    await waitUntilReady(service, 60);
    return await work(service, dataDir);
  } finally {
    await stopService(service);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export const provisioningFile = 'provisioning.json';

export function makeDataDir(environment: FaultEnvironment = 'uat', inFolder = tmpdir()): string {
  const dataDir = mkdtempSync(join(inFolder, 'lading-faults-'));
  begun.dataDirs.add(dataDir);
  writeFileSync(join(dataDir, provisioningFile), JSON.stringify(faultProvisioning(environment)));
  return dataDir;
}

/** For faults that call every endpoint of this version. */
export function allowEverything(dataDir: string): void {
  const file = join(dataDir, provisioningFile);
  const provisioning: ReturnType<typeof faultProvisioning> = JSON.parse(readFileSync(file, 'utf8'));
  for (const client of provisioning.clients) client.permissions = [...permissions];
  writeFileSync(file, JSON.stringify(provisioning));
}

const begun = { processes: new Set<ChildProcess>(), dataDirs: new Set<string>(), others: new Set<() => void>() };

/** Registers a cleanup for an interrupted run; returns a function that unregisters it. */
export function onInterrupt(undo: () => void): () => void {
  begun.others.add(undo);
  return () => void begun.others.delete(undo);
}

/**
 * Cleans up after an interruption by a signal or an uncaught error. Not with `once`: a second signal, as
 * sent by terminals and npm, must not interrupt the cleanup.
 */
export function removeWhenBrokenOff(): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: Error) => {
      process.stderr.write(`uncaught error: ${error?.stack ?? error}\n`);
      removeWhatWasBegun();
      process.exit(1);
    });
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      removeWhatWasBegun();
      process.exit(1);
    });
  }
}

/** Removes all processes and folders. */
export function removeWhatWasBegun(): void {
  for (const child of begun.processes) child.kill('SIGKILL');
  for (const dataDir of begun.dataDirs) {
    const postgres = postgresPid(dataDir);
    // It ends immediately together with its processes; after that, nothing writes to the folder.
    for (let tries = 0; postgres && signalled(postgres, 'SIGQUIT') && tries < 50; tries++) pauseMs(100);
    // A running initdb may write for a moment longer.
    for (let tries = 0; !removed(dataDir) && tries < 50; tries++) pauseMs(100);
  }
  for (const undo of begun.others) tryTo(undo);
}

/** Runs all cleanups even if one fails. */
function tryTo(undo: () => void): void {
  try {
    undo();
  } catch (error) {
    process.stderr.write(`could not be undone: ${error}\n`);
  }
}

function removed(folder: string): boolean {
  try {
    rmSync(folder, { recursive: true, force: true });
    // The removal may have stopped silently if another process removed a file at the same time.
    return !existsSync(folder);
  } catch {
    return false;
  }
}

/** false if the folder is gone. */
export function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
}

/** Blocks the process, because nothing else may run in the meantime. */
function pauseMs(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

const readinessAnsweredWithinMs = 5000;

/** The time until the service was ready, in milliseconds. */
export async function waitUntilReady(service: Service, withinSeconds: number, path = '/health/ready'): Promise<number> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < withinSeconds * 1000) {
    if (hasEnded(service))
      throw new Error(
        `the service ended with ${service.process.exitCode ?? service.process.signalCode}:\n${service.output.text}`,
      );
    const ready = await fetch(`${service.url}${path}`, {
      signal: AbortSignal.timeout(readinessAnsweredWithinMs),
    }).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) return performance.now() - startedAt;
    await sleep(20);
  }
  throw new Error(`not ready within ${withinSeconds} s:\n${service.output.text}`);
}

export function hasEnded({ process }: Service): boolean {
  return process.exitCode !== null || process.signalCode !== null;
}

const stopsWithinSeconds = 120;

export async function stopService(service: Service, signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
  if (hasEnded(service)) return;
  const ended = once(service.process, 'exit', { signal: AbortSignal.timeout(stopsWithinSeconds * 1000) });
  service.process.kill(signal);
  await ended.catch(() => {
    service.process.kill('SIGKILL');
    throw new Error(`a process did not end within ${stopsWithinSeconds} s of ${signal}:\n${service.output.text}`);
  });
}

/** The pid of the PostgreSQL in a data folder, from its pid file. */
export function postgresPid(dataDir: string): number | null {
  try {
    return Number(readFileSync(join(dataDir, 'pg', 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
  } catch {
    return null;
  }
}

export function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => parentOf(pid) === parent).map(Number);
}

function parentOf(pid: string): number | null {
  try {
    // The program name is in parentheses and may contain any characters.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[1]);
  } catch {
    return null;
  }
}

/** Without retries, because they would hide the failures that the test looks for. */
const oneTry = { retriesMax: 0, timeoutSeconds: 10 };

export function faultWarehouse({ url }: Pick<Service, 'url'>, timeoutSeconds = oneTry.timeoutSeconds): WarehouseClient {
  const { accountNo, secret } = faultAccount;
  return new WarehouseClient({ ...oneTry, timeoutSeconds, url, accountNo, secret });
}

export function faultMain({ url }: Pick<Service, 'url'>): MainClient {
  return new MainClient({ ...oneTry, url, ...faultClient });
}

/** Returns the HTTP status of the response. */
export async function syncProduct(service: Service, skuId: string): Promise<number> {
  const synced = faultWarehouse(service).productSync({ sku_id: skuId, sku_name: 'Faults', storage_type: 1 });
  return await synced.then(
    () => 200,
    (error) => {
      if (!(error instanceof LadingError) || error.status === null || error.status === 200) throw error;
      return error.status;
    },
  );
}

const portMin = 20_000;
const portMax = 32_000;

/** A port outside the ephemeral range, because an outgoing connection could take it while the service is down. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = portMin + Math.floor(Math.random() * (portMax - portMin));
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.close();
    if (isFree) return port;
  }
}
