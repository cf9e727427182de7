import { createHash } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import { signRequest } from '../sdk/client.ts';
import { otherKind } from '../server/api/mistaken-secret.ts';
import { configOrFail, exitCodes, Failure, makeCommand } from '../server/command-line.ts';
import { openSecret } from '../server/domain/partners/secret.ts';
import { validSecrets } from '../server/domain/partners/secret-queries.ts';
import { readInputBytes, readSecretFile } from '../server/input-file.ts';
import { openStore } from '../server/open-store.ts';
import { printAnswer } from './store-command.ts';

interface SigningOptions {
  account: string;
  secretFile?: string;
}

interface SignOptions extends SigningOptions {
  timestamp?: number;
  curl?: string;
  explain?: true;
}

export const bodyHelp = 'the body: JSON text, @FILE, or - for standard input';
export const secretFileHelp = "file with the account's secret (default: taken from the local database)";

/** `lading sign BODY`: the three headers for exactly these bytes. */
export function signCommand() {
  return makeCommand('sign')
    .description('print the headers that sign a warehouse request')
    .argument('<body>', bodyHelp)
    .requiredOption('--account <account_no>', 'who signs')
    .option('--secret-file <file>', secretFileHelp)
    .option('--timestamp <seconds>', 'sign for this Unix time instead of now, to compare with another signature', parseTimestamp)
    .option('--curl <url>', 'print a curl command that sends it to this URL')
    .option('--explain', 'tell also what was signed (and nothing of the secret)')
    .action(async (argument: string, options: SignOptions, command: Command) => {
      const body = bodyBytes(argument);
      const { timestamp } = options;
      const secret = await secretOf(options);
      const headers = signRequest({ accountNo: options.account, secret, body, ...(timestamp === undefined ? {} : { timestamp }) });
      const curl = options.curl === undefined ? null : curlCommand(options.curl, headers, argument, body);
      const explained = options.explain ? explain(body, headers) : null;
      const words = [curl ?? wordHeaders(headers), ...(explained ? ['', wordExplained(explained)] : [])];
      printAnswer(
        { json: { ...headers, ...(curl ? { curl } : {}), ...(explained ? { explained } : {}) }, words: words.join('\n') },
        command,
      );
    });
}

function parseTimestamp(given: string): number {
  if (!/^\d{10}$/.test(given)) throw new InvalidArgumentError('It must be Unix time in seconds, 10 digits.');
  return Number(given);
}

/** The bytes as they are: a signature is over them and nothing else. */
export function bodyBytes(argument: string): Buffer {
  if (argument === '-') return readInputBytes('-', 'the body');
  return argument.startsWith('@') ? readInputBytes(argument.slice(1), 'the body') : Buffer.from(argument);
}

export async function secretOf({ account, secretFile }: SigningOptions): Promise<string> {
  if (secretFile !== undefined) return warned(readSecretFile(secretFile), secretFile);
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

/** It may be meant so; but a signature with it will hardly be taken. */
function warned(secret: string, file: string): string {
  const other = otherKind(secret, 'account_secret');
  if (/^(["']).*\1$/s.test(secret)) process.stderr.write(`lading: in ${file} there are quotes around the secret\n`);
  if (other !== null) process.stderr.write(`lading: ${file} holds what looks like ${other}\n`);
  return secret;
}

export function wordHeaders(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function curlCommand(url: string, headers: Record<string, string>, argument: string, body: Buffer): string {
  if (!URL.canParse(url))
    throw new Failure(exitCodes.wrongUsage, `--curl ${url} is not a URL such as http://127.0.0.1:8080/warehouse/v1/product/sync`);
  const all = { 'content-type': 'application/json', ...headers };
  // --data-raw takes the text to the letter; -d would read a file for text that begins with @, and would strip line breaks of a file.
  const data = argument.startsWith('@') ? `--data-binary ${quoted(argument)}` : `--data-raw ${quoted(body.toString('utf8'))}`;
  return [`curl ${quoted(url)}`, ...Object.entries(all).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`), data].join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

interface Explained {
  body_bytes: number;
  body_sha256: string;
  body_ends_with_line_break: boolean;
  timestamp: string;
  message_bytes: number;
}

function explain(body: Buffer, { timestamp }: { timestamp: string }): Explained {
  return {
    body_bytes: body.length,
    body_sha256: createHash('sha256').update(body).digest('hex'),
    body_ends_with_line_break: body.at(-1) === 0x0a,
    timestamp,
    message_bytes: body.length + timestamp.length,
  };
}

function wordExplained({ body_bytes, body_sha256, body_ends_with_line_break, timestamp, message_bytes }: Explained): string {
  const ending = body_ends_with_line_break ? '; it ends with a line break, which is signed and must be sent too' : '';
  return [
    `sign is the lowercase hex of HMAC-SHA256, keyed with the secret, over ${message_bytes} bytes:`,
    `  the body, ${body_bytes} bytes, SHA-256 ${body_sha256}${ending}`,
    `  directly followed by the timestamp, ${timestamp.length} bytes: ${timestamp}`,
  ].join('\n');
}
