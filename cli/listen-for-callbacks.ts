import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Command, InvalidArgumentError } from 'commander';
import { exitCodes, Failure, makeCommand } from '../server/command-line.ts';
import { type SignatureFinding, verifyCallbackSignature } from '../server/domain/callbacks/callback-signature.ts';
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
  const seen = new Map<string, number>();
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      // At once: what is done with it is not the sender's business.
      response.writeHead(body === null ? 413 : answer, { 'content-type': 'application/json' }).end('{"received":true}\n');
      if (body !== null) process.stdout.write(wordReceived(request, body, { secrets, seen, json }));
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
  /** How often each event has come. */
  seen: Map<string, number>;
  json: boolean;
}

function wordReceived({ headers, url }: IncomingMessage, body: Buffer, { secrets, seen, json }: Receiving): string {
  const eventId = String(headers['webhook-id'] ?? '');
  const times = (seen.get(eventId) ?? 0) + 1;
  seen.set(eventId, times);
  const finding = secrets.length === 0 ? null : verifyCallbackSignature(headers, body, secrets, { now: new Date() });
  const content = parsed(body.toString('utf8'));
  if (json) return `${JSON.stringify({ path: url, signature: finding?.kind ?? 'not_checked', times, body: content })}\n`;
  const { event = 'not a callback', document_no = '-' } = Object(content) as Record<string, string>;
  const again = times > 1 ? `, for the ${times}. time: it was seen before and may be ignored` : '';
  return `\n${new Date().toISOString()}  ${event}  ${document_no}\n  signature: ${wordFinding(finding)}${again}\n${JSON.stringify(content, null, 2).replace(/^/gm, '  ')}\n`;
}

function wordFinding(finding: SignatureFinding | null): string {
  switch (finding?.kind) {
    case undefined:
      return 'not checked';
    case 'valid':
      return 'valid';
    case 'missing_header':
      return `the header ${finding.header} is missing`;
    case 'malformed_timestamp':
      return 'webhook-timestamp is not a number of seconds';
    case 'too_old':
      return `signed ${finding.ageSeconds} s ago: too old, or a clock is wrong`;
    case 'too_new':
      return `signed ${finding.aheadSeconds} s ahead of now: a clock is wrong`;
    case 'no_known_version':
      return 'webhook-signature has no signature of version v1';
    case 'wrong_signature':
      return 'WRONG: signed with another secret, or the bytes were changed on the way';
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
