import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from '@prometheus-io/client';
import { type Log, makeLog } from '../../server/platform/log.ts';
import { makeAddressGuard } from '../../server/platform/outgoing/address-guard.ts';
import { makeOutgoingHttp, type OutgoingHttp } from '../../server/platform/outgoing/http-client.ts';
import type { OwnerDatabase } from './database.ts';

export interface TestWorker {
  logLines: Record<string, unknown>[];
  /** The value of a metric, such as `transfers_total{outcome="accepted"}`. */
  metric(name: string): Promise<number>;
  close(): Promise<void>;
}

/** Starts a worker that can connect to loopback only; it is closed at the end of the test file at the latest. */
export function startTestWorker(
  http: OutgoingHttp | undefined,
  start: (parts: { http: OutgoingHttp; log: Log; registry: Registry }) => { close(): Promise<void> },
): TestWorker {
  const logLines: Record<string, unknown>[] = [];
  const log = makeLog('debug', { write: (line) => void logLines.push(JSON.parse(line)) });
  const registry = new Registry();
  const parts = { http: http ?? makeOutgoingHttp({ guard: makeAddressGuard(['127.0.0.0/8']) }), log, registry };
  const worker = start(parts);
  let closing: Promise<void> | null = null;
  const close = () => {
    closing ??= worker.close().then(() => parts.http.close());
    return closing;
  };
  after(close);
  return {
    logLines,
    close,
    async metric(name) {
      const line = (await registry.metrics()).split('\n').find((text) => text.startsWith(`lading_${name} `));
      return line === undefined ? 0 : Number(line.split(' ').at(-1));
    },
  };
}

const patienceMs = 120_000;

/** Waits for a condition. The limit is generous, because the machine may be busy. */
export async function until(what: string, isMet: () => boolean | Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + patienceMs;
  while (!(await isMet())) {
    if (performance.now() > endsAt) throw new Error(`waited in vain: ${what}`);
    await sleep(5);
  }
}

/** Until `repair`, the order with this number cannot be changed. */
export async function breakOrder(database: OwnerDatabase, number: string): Promise<{ repair(): Promise<void> }> {
  await database.read((sql) =>
    sql.unsafe(`
      create function break_one() returns trigger language plpgsql as $$
      begin if new.partner_number = '${number}' then raise exception 'not now'; end if; return new; end $$;
      create trigger break_one before update on orders for each row execute function break_one()`),
  );
  return {
    async repair() {
      await database.read((sql) => sql.unsafe('drop trigger break_one on orders'));
    },
  };
}
