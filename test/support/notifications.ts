import { after } from 'node:test';
import { loginOf } from '../../server/platform/postgres/connection-target.ts';
import { openConnection } from '../../server/platform/postgres/open-connection.ts';
import type { TestApp } from './app.ts';
import { until } from './worker.ts';

/** Listens to a channel of the database; the returned function does some work and returns its notifications. */
export async function listenTo(
  { store }: TestApp,
  channel: string,
): Promise<<T>(work: () => Promise<T>) => Promise<{ result: T; heard: string[] }>> {
  const heard: string[] = [];
  const listener = await openConnection({
    server: store.connection,
    login: loginOf(store.connection),
    settings: {},
    onNotified: (text) => void heard.push(text),
  });
  after(() => listener.destroy());
  let marks = 0;
  await listener.sql.unsafe(`listen ${channel}`);

  async function hearAll(): Promise<void> {
    const mark = `mark ${++marks}`;
    await store.database.transaction((tx) => tx`select pg_notify(${channel}, ${mark})`);
    await until(mark, () => heard.at(-1) === mark);
  }
  return async (work) => {
    await hearAll();
    heard.length = 0;
    const result = await work();
    await hearAll();
    return { result, heard: heard.slice(0, -1) };
  };
}
