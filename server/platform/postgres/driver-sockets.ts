import { Socket } from 'node:net';
import type { DatabaseHost } from './primary.ts';

/** The sockets of one pool of the driver (postgres 3.4.9). */
export interface DriverSockets {
  /** Connects to the server that `locate` returns; a folder means a unix socket in it. */
  open(): Promise<Socket>;
  /**
   * A pool that is ended while it reconnects still opens its connection and keeps it for an hour: a crash of PostgreSQL
   * left dozens of them behind. This closes every open connection and prevents new ones.
   */
  close(): void;
}

/** Larger than any group: if a socket reports itself full, the driver waits for a response between two statements. */
const batchHighWaterMark = 256 * 1024 * 1024;

/**
 * `batching`: statements written in the same tick leave in one write. `locate`: finds the server for each new
 * connection.
 */
export function makeDriverSockets({
  batching,
  locate,
}: {
  batching: boolean;
  locate: () => Promise<DatabaseHost>;
}): DriverSockets {
  const sockets = new Set<Socket>();
  let isClosed = false;
  return {
    async open() {
      const { host, port } = await locate();
      if (isClosed) throw Object.assign(new Error('the pool has ended'), { code: 'CONNECTION_ENDED' });
      const socket = batching ? gatherWrites(newBatchingSocket()) : new Socket();
      for (const earlier of sockets) if (earlier.destroyed) sockets.delete(earlier);
      sockets.add(socket);
      tellAgain(socket);
      if (host.startsWith('/')) return socket.connect(`${host}/.s.PGSQL.${port}`);
      // The driver reads the name that a certificate must have from here.
      return Object.assign(socket, { host, port }).connect(port, host);
    },
    close() {
      isClosed = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

function newBatchingSocket(): Socket {
  return new Socket({ writableHighWaterMark: batchHighWaterMark } as ConstructorParameters<typeof Socket>[0]);
}

/**
 * An immediate failure, such as a missing network, occurs before the driver listens for it; unhandled, it would end the
 * process.
 */
function tellAgain(socket: Socket): void {
  socket.on('error', (error) => {
    if (socket.listenerCount('error') > 1) return;
    setImmediate(() => {
      if (socket.listenerCount('error') < 2) return;
      socket.emit('error', error);
      socket.emit('close', true);
    });
  });
}

/**
 * The driver writes each statement separately. Each write is a system call and wakes PostgreSQL, which then waits for
 * the next one.
 */
function gatherWrites(socket: Socket): Socket {
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let gathering = false;

  function send(): void {
    gathering = false;
    socket.uncork();
  }

  socket.write = (...args: unknown[]) => {
    if (!gathering) {
      gathering = true;
      socket.cork();
      process.nextTick(send);
    }
    return write(...args);
  };
  return socket;
}
