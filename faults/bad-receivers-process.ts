/**
 * A separate process with callback receivers: one healthy receiver, and others that misbehave until they are healed.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { verifyCallback } from '../sdk/client.ts';
import { faultKey } from './child-process.ts';

export type ReceiversCommand = { kind: 'open' } | { kind: 'heal' } | { kind: 'collect' };
export type ReceiversReport =
  | { kind: 'opened'; urls: [name: string, url: string][] }
  | { kind: 'healed' }
  | { kind: 'collected'; arrivals: Arrival[]; strange: string[] };

/** A callback that arrived completely and was accepted. */
export interface Arrival {
  receiver: string;
  eventId: string;
  documentNo: string;
  sequence: number;
  atMs: number;
}

/** How a receiver handles a complete callback; returns true if it accepts it. */
type Behaviour = (socket: Socket) => boolean;

const bomb = gzipSync(Buffer.alloc(100_000_000));
const saying =
  (text: string | Buffer, taken = false): Behaviour =>
  (socket) => {
    socket.write(text);
    return taken;
  };
const accepts = saying('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok', true);

function endlessly(first: string, again: string | Buffer, taken: boolean): Behaviour {
  return (socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write(again));
    };
    socket.on('drain', more).write(first);
    more();
    return taken;
  };
}

function everySecond(texts: string): Behaviour {
  return (socket) => {
    let at = 0;
    const timer = setInterval(() => socket.write(texts[at++ % texts.length]!), 1000);
    socket.once('close', () => clearInterval(timer));
    return false;
  };
}

/** A 2xx status counts as accepted regardless of the rest of the response. */
const behaviours: Record<string, Behaviour> = {
  well: accepts,
  hangs: () => false,
  drips: everySecond('HTTP/1.1 200 OK\r\nx: '),
  'drips a body': (socket) => {
    socket.write('HTTP/1.1 503 Busy\r\ncontent-length: 100000\r\n\r\n');
    return everySecond('x')(socket);
  },
  'gzip bomb': saying(
    Buffer.concat([
      Buffer.from(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`),
      bomb,
    ]),
    true,
  ),
  'endless body': endlessly('HTTP/1.1 500 No\r\n\r\n', Buffer.alloc(65_536, 'x'), false),
  'endless chunks': endlessly(
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
    `10000\r\n${'x'.repeat(65_536)}\r\n`,
    true,
  ),
  'endless headers': endlessly('HTTP/1.1 200 OK\r\n', `x-more: ${'y'.repeat(8000)}\r\n`, false),
  'endless 1xx': endlessly('', 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n', false),
  'huge headers': saying(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(5_000_000)}\r\n\r\n`),
  redirects: saying('HTTP/1.1 307 Elsewhere\r\nlocation: /again\r\ncontent-length: 0\r\n\r\n'),
  'redirects to us': saying('HTTP/1.1 302 Elsewhere\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n'),
  garbage: (socket) => saying(randomBytes(5000))(socket),
  'half an answer': (socket) => {
    socket.end('HTTP/1.1 200');
    return false;
  },
  'two answers': saying('HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
  resets: (socket) => {
    socket.resetAndDestroy();
    return false;
  },
  'closes at once': () => false,
  'never reads': () => false,
};

const arrivals: Arrival[] = [];
const strange: string[] = [];
const sockets = new Set<Socket>();
let healed = false;

/** Each receiver has its own address, like receivers of different partners. */
async function open(name: string, index: number): Promise<[name: string, url: string]> {
  const host = `127.0.0.${index + 1}`;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    if (!healed && name === 'closes at once') socket.destroy();
    else if (!healed && name === 'never reads') socket.pause();
    else readCallbacks(socket, name);
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return [name, `http://${host}:${port}/callbacks`];
}

function readCallbacks(socket: Socket, name: string): void {
  let received = '';
  socket.setEncoding('latin1').on('data', (text) => {
    received += text;
    for (;;) {
      const headEnd = received.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const headers = headersOf(received.slice(0, headEnd));
      const bodyEnd = headEnd + 4 + Number(headers['content-length'] ?? 0);
      if (received.length < bodyEnd) return;
      const body = Buffer.from(received.slice(headEnd + 4, bodyEnd), 'latin1');
      received = received.slice(bodyEnd);
      take(socket, name, headers, body);
    }
  });
}

function headersOf(head: string): Record<string, string> {
  const lines = head.split('\r\n').slice(1);
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
}

function take(socket: Socket, receiver: string, headers: Record<string, string>, body: Buffer): void {
  try {
    const {
      event_id: eventId,
      document_no: documentNo,
      sequence,
    } = verifyCallback({ headers, body }, { secrets: faultKey.callbackSecret });
    const taken = (healed ? accepts : behaviours[receiver]!)(socket);
    if (taken) arrivals.push({ receiver, eventId, documentNo, sequence, atMs: Date.now() });
  } catch (error) {
    strange.push(`${receiver}: ${error}`);
  }
}

process.on('message', async ({ kind }: ReceiversCommand) => {
  if (kind === 'open') report({ kind: 'opened', urls: await Promise.all(Object.keys(behaviours).map(open)) });
  else if (kind === 'heal') {
    healed = true;
    // Like a restart: hanging connections are closed.
    for (const socket of sockets) socket.destroy();
    report({ kind: 'healed' });
  } else report({ kind: 'collected', arrivals: arrivals.splice(0), strange: strange.splice(0) });
});
process.on('disconnect', () => process.exit());

function report(message: ReceiversReport): void {
  process.send!(message);
}
