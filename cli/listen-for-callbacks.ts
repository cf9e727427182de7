import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Command, InvalidArgumentError } from 'commander';
import { CallbackError, type CallbackRefusal, RecentEvents, verifyCallback } from '../sdk/client.ts';
import { exitCodes, Failure, makeCommand } from '../server/command-line.ts';
import { secretFrom } from './partner-command.ts';

interface ListenOptions {
  port?: number;
  secretFile?: string;
  answer?: number;
  json?: boolean;
}

const portDefault = 9090;
const bodyBytesMax = 4 * 1024 * 1024;

/** `lading callbacks listen`: a receiver for trying things out; it checks each signature and prints what came. */
export function listenCommand(): Command {
  return makeCommand('listen')
    .description('receive callbacks on this machine, check their signatures and print them')
    .option('--port <port>', `port to listen on, at 127.0.0.1 (default: ${portDefault})`, between(0, 65_535))
    .option('--secret-file <file>', 'file with the callback secret (whsec_...), one a line; without it signatures are not checked')
    .option('--answer <status>', 'what to answer with, to see what happens then (default: 200)', between(200, 599))
    .action(async (_options: ListenOptions, command: Command) => {
      const options = command.optsWithGlobals<ListenOptions>();
      await listen(options, secretsOf(options));
    });
}

function between(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`must be a whole number from ${min} to ${max}.`);
  };
}

function secretsOf({ secretFile }: ListenOptions): string[] {
  const secrets = secretFrom(secretFile)?.split(/\s+/).filter(Boolean) ?? [];
  if (secrets.some((secret) => !/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret))) {
    throw new Failure(exitCodes.wrongUsage, 'the file does not hold callback secrets: each is whsec_ followed by base64');
  }
  return secrets;
}

async function listen({ port = portDefault, answer = 200, json = false }: ListenOptions, secrets: string[]): Promise<void> {
  const receiving: Receiving = { secrets, json, times: new Map(), seen: new RecentEvents() };
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      // At once: what is done with it is not the sender's business.
      response.writeHead(body === null ? 413 : answer, { 'content-type': 'application/json' }).end('{"received":true}\n');
      if (body !== null) process.stdout.write(wordReceived(request, body, receiving));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new Failure(exitCodes.cannotRun, `port ${port} cannot be listened on (${error.code}); give another with --port`)),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  if (json) process.stdout.write(`${JSON.stringify({ listening: url })}\n`);
  else {
    process.stdout.write(
      `Listening at ${url}\nUse it as callback_url. A service of your own calls this machine only with CALLBACK_ALLOW_CIDRS=127.0.0.0/8\n` +
        (secrets.length === 0 ? 'Signatures are not checked: give the callback secret with --secret-file\n' : ''),
    );
  }
  await stopSignal();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** null: more than anybody sends who means well. */
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
  /** How often each event has come, genuine or not. */
  times: Map<string, number>;
  /** Those that were genuine. */
  seen: RecentEvents;
}

function wordReceived({ headers, url }: IncomingMessage, body: Buffer, { secrets, json, times: timesOf, seen }: Receiving): string {
  const eventId = String(headers['webhook-id'] ?? '');
  const times = (timesOf.get(eventId) ?? 0) + 1;
  timesOf.set(eventId, times);
  const { signature, words, duplicate } =
    secrets.length === 0 ? { ...notChecked, duplicate: times > 1 } : check({ headers, body }, secrets, seen);
  const content = parsed(body.toString('utf8'));
  if (json) return `${JSON.stringify({ path: url, signature, times, duplicate, body: content })}\n`;
  const { event = 'not a callback', document_no = '-' } = Object(content) as Record<string, string>;
  const again = duplicate ? `, for the ${times}. time: it was seen before and may be ignored` : '';
  return `\n${new Date().toISOString()}  ${event}  ${document_no}\n  signature: ${words}${again}\n${JSON.stringify(content, null, 2).replace(/^/gm, '  ')}\n`;
}

interface Finding {
  signature: 'valid' | 'not_checked' | CallbackRefusal;
  words: string;
  /** The same event was there before. What is not genuine is a duplicate of nothing. */
  duplicate: boolean;
}

const notChecked = { signature: 'not_checked', words: 'not checked' } as const;

function check(received: { headers: IncomingMessage['headers']; body: Buffer }, secrets: string[], seen: RecentEvents): Finding {
  try {
    const { event_id, duplicate } = verifyCallback(received, { secrets, seen });
    seen.add(event_id);
    return { signature: 'valid', words: 'valid', duplicate };
  } catch (error) {
    if (!(error instanceof CallbackError)) throw error;
    return { signature: error.reason, words: `NOT VALID: ${error.message}`, duplicate: false };
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
