import { setTimeout as sleep } from 'node:timers/promises';
import { before, type Database, DatabaseUnavailable, type Sql } from './database.ts';

export interface Listener {
  close(): Promise<void>;
}

export interface Hearing {
  /** Listening has started, for the first time or again: earlier notifications may have been missed. */
  onListening(): void;
  onNotified(payload: string): void;
}

const heartbeatSeconds = 2;
const answerWithinSeconds = 3;
const connectAgainSeconds = 0.5;

/**
 * Keeps listening to a channel. The driver's own LISTEN gives up permanently if its first reconnect fails, and does not
 * notice a server that has vanished. Here the connection is checked from time to time and replaced if it does not
 * confirm that it still listens.
 */
export function startListening(database: Database, channel: string, { onListening, onNotified }: Hearing): Listener {
  const stopping = new AbortController();
  let connection: Sql | null = null;
  const running = listen();

  async function listen(): Promise<void> {
    while (!stopping.signal.aborted) {
      const closed = new AbortController();
      connection = database.connectListener(
        (_, payload) => void onNotified(payload),
        () => closed.abort(),
      );
      await listenUntilBroken(connection, AbortSignal.any([stopping.signal, closed.signal])).catch(() => {});
      void connection.end({ timeout: 0 }).catch(() => {});
      await pause(connectAgainSeconds, stopping.signal);
    }
  }

  async function listenUntilBroken(sql: Sql, ending: AbortSignal): Promise<void> {
    await answered(sql.unsafe(`listen ${channel}`));
    onListening();
    // The driver reconnects by itself, but the new connection listens to nothing.
    while (
      !ending.aborted &&
      (await answered(sql`select from pg_listening_channels() as name where name = ${channel}`)).count > 0
    ) {
      await pause(heartbeatSeconds, ending);
    }
  }

  return {
    async close() {
      stopping.abort();
      await connection?.end({ timeout: 0 }).catch(() => {});
      await running;
    },
  };
}

async function pause(seconds: number, signal: AbortSignal): Promise<void> {
  await sleep(seconds * 1000, undefined, { signal }).catch(() => {});
}

function answered<T>(query: Promise<T>): Promise<T> {
  return before(
    query,
    performance.now() + answerWithinSeconds * 1000,
    () => new DatabaseUnavailable('the listener got no answer'),
  );
}
