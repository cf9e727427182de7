import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from './connection.ts';
import type { Database } from './database.ts';
import { before, DatabaseUnavailable } from './deadline.ts';

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
 * Keeps listening to a channel. The connection is checked from time to time, because a server that has vanished sends
 * nothing, and replaced if it does not answer.
 */
export function startListening(database: Database, channel: string, { onListening, onNotified }: Hearing): Listener {
  const stopping = new AbortController();
  let current: Connection | null = null;
  const running = listen();

  async function listen(): Promise<void> {
    while (!stopping.signal.aborted) {
      await listenOnce().catch(() => {});
      await pause(connectAgainSeconds, stopping.signal);
    }
  }

  async function listenOnce(): Promise<void> {
    const connection = await database.openConnection({ purpose: `listen to ${channel}`, onNotified });
    const lost = new AbortController();
    connection.onLost(() => lost.abort());
    current = connection;
    try {
      await listenUntilBroken(connection, AbortSignal.any([stopping.signal, lost.signal]));
    } finally {
      current = null;
      connection.destroy();
    }
  }

  async function listenUntilBroken({ sql }: Connection, ending: AbortSignal): Promise<void> {
    if (!ending.aborted) await answered(sql.unsafe(`listen ${channel}`));
    if (!ending.aborted) onListening();
    while (!ending.aborted) {
      await answered(sql.unsafe('select'));
      await pause(heartbeatSeconds, ending);
    }
  }

  return {
    async close() {
      stopping.abort();
      // A connection that is being opened is closed as soon as it is open.
      if (current === null) return;
      current.destroy();
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
