import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Command, InvalidArgumentError } from 'commander';
import { CallbackError, type CallbackRefusal, RecentEvents, verifyCallback } from '../sdk/client.ts';
import { configOrFail, exitCodes, Failure, makeCommand } from './command-line.ts';
import { readDemoCredentials } from './demo-credentials.ts';
import { formatTime } from './look.ts';
import { secretFrom } from './partner-command.ts';

interface ListenOptions {
  port?: number;
  secretFile?: string;
  answer?: number;
  json?: boolean;
}

const portDefault = 9090;
const bodyBytesMax = 4 * 1024 * 1024;

/** `lading callbacks listen`: a receiver for testing that checks each signature and prints each callback. */
export function listenCommand(): Command {
  return makeCommand('listen')
    .description('receive callbacks on this machine, check their signatures and print them')
    .option('--port <port>', `port to listen on, at 127.0.0.1 (default: ${portDefault})`, between(0, 65_535))
    .option(
      '--secret-file <file>',
      'file with callback secrets (whsec_...), one per line; without it, that of the demo account, or signatures are not checked',
    )
    .option('--answer <status>', 'response status, to test retries (default: 200)', between(200, 599))
    .action(async (_options: ListenOptions, command: Command) => {
      const options = command.optsWithGlobals<ListenOptions>();
      const demo = options.secretFile === undefined ? readDemoCredentials(configOrFail()) : null;
      await listen(options, demo ? [demo.LADING_CALLBACK_SECRET] : secretsOf(options), demo?.LADING_ACCOUNT_NO ?? null);
    });
}

function between(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`must be a whole number between ${min} and ${max}.`);
  };
}

function secretsOf({ secretFile }: ListenOptions): string[] {
  const secrets = secretFrom(secretFile)?.split(/\s+/).filter(Boolean) ?? [];
  if (secrets.some((secret) => !/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret))) {
    throw new Failure(
      exitCodes.wrongUsage,
      'the file does not contain valid callback secrets: each is whsec_ followed by base64',
    );
  }
  return secrets;
}

async function listen(
  { port = portDefault, answer = 200, json = false }: ListenOptions,
  secrets: string[],
  demoAccount: string | null,
): Promise<void> {
  const receiving: Receiving = { secrets, json, times: new Map(), seen: new RecentEvents() };
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      // Respond immediately; the sender does not need to wait for the processing.
      response
        .writeHead(body === null ? 413 : answer, { 'content-type': 'application/json' })
        .end('{"received":true}\n');
      if (body !== null) process.stdout.write(formatReceived(request, body, receiving));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new Failure(exitCodes.cannotRun, `cannot listen on port ${port} (${error.code}); choose another with --port`),
      ),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  if (json) process.stdout.write(`${JSON.stringify({ listening: url })}\n`);
  else process.stdout.write(introductionOf(url, secrets, demoAccount));
  await stopSignal();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

function introductionOf(url: string, secrets: string[], demoAccount: string | null): string {
  const checks =
    secrets.length === 0
      ? 'Signatures are not checked: pass the callback secret with --secret-file.'
      : `Signatures are checked with the callback secret of ${demoAccount === null ? 'the file' : 'the demo account'}.`;
  const account = demoAccount ?? 'ACCOUNT_NO';
  return `Listening at ${url} until you press Ctrl-C. ${checks}

Use this URL as callback_url, or send a test callback from another terminal:

  npx lading callbacks test ${account} --event order.shipped --url ${url}

Your own service sends callbacks to this machine while the demo account is the only
account; otherwise start it with CALLBACK_ALLOW_CIDRS=127.0.0.0/8.
`;
}

/** Returns null if the body is larger than any legitimate callback. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request) {
      bytes += (chunk as Buffer).length;
      if (bytes > bodyBytesMax) return null;
      chunks.push(chunk as Buffer);
    }
  } catch {
    return null;
  }
  return Buffer.concat(chunks);
}

interface Receiving {
  secrets: string[];
  json: boolean;
  /** How often each event has arrived, with or without a valid signature. */
  times: Map<string, number>;
  /** Events with a valid signature. */
  seen: RecentEvents;
}

function formatReceived(
  { headers, url }: IncomingMessage,
  body: Buffer,
  { secrets, json, times: timesOf, seen }: Receiving,
): string {
  const eventId = String(headers['webhook-id'] ?? '');
  const times = (timesOf.get(eventId) ?? 0) + 1;
  timesOf.set(eventId, times);
  const { signature, text, duplicate } =
    secrets.length === 0 ? { ...notChecked, duplicate: times > 1 } : check({ headers, body }, secrets, seen);
  const content = parsed(body.toString('utf8'));
  if (json) return `${JSON.stringify({ path: url, signature, times, duplicate, body: content })}\n`;
  const { event = 'not a callback', document_no = '-' } = Object(content) as Record<string, string>;
  const again = duplicate ? `, received ${times} times: a duplicate that can be ignored` : '';
  return `\n${formatTime(new Date())}  ${event}  ${document_no}\n  signature: ${text}${again}\n${JSON.stringify(content, null, 2).replace(/^/gm, '  ')}\n`;
}

interface Finding {
  signature: 'valid' | 'not_checked' | CallbackRefusal;
  text: string;
  /** The same event arrived before. Only callbacks with a valid signature count as duplicates. */
  duplicate: boolean;
}

const notChecked = { signature: 'not_checked', text: 'not checked' } as const;

function check(
  received: { headers: IncomingMessage['headers']; body: Buffer },
  secrets: string[],
  seen: RecentEvents,
): Finding {
  try {
    const { event_id, duplicate } = verifyCallback(received, { secrets, seen });
    seen.add(event_id);
    return { signature: 'valid', text: 'valid', duplicate };
  } catch (error) {
    if (!(error instanceof CallbackError)) throw error;
    return { signature: error.reason, text: `NOT VALID: ${error.message}`, duplicate: false };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
