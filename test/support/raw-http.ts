import { channel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after } from 'node:test';
import { type SocketAnswer, socketAnswerChannel } from './answers-held.ts';
import type { TestApp } from './app.ts';

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
  json: ReturnType<typeof JSON.parse>;
}

/** One TCP connection on which a test says exactly what it wants, byte for byte. */
export interface RawConnection {
  socket: Socket;
  send(...parts: (string | Uint8Array)[]): void;
  /** The next answer, or null when the server has closed the connection before one was complete. */
  answer(): Promise<RawAnswer | null>;
  /** Resolves when the connection is closed, by whichever side. */
  closed: Promise<void>;
}

/** Makes the app listen on a port of this machine; connections to it are gone when the tests of the file have run. */
export async function listenRaw(app: TestApp): Promise<() => Promise<RawConnection>> {
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.http.server.address() as { port: number };
  const sockets = new Set<Socket>();
  after(() => {
    for (const socket of sockets) socket.destroy();
  });

  return async () => {
    const socket = connect({ host: '127.0.0.1', port });
    sockets.add(socket);
    // A reset is seen as a closed connection.
    socket.on('error', () => {});
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    void closed.then(() => sockets.delete(socket));
    await once(socket, 'connect');
    return {
      socket,
      closed,
      answer: answersOf(socket, app),
      send: (...parts) => void socket.write(Buffer.concat(parts.map(toBuffer))),
    };
  };
}

/** A request as text; the content length follows from the body unless the headers say otherwise. */
export function rawRequest(
  method: string,
  path: string,
  headers: [string, string][] = [],
  body: string | Uint8Array = '',
): Buffer {
  const bytes = toBuffer(body);
  const names = headers.map(([name]) => name.toLowerCase());
  const framed = names.includes('content-length') || names.includes('transfer-encoding');
  const lines: [string, string][] = [
    ...(names.includes('host') ? [] : [['host', 'lading.test'] as [string, string]]),
    ...headers,
    ...(framed || bytes.length === 0 ? [] : [['content-length', String(bytes.length)] as [string, string]]),
  ];
  const head = [`${method} ${path} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}

function answersOf(socket: Socket, { http }: TestApp): () => Promise<RawAnswer | null> {
  let received = Buffer.alloc(0);
  let ended = false;
  let wake = () => {};
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  socket.on('close', () => {
    ended = true;
    wake();
  });

  return async () => {
    for (;;) {
      const complete = firstAnswer(received);
      if (complete) {
        received = received.subarray(complete.length);
        const { status, headers, text: body } = complete.answer;
        // An interim response (100 Continue) has no document to be held against.
        if (status >= 200)
          channel(socketAnswerChannel).publish({ http, answer: { status, headers, body } } satisfies SocketAnswer);
        return complete.answer;
      }
      if (ended) return null;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
}

function firstAnswer(received: Buffer): { answer: RawAnswer; length: number } | null {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd === -1) return null;
  const [statusLine, ...lines] = received.subarray(0, headEnd).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const length = headEnd + 4 + Number(headers['content-length'] ?? 0);
  if (received.length < length) return null;
  const text = received.subarray(headEnd + 4, length).toString();
  const json = headers['content-type']?.startsWith('application/json') ? JSON.parse(text) : null;
  return { answer: { status: Number(statusLine!.split(' ')[1]), headers, text, json }, length };
}

function toBuffer(part: string | Uint8Array): Buffer {
  return typeof part === 'string' ? Buffer.from(part) : Buffer.from(part);
}
