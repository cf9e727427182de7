import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { EmbeddedPostgres } from '../server/platform/postgres/embedded/embedded-postgres.ts';
import type { Random } from './random.ts';

type Logins = Pick<EmbeddedPostgres, 'connection' | 'service'>;

/** The same database with its two logins. */
export interface DatabaseUrls {
  /** That of the nodes. */
  service: string;
  /** That of migrations, and of statements of the test itself. */
  owner: string;
}

export function databaseUrlsOf({ connection, service }: Logins, host: string, port: number): DatabaseUrls {
  const urlOf = ({ username, password, database }: Logins['connection']) =>
    `postgres://${username}:${password}@${host}:${port}/${database}`;
  return { service: urlOf(service), owner: urlOf(connection) };
}

/** The URLs of the unix socket, without the bad network. */
export function ownDatabaseUrlsOf(logins: Logins): DatabaseUrls {
  return databaseUrlsOf(logins, encodeURIComponent(logins.connection.host), logins.connection.port);
}

/** The settings of a node or command that may migrate. */
export function databaseSettings({ service, owner }: DatabaseUrls): Record<string, string> {
  return { DATABASE_URL: service, DATABASE_OWNER_URL: owner };
}

/** A bad network between nodes and PostgreSQL. */
export interface DatabaseLink {
  urls: DatabaseUrls;
  cuts: number;
  /** Starts the faults; before that, it only forwards. */
  spoil(): void;
  repair(): void;
  close(): void;
}

const aliveMs = { min: 200, max: 6000 };
const delayMsMax = 30;

/** Delays and splits data, and breaks every connection sooner or later, at any point in a message. */
export async function openDatabaseLink(logins: Logins, random: Random): Promise<DatabaseLink> {
  const sockets = new Set<Socket>();
  let isBad = false;

  function carry(from: Socket, to: Socket): void {
    sockets.add(from);
    let last = Promise.resolve();
    from.on('data', (bytes: Buffer) => {
      const delayMs = isBad && random.oneIn(4) ? random.between(0, delayMsMax) : 0;
      const cutAt = isBad && random.oneIn(3) ? random.upTo(bytes.length) : bytes.length;
      last = last.then(async () => {
        for (const piece of [bytes.subarray(0, cutAt), bytes.subarray(cutAt)]) {
          if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
          if (piece.length > 0) to.write(piece);
        }
      });
    });
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      void last.then(() => to.destroy());
    });
  }

  const server = createServer({ noDelay: true }, (near) => {
    const far = connect(`${logins.connection.host}/.s.PGSQL.${logins.connection.port}`);
    carry(near, far);
    carry(far, near);
    const breaking = setInterval(
      () => {
        if (!isBad) return;
        link.cuts++;
        // Either side may notice first, and data in transit may be lost.
        if (random.oneIn(2)) near.resetAndDestroy();
        else far.destroy();
      },
      random.between(aliveMs.min, aliveMs.max),
    );
    near.on('close', () => clearInterval(breaking));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const link: DatabaseLink = {
    urls: databaseUrlsOf(logins, '127.0.0.1', (server.address() as AddressInfo).port),
    cuts: 0,
    spoil() {
      isBad = true;
    },
    repair() {
      isBad = false;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return link;
}
