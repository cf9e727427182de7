import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { signatureOf } from '../server/api/warehouse/signature.ts';
import { configOrFail, exitCodes, Failure, makeCommand } from '../server/command-line.ts';
import { openSecret } from '../server/domain/partners/secret.ts';
import { validSecrets } from '../server/domain/partners/secret-queries.ts';
import { openStore } from '../server/open-store.ts';
import { printAnswer } from './store-command.ts';

export interface SigningOptions {
  account: string;
  secretFile?: string;
}

/** `lading sign BODY`: the three headers for exactly these bytes. */
export function signCommand() {
  return withSigningOptions(makeCommand('sign').description('print the headers that sign a warehouse request'))
    .argument('<body>', 'the body: JSON text, @FILE, or - for standard input')
    .action(async (body: string, options: SigningOptions, command: Command) => {
      const headers = signedHeaders(options.account, await secretOf(options), bodyBytes(body));
      const words = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      printAnswer({ json: headers, words: words.join('\n') }, command);
    });
}

export function withSigningOptions(command: Command): Command {
  return command
    .requiredOption('--account <account_no>', 'who signs')
    .option('--secret-file <file>', "file with the account's secret (default: taken from the local database)");
}

/** The bytes as they are: a signature is over them and nothing else. */
export function bodyBytes(argument: string): Buffer {
  try {
    if (argument === '-') return readFileSync(0);
    return argument.startsWith('@') ? readFileSync(argument.slice(1)) : Buffer.from(argument);
  } catch (error) {
    throw new Failure(exitCodes.wrongUsage, `the body cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

export function signedHeaders(accountNo: string, secret: string, body: Buffer): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  return { 'account-no': accountNo, timestamp, sign: signatureOf(secret, body, timestamp).toString('hex') };
}

export async function secretOf({ account, secretFile }: SigningOptions): Promise<string> {
  if (secretFile !== undefined) return bodyBytes(`@${secretFile}`).toString('utf8').trim();
  const store = await openStore(configOrFail(), {
    migrations: 'if_embedded',
    deadlineSeconds: null,
    onProgress: (line) => process.stderr.write(`${line}\n`),
  });
  try {
    const [current] = await store.database.read((sql) => validSecrets(sql, 'account_secret', account));
    if (!current) throw new Failure(exitCodes.refused, `there is no account ${account} here; give --secret-file to sign for one elsewhere`);
    return openSecret(store.keyring, 'account_secret', account, current);
  } finally {
    await store.close();
  }
}
