import { type EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Client } from 'undici';
import { answerMaxBytes, answerTooLong, connectionGone, headersMaxBytes } from './outgoing-answer.ts';

/** Shorter than what servers usually wait, so that few posts meet a connection that is just being closed. */
const idleMaxMs = 4000;
/** A busy connection is renewed now and then, so that a change of the name's addresses is followed. */
const connectionAgeMaxMs = 60_000;

/** Open, checked, and known by its address. */
export interface Connection {
  origin: string;
  address: string;
  client: Client;
  socket: Socket;
  openedMs: number;
  expectAnswer(): void;
}

/** undici reads its parser from a file with the first connection, which a process that has given up root may not be able to do. */
export async function loadHttpClient(): Promise<void> {
  const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const { body } = await client.request({ method: 'POST', path: '/', body: '{}' });
  await body.dump();
  await client.close();
  server.close();
}

/** An idle one can be taken again, the one used last first, so that those too many grow old. */
export function makeConnections(idleMax: number) {
  const idle = new Set<Connection>();
  const idleByOrigin = new Map<string, Connection[]>();

  function forget(connection: Connection): void {
    if (!idle.delete(connection)) return;
    const others = idleByOrigin.get(connection.origin)!;
    if (others.length === 1) idleByOrigin.delete(connection.origin);
    else others.splice(others.indexOf(connection), 1);
  }

  function drop(connection: Connection): void {
    forget(connection);
    connection.client.destroy(() => {});
  }

  return {
    add(origin: string, address: string, socket: Socket): Connection {
      const expectAnswer = boundIntake(socket);
      const connection = { origin, address, client: clientOver(socket, origin), socket, openedMs: performance.now(), expectAnswer };
      socket.once('close', () => forget(connection));
      return connection;
    },
    take(origin: string): Connection | undefined {
      let connection: Connection | undefined;
      do {
        connection = idleByOrigin.get(origin)?.at(-1);
        if (connection) forget(connection);
      } while (connection?.socket.destroyed);
      return connection;
    },
    keep(connection: Connection): void {
      if (connection.socket.destroyed) return;
      if (performance.now() - connection.openedMs > connectionAgeMaxMs) {
        drop(connection);
        return;
      }
      idle.add(connection);
      const others = idleByOrigin.get(connection.origin);
      if (others) others.push(connection);
      else idleByOrigin.set(connection.origin, [connection]);
      const [oldest] = idle;
      if (idle.size > idleMax) drop(oldest!);
    },
    drop,
    async close(): Promise<void> {
      await Promise.all([...idle].map(({ client }) => client.destroy()));
    },
  };
}

/** A client for the life of one socket that is already open and checked. */
function clientOver(socket: Socket, origin: string): Client {
  let handedOver = false;
  const client = new Client(origin, {
    // Not at once, because undici does not look for what to send on a connection that is made while it asks for one.
    connect: (_options, callback) => {
      if (handedOver) process.nextTick(callback, connectionGone, null);
      else process.nextTick(callback, null, socket);
      handedOver = true;
    },
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: idleMaxMs,
    keepAliveMaxTimeout: idleMaxMs,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: headersMaxBytes,
  });
  // Undici's types do not list it: emitted where one of its own assertions fails, and fatal where nobody listens.
  const emitter: EventEmitter = client;
  emitter.on('error', () => socket.destroy());
  return client;
}

/**
 * Stands between the socket and undici, which bounds neither reason phrases nor chunk extensions nor the number of
 * informational answers, and which takes a `100 Continue` nobody asked for as an error. Returns what begins the next answer.
 */
function boundIntake(socket: Socket): () => void {
  const read = socket.read.bind(socket);
  let takenBytes = 0;
  let beginning: Buffer | null = null;

  socket.read = (size?: number) => {
    const chunk: Buffer | null = read(size);
    if (chunk === null) return null;
    takenBytes += chunk.length;
    if (takenBytes > answerMaxBytes) {
      socket.destroy(answerTooLong);
      return null;
    }
    if (beginning === null) return chunk;

    const rest = withoutContinue(beginning.length === 0 ? chunk : Buffer.concat([beginning, chunk]));
    const isHeld = rest.length < headersMaxBytes && continueLine.startsWith(rest.toString('latin1', 0, continueLine.length));
    beginning = isHeld ? rest : null;
    return isHeld ? null : rest;
  };

  return () => {
    takenBytes = 0;
    beginning = nothing;
  };
}

const continueLine = 'HTTP/1.1 100';
const nothing = Buffer.alloc(0);

function isContinue(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, continueLine.length) === continueLine;
}

function withoutContinue(bytes: Buffer): Buffer {
  let rest = bytes;
  while (isContinue(rest)) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd < 0) break;
    rest = rest.subarray(headEnd + 4);
  }
  return rest;
}
