import { createHash } from 'node:crypto';
import { type Command, InvalidArgumentError } from 'commander';
import { formatMessage } from '../messages/format-message.ts';
import { signRequest } from '../sdk/client.ts';
import { wrongSecretKind } from '../server/api/wrong-secret-kind.ts';
import { openSecret } from '../server/domain/partners/secret.ts';
import { validSecrets } from '../server/domain/partners/secret-queries.ts';
import { openStore } from '../server/open-store.ts';
import { noAccounts } from '../server/platform/postgres/sql.ts';
import { configOrFail, exitCodes, Failure, makeCommand } from './command-line.ts';
import { readInputBytes, readSecretFile } from './input-file.ts';
import { printResult } from './store-command.ts';

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
export const secretFileHelp = "file with the account's secret (default: read from the local database)";

/** `lading sign BODY`: prints the three headers that sign exactly these bytes. */
export function signCommand() {
  return makeCommand('sign')
    .description('print the headers that sign a warehouse request')
    .argument('<body>', bodyHelp)
    .requiredOption('--account <account_no>', 'the account that signs')
    .option('--secret-file <file>', secretFileHelp)
    .option(
      '--timestamp <seconds>',
      'use this Unix time instead of now, to compare with another signature',
      parseTimestamp,
    )
    .option('--curl <url>', 'print a curl command that sends it to this URL')
    .option('--explain', 'also describe the signed bytes (without the secret)')
    .action(async (argument: string, options: SignOptions, command: Command) => {
      const body = bodyBytes(argument);
      const { timestamp } = options;
      const secret = await secretOf(options);
      const headers = signRequest({
        accountNo: options.account,
        secret,
        body,
        ...(timestamp === undefined ? {} : { timestamp }),
      });
      const curl = options.curl === undefined ? null : curlCommand(options.curl, headers, argument, body);
      const explained = options.explain ? explain(body, headers) : null;
      const text = [curl ?? formatHeaders(headers), ...(explained ? ['', formatExplained(explained)] : [])];
      printResult(
        {
          json: { ...headers, ...(curl ? { curl } : {}), ...(explained ? { explained } : {}) },
          text: text.join('\n'),
        },
        command,
      );
    });
}

function parseTimestamp(given: string): number {
  if (!/^\d{10}$/.test(given)) throw new InvalidArgumentError('It must be Unix time in seconds, 10 digits.');
  return Number(given);
}

/** Returns the unmodified bytes, because the signature covers exactly these. */
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
    const [current] = await store.database.read(noAccounts, (sql) => validSecrets(sql, 'account_secret', account));
    if (!current)
      throw new Failure(
        exitCodes.refused,
        `there is no account ${account} in this database; use --secret-file to sign for an account of another service`,
      );
    return openSecret(store.keyring, 'account_secret', account, current);
  } finally {
    await store.close();
  }
}

/** Warns about a suspicious secret instead of failing, because it may be intended. */
function warned(secret: string, file: string): string {
  const other = wrongSecretKind(secret, 'account_secret');
  if (/^(["']).*\1$/s.test(secret)) process.stderr.write(`lading: the secret in ${file} is enclosed in quotes\n`);
  if (other !== null)
    process.stderr.write(
      `lading: the content of ${file} looks like ${formatMessage(other.given)}, not ${formatMessage(other.wanted)}\n`,
    );
  return secret;
}

export function formatHeaders(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function curlCommand(url: string, headers: Record<string, string>, argument: string, body: Buffer): string {
  if (!URL.canParse(url))
    throw new Failure(
      exitCodes.wrongUsage,
      `--curl ${url} is not a URL such as http://127.0.0.1:8080/warehouse/v1/product/sync`,
    );
  const all = { 'content-type': 'application/json', ...headers };
  // --data-raw sends the text unchanged; -d would read a file for text that starts with @, and strip its line breaks.
  const data = argument.startsWith('@')
    ? `--data-binary ${quoted(argument)}`
    : `--data-raw ${quoted(body.toString('utf8'))}`;
  return [
    `curl ${quoted(url)}`,
    ...Object.entries(all).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    data,
  ].join(' \\\n  ');
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

function formatExplained({
  body_bytes,
  body_sha256,
  body_ends_with_line_break,
  timestamp,
  message_bytes,
}: Explained): string {
  const ending = body_ends_with_line_break ? '; it ends with a line break, which is signed and must be sent too' : '';
  return [
    `sign is the lowercase hex of HMAC-SHA256, keyed with the secret, over ${message_bytes} bytes:`,
    `  the body, ${body_bytes} bytes, SHA-256 ${body_sha256}${ending}`,
    `  directly followed by the timestamp, ${timestamp.length} bytes: ${timestamp}`,
  ].join('\n');
}
