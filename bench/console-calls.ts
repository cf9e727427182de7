import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { consoleBasePath, csrfHeader } from '../contract/console/console-call.ts';
import { applyProvisioning } from '../server/domain/partners/apply-provisioning.ts';
import { makeKeyring } from '../server/platform/keyring.ts';
import { parseMasterKey } from '../server/setting-values.ts';
import { plainRequest } from './bearer-request.ts';
import type { BenchOptions } from './benchmark.ts';
import { openConnection } from './connection.ts';
import { type Goal, judged, median, type Output, rounded } from './figures.ts';
import type { Workbench } from './workbench.ts';

export const consoleUrl = (url: string, path: string) => `${url}${consoleBasePath}${path}`;

const operator = { username: 'bench', password: 'a password for the bench', role: 'staff' } as const;

/** Creates the operator who sends the calls, and further production accounts. */
export async function applyForConsole({ dataDir, database }: Workbench, accountNos: string[]): Promise<void> {
  const keyring = makeKeyring(parseMasterKey(readFileSync(join(dataDir, 'master.key'), 'utf8').trim())!);
  const provisioning = {
    operators: [operator],
    accounts: accountNos.map((account_no) => ({ account_no, environment: 'production' as const })),
  };
  const applied = await applyProvisioning(database, keyring, provisioning, { actor: 'bench' });
  if (applied.kind !== 'applied') throw new Error(JSON.stringify(applied));
}

/** Jobs that work on every order. */
const jobsOverOrders = ['fill_search', 'count_trends'];

/**
 * From now on the service does not run these jobs, so that only the benchmark does their work. A trigger ignores their
 * claims: a lock of their rows would have to last for minutes, and meanwhile PostgreSQL could not remove old versions of rows.
 */
export async function keepJobsFromRunning({ sql }: Workbench): Promise<void> {
  await sql.unsafe(`
    create function ignore_update() returns trigger language plpgsql as 'begin return null; end';
    create trigger ignore_update before update on schedule for each row
      when (old.name in (${jobsOverOrders.map((job) => `'${job}'`).join()})) execute function ignore_update()`);
}

/** One of two services that get the same calls. */
export interface Side {
  orders: number;
  ask(path: string, body: object): Promise<{ ms: number; rows: number | null }>;
  close(): void;
}

/** Open it late: the service closes idle connections. */
export async function openSide({ service, port }: Workbench, orders: number): Promise<Side> {
  const session = await signIn(service.url);
  const connection = await openConnection(port);
  return {
    orders,
    async ask(path, body) {
      const request = plainRequest(`${consoleBasePath}${path}`, body, session);
      const startedAt = performance.now();
      const { status, body: answer } = await connection.ask(request);
      const ms = performance.now() - startedAt;
      if (status !== 200) throw new Error(`${path}: ${status} ${answer.toString().slice(0, 500)}`);
      const { rows, hits } = JSON.parse(answer.toString()) as { rows?: unknown[]; hits?: unknown[] };
      return { ms, rows: (rows ?? hits)?.length ?? null };
    },
    close: connection.close,
  };
}

/** The headers of the operator's calls. */
export async function signIn(url: string): Promise<Record<string, string>> {
  const { username, password } = operator;
  const answer = await fetch(consoleUrl(url, '/session/sign-in'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  const text = await answer.text();
  const cookie = answer.headers.get('set-cookie')?.split(';')[0];
  if (cookie === undefined) throw new Error(`nobody could sign in: ${answer.status} ${text}`);
  return { cookie, [csrfHeader]: (JSON.parse(text) as { csrf_token: string }).csrf_token };
}

const warmUpCalls = 2;

export interface ComparedCall {
  what: string;
  path: string;
  body: object;
  /** The goal for the ratio; null: the ratio is only shown. */
  goal: Goal | null;
  /** The pause between calls whose responses are cached briefly. */
  everyMs?: number;
  /** More may be found among many orders. Otherwise both sides find the same number. */
  findsMore?: boolean;
}

/** Sends a call to both sides alternately, and compares the medians of the times. */
export async function compareCalls(
  sides: readonly [small: Side, large: Side],
  { what, path, body, goal, everyMs = 0, findsMore = false }: ComparedCall,
  { quick }: BenchOptions,
  output: Output,
): Promise<string[]> {
  const calls = quick ? 2 : everyMs > 0 ? 5 : 40;
  const times: number[][] = [[], []];
  const rows: (number | null)[] = [null, null];
  for (let call = quick ? 0 : -warmUpCalls; call < calls; call++) {
    for (const [index, side] of sides.entries()) {
      const { ms, rows: found } = await side.ask(path, body);
      rows[index] = found;
      if (call >= 0) times[index]!.push(ms);
    }
    await sleep(quick ? 0 : everyMs);
  }
  const [small, large] = times.map(median) as [number, number];
  output.row('calls of the console on few and on many orders, milliseconds', {
    call: path,
    what,
    rows: rows[0] === rows[1] ? (rows[1] ?? '') : `${rows[0]} and ${rows[1]}`,
    [`${sides[0].orders} orders`]: rounded(small, 2),
    many: rounded(large, 2),
    of: sides[1].orders,
    ...judged(large / small, goal),
  });
  const isRight = findsMore ? rows[0]! <= rows[1]! : rows[0] === rows[1];
  return isRight ? [] : [`${what}: ${rows[0]} rows of few orders, ${rows[1]} of many`];
}
