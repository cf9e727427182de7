import { type EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Client } from 'undici';
import { answerMaxBytes, answerTooLong, connectionGone, headersMaxBytes } from './receiver-response.ts';

/**
 * Shorter than the keep-alive timeout of most servers, so that few requests use a connection that is just being closed.
 */
const idleMaxMs = 4000;
/** Busy connections are renewed periodically to pick up DNS changes. */
const connectionAgeMaxMs = 60_000;

/** An open connection to a checked address. */
export interface Connection {
  origin: string;
  address: string;
  client: Client;
  socket: Socket;
  openedMs: number;
  expectAnswer(): void;
}

/**
 * Makes undici load its parser, which it reads from a file on the first connection; after giving up root, that may be
 * impossible.
 */
export async function loadHttpClient(): Promise<void> {
  const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const { body } = await client.request({ method: 'POST', path: '/', body: '{}' });
  await body.dump();
  await client.close();
  server.close();
}

/** A pool of idle connections. The most recently used one is reused first, so that surplus connections time out. */
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
      const connection = {
        origin,
        address,
        client: clientOver(socket, origin),
        socket,
        openedMs: performance.now(),
        expectAnswer,
      };
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

/** An undici client for the lifetime of one open and checked socket. */
function clientOver(socket: Socket, origin: string): Client {
  let handedOver = false;
  const client = new Client(origin, {
    // Deferred, because undici does not send queued requests on a connection that is returned synchronously.
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
  // Not listed in undici's types: emitted if one of its own assertions fails, and fatal without a listener.
  const emitter: EventEmitter = client;
  emitter.on('error', () => socket.destroy());
  return client;
}

/**
 * Filters the data between the socket and undici, which limits neither reason phrases nor chunk extensions nor the
 * number of informational responses, and treats an unsolicited `100 Continue` as an error. Returns the start of the
 * next response.
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
    const isHeld =
      rest.length < headersMaxBytes && continueLine.startsWith(rest.toString('latin1', 0, continueLine.length));
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
