import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type ConnectionOptions, serviceRole, type TestStore } from './database.ts';

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Saved when this file is loaded, because run-here.ts temporarily replaces the environment. */
const { NODE_OPTIONS = '' } = process.env;
const launcher = fileURLToPath(new URL('../../bin/lading', import.meta.url));

type StoreOfCommand = Pick<TestStore, 'connection' | 'masterKey'>;

/** The settings that connect a command to the database of a test, with the login of the service. */
export function settingsFor({ connection, masterKey }: StoreOfCommand): Record<string, string> {
  const url = urlOf({ ...connection, username: serviceRole });
  return { DATABASE_URL: url, MASTER_KEY: masterKey.toString('base64') };
}

/** The same for a command that migrates, which needs the login of the owner too. */
export function migratingSettingsFor(store: StoreOfCommand): Record<string, string> {
  return { ...settingsFor(store), DATABASE_OWNER_URL: urlOf(store.connection) };
}

function urlOf({ username, password, host, port, database }: ConnectionOptions): string {
  return `postgres://${username}:${encodeURIComponent(password)}@${encodeURIComponent(host)}:${port}/${database}`;
}

/** Runs `lading ...` until it ends. */
export async function runLading(args: string[], env: Record<string, string>, input = ''): Promise<CommandResult> {
  const child = startLading(args, env);
  const output = { stdout: '', stderr: '' };
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  child.stdin!.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

/**
 * Passes only the given settings and the variables for the OpenAPI check, not the rest of the machine's environment.
 */
export function startLading(args: string[], env: Record<string, string>): ChildProcess {
  const own = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/', NODE_OPTIONS };
  return spawn(launcher, args, { env: { ...own, ...env }, stdio: 'pipe' });
}
