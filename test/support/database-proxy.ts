import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { after } from 'node:test';
import { type ConnectionOptions, testPostgres } from './database.ts';

/** A proxy between an app and PostgreSQL that simulates failures of networks and machines. */
export interface DatabaseProxy {
  /** The same database, through the proxy. */
  through(connection: ConnectionOptions): ConnectionOptions;
  /** Cuts connections and refuses new ones, like a stopped server. */
  refuse(): Promise<void>;
  /** Cuts connections but accepts new ones. */
  cut(): void;
  /** Silently stops forwarding, like a lost machine. */
  freeze(): void;
  heal(): Promise<void>;
}

export async function startDatabaseProxy(): Promise<DatabaseProxy> {
  const postgres = testPostgres();
  const sockets = new Set<Socket>();
  let frozen = false;
  let listening = false;
  let port = 0;

  const server = createServer((client) => {
    const upstream = connect(addressOf(postgres));
    forward(client, upstream);
    forward(upstream, client);
  });

  function forward(from: Socket, to: Socket): void {
    sockets.add(from);
    from.on('data', (bytes) => to.write(bytes));
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      if (!frozen) to.destroy();
    });
    if (frozen) from.pause();
  }

  function cut(): void {
    for (const socket of sockets) socket.destroy();
  }

  async function listen(): Promise<void> {
    server.listen({ host: '127.0.0.1', port });
    await once(server, 'listening');
    listening = true;
    port = (server.address() as { port: number }).port;
  }

  async function refuse(): Promise<void> {
    if (!listening) return;
    listening = false;
    const closed = once(server, 'close');
    server.close();
    cut();
    await closed;
  }

  await listen();
  after(refuse);
  return {
    through: (connection) => ({ ...connection, host: '127.0.0.1', port }),
    refuse,
    cut,
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    async heal() {
      frozen = false;
      for (const socket of sockets) socket.resume();
      if (!listening) await listen();
    },
  };
}

/** On Citus, the server listens on loopback instead of a socket in a folder. */
function addressOf({ host, port }: ConnectionOptions) {
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
}
