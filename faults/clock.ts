import { setTimeout as sleep } from 'node:timers/promises';
import { WarehouseClient } from '../sdk/client.ts';
import { inEveryAccount } from '../server/domain/partners/every-account.ts';
import type { Fragment } from '../server/platform/postgres/sql.ts';
import { faultAccount, faultClient } from './child-process.ts';
import { combineReports } from './combine-reports.ts';
import type { FaultOptions, FaultReport } from './fault.ts';
import { eventually, extendForQuickRun } from './patience.ts';
import type { ServiceNode } from './service-node.ts';
import { type World, type WorldReport, withWorld } from './world.ts';

const daySeconds = 86_400;
const skewMaxSeconds = 300;
/**
 * How many seconds the clock of each node is ahead. The first clock is always correct, so that requests can go to that
 * node instead.
 */
const quickRounds = [[0, 299, -301, daySeconds]];
const fullRounds = [299, -299, 301, -301, daySeconds, -daySeconds].map((ahead) => [0, 0, ahead]);

/**
 * Runs nodes with wrong clocks next to others: up to 300 s there is no effect; beyond that, such a node rejects signed
 * requests and does everything else correctly, because all stored, issued, signed and purged data uses the time of the
 * database.
 */
export async function clockOff({ quick, seed, progress }: FaultOptions): Promise<FaultReport> {
  const parts = [];
  for (const aheads of quick ? quickRounds : fullRounds) {
    progress(`nodes ahead by ${aheads.join(', ')} s`);
    const report = await workWith(aheads, { quick, seed, progress, seconds: quick ? 3 : 15 });
    parts.push({ name: aheads.join('/'), rounds: 1, report });
  }
  return combineReports('clock', parts);
}

async function workWith(aheads: number[], options: FaultOptions & { seconds: number }): Promise<WorldReport> {
  const { quick, seed, progress, seconds } = options;
  const startedAt = new Date();
  const isBeyond = (node: number) => Math.abs(aheads[node]!) > skewMaxSeconds;
  let refusals: number[] = [];
  const world = {
    quick,
    seed,
    progress,
    nodes: aheads.length,
    nodeEnv: (node: number) => preloadOf(aheads[node]!),
    // A margin of one second would be left between the caller and the check, and a busy machine may need more.
    tolerates: (node: number, status: number) => status === 401 && aheads[node] !== 0,
  };
  const report = await withWorld(world, async (world) => {
    const withinMs = extendForQuickRun(settledWithinMs, quick);
    await checkSignatures(world, aheads, isBeyond, withinMs);
    await checkTokens(world, withinMs);
    for (let second = 0; second < seconds; second++) {
      // Scheduled jobs become due repeatedly, so that every node runs them.
      await world.read((sql) => sql`update schedule set next_run_at = now()`);
      await sleep(1000);
    }
    await checkTimes(world, startedAt);
    refusals = world.tallies().map((tally) => tally.tolerated);
  });
  return {
    ...report,
    figures: { ...report.figures, 'refused by each node with 401': refusals.slice(0, -1).join(', ') },
  };
}

function preloadOf(seconds: number): Record<string, string> {
  if (seconds === 0) return {};
  const preload = new URL('./shift-clock.ts', import.meta.url);
  preload.searchParams.set('seconds', String(seconds));
  return { NODE_OPTIONS: `--import ${preload.href}` };
}

/** Retries on 503 and if a second passes in the meantime. */
const settledWithinMs = 20_000;
const secondNow = () => Math.floor(Date.now() / 1000);

/** Requests signed with a correct clock. */
async function checkSignatures(
  world: World,
  aheads: number[],
  isBeyond: (node: number) => boolean,
  withinMs: number,
): Promise<void> {
  for (const [index, node] of world.nodes.entries()) {
    const expected = isBeyond(index) ? 401 : 200;
    let status = 0;
    const isSeen = async () => {
      const second = secondNow();
      status = await signedStatus(node);
      // Whole seconds are compared: a second that passes in the meantime turns 301 into 300.
      return status !== 503 && second === secondNow();
    };
    const wasSeen = await eventually(isSeen, { withinMs });
    if (!wasSeen || status !== expected)
      world.find('wrong', `${node.name}, ahead by ${aheads[index]} s, responds to signed requests with ${status}`);
  }
}

async function signedStatus(node: ServiceNode): Promise<number> {
  const { accountNo, secret } = faultAccount;
  const client = new WarehouseClient({ url: node.url, accountNo, secret, retriesMax: 0 });
  return await client.stockQuery(['HOT']).then(
    () => 200,
    (error: { status?: number }) => error.status ?? 0,
  );
}

/** A token of any node is valid at every node, and only for its hour. */
async function checkTokens(world: World, withinMs: number): Promise<void> {
  const tokenContent = { ClientId: faultClient.clientId, CheckValue: faultClient.checkValue };
  for (const issuer of world.nodes) {
    const askedAt = secondNow();
    const answer = await settledAnswer(`${issuer.url}/api/v1/token/getToken`, tokenContent, {}, withinMs);
    const { retval } = answer.envelope as { retval: { access_token: string } };
    const { iat, exp } = JSON.parse(Buffer.from(retval.access_token.split('.')[1]!, 'base64url').toString());
    if (iat < askedAt - 1 || iat > secondNow() + 1 || exp - iat !== 3600)
      world.find('wrong', `${issuer.name} issues a token from ${iat} to ${exp}, asked for at ${askedAt}`);
    for (const node of world.nodes) {
      const authorization = `Bearer ${retval.access_token}`;
      const { status } = await settledAnswer(
        `${node.url}/api/v2/default/getStocksData/searchList`,
        { page_size: 1 },
        { authorization },
        withinMs,
      );
      if (status !== 200) world.find('wrong', `${node.name} responds to a token of ${issuer.name} with ${status}`);
    }
  }
}

/** Returns the first response that is not 503. */
async function settledAnswer(url: string, content: object, headers: Record<string, string>, withinMs: number) {
  let answer = { status: 0, envelope: null as unknown };
  const isSettled = async () => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(content),
      signal: AbortSignal.timeout(withinMs),
    });
    answer = { status: response.status, envelope: await response.json() };
    return answer.status !== 503;
  };
  await eventually(isSettled, { withinMs, everyMs: 500 });
  return answer;
}

/**
 * Checks that no stored time is before the start or in the future, by the clock of this machine, which the database
 * also uses.
 */
async function checkTimes(world: World, startedAt: Date): Promise<void> {
  const rows = await world.read(async (sql) => {
    const countWrong = (kept: Fragment) => sql<{ what: string; count: number }[]>`
      select what, count(*)::int as count from (${kept}) kept
      where at < ${startedAt}::timestamptz - interval '1 s' or at > clock_timestamp() + interval '1 s' group by what`;
    const ofAccounts = await inEveryAccount(sql, (own, accountId) =>
      countWrong(own`
        select 'an order' as what, created_at as at from orders where account_id = ${accountId}
        union all select 'an inbound document', created_at from inbound_document where account_id = ${accountId}
        union all select 'a movement', at from movement where account_id = ${accountId}
        union all select 'a callback', occurred_at from callback where account_id = ${accountId}
        union all select 'a change of state', at from state_change where account_id = ${accountId}`),
    );
    const ofService = await countWrong(sql`
      select 'a token key' as what, signs_from as at from token_key
      union all select 'a line of the request log', at from request_log`);
    return [...ofAccounts, ...ofService];
  });
  for (const { what, count } of rows) world.find('wrong', `${what} has a wrong time (${count} times)`);
}
