import type { PlainSql } from '../server/platform/postgres/database.ts';
import {
  addExtension,
  type CitusServer,
  citusMissing,
  findCitusPrograms,
  makeCitusDatabase,
  migrateAndDistribute,
  startCitus,
} from '../test/support/citus-cluster.ts';
import { type ConnectionOptions, serviceRole } from '../test/support/database.ts';
import { faultAccount, onInterrupt } from './child-process.ts';
import { type FaultOptions, type FaultReport, FaultSkipped } from './fault.ts';
import { extendForQuickRun, until } from './patience.ts';
import { type World, withWorld } from './world.ts';

const database = 'lading';
const workers = 2;
const nodes = 2;
const movesWithinMs = 300_000;

/**
 * A coordinator with two workers. Under load, a third worker joins, Citus moves a part of the accounts to it, and then the
 * busy account itself moves to another server and back. Nobody may notice more than waiting.
 */
export async function citus({ quick, seed, progress }: FaultOptions): Promise<FaultReport> {
  const programs = findCitusPrograms();
  if (programs === null) throw new FaultSkipped(citusMissing);
  const cluster = await startCitus(programs, { workers });
  const forget = onInterrupt(() => void cluster.close());
  try {
    const connection = await makeCitusDatabase(cluster, database);
    await migrateAndDistribute(connection);
    const databaseUrls = { service: urlOf(connection, serviceRole), owner: urlOf(connection) };
    let moves = 0;
    const report = await withWorld({ quick, seed, nodes, progress, databaseUrls }, async (world) => {
      await moreAcknowledged(world, quick);
      const added = await cluster.addWorker();
      await addExtension(added, database);
      const shards = await world.read((sql) => addAndRebalance(sql, added, quick));
      progress(`a third worker has joined and has ${shards} shards`);
      if (shards === 0) world.find('wrong', 'no shard has moved to the new worker');
      await moreAcknowledged(world, quick);
      for (; moves < (quick ? 2 : 6); moves++) {
        const to = await world.read(moveBusyAccount);
        progress(`the busy account has moved to the server on port ${to}`);
        await moreAcknowledged(world, quick);
      }
    });
    return { fault: 'citus', rounds: 1 + moves, ...report };
  } finally {
    await cluster.close();
    forget();
  }
}

function urlOf({ host, port, username, database }: ConnectionOptions, user = username): string {
  return `postgres://${user}@${host}:${port}/${database}`;
}

/** Waits for traffic, so that there is some before and after each step. */
async function moreAcknowledged(world: World, quick: boolean): Promise<void> {
  const before = world.acknowledged();
  const isMore = () => world.acknowledged() >= before + (quick ? 100 : 1000);
  await until(isMore, { withinMs: extendForQuickRun(60_000, quick), what: 'acknowledged changes' });
}

/** Returns the number of shards that the new worker has at the end. */
async function addAndRebalance(
  sql: PlainSql,
  { connection: { host, port } }: CitusServer,
  quick: boolean,
): Promise<number> {
  await sql`select citus_add_node(${host}, ${port}::integer)`;
  await sql`select citus_rebalance_start()`;
  const isFinished = async () => {
    const [job] = await sql<{ state: string }[]>`select state::text from citus_rebalance_status()`;
    if (job!.state === 'failed' || job!.state === 'cancelled') throw new Error(`the rebalancing is ${job!.state}`);
    return job!.state === 'finished';
  };
  await until(isFinished, { withinMs: extendForQuickRun(movesWithinMs, quick), everyMs: 500, what: 'the rebalancing' });
  const [row] = await sql<{ shards: number }[]>`
    select count(*)::integer as shards from citus_shards where nodeport = ${port} and citus_table_type = 'distributed'`;
  return row!.shards;
}

/** Returns the port of the server that has the account now. */
async function moveBusyAccount(sql: PlainSql): Promise<number> {
  const [account] = await sql`select account_id from account where account_no = ${faultAccount.accountNo}`;
  const [shard] = await sql<{ shardid: number; nodeport: number }[]>`
    select shardid, nodeport from citus_shards
    where shardid = get_shard_id_for_distribution_column('orders', ${account!.account_id}::bigint)`;
  const [other] = await sql<{ nodename: string; nodeport: number }[]>`
    select nodename, nodeport from pg_dist_node where shouldhaveshards and nodeport <> ${shard!.nodeport} order by random() limit 1`;
  const { nodename, nodeport } = other!;
  await sql`
    select citus_move_shard_placement(${shard!.shardid}, ${nodename}, ${shard!.nodeport}::integer, ${nodename}, ${nodeport}::integer,
      shard_transfer_mode => 'force_logical')`;
  return nodeport;
}
