import type { Connection } from './connection.ts';
import type { Sql } from './sql.ts';

/** Whether `lading distribute` has spread the documents of the accounts over the servers of Citus. */
export async function isDistributed(sql: Sql): Promise<boolean> {
  const [citus] = await sql.unsafe("select from pg_extension where extname = 'citus'");
  if (!citus) return false;
  const [orders] = await sql.unsafe("select from pg_dist_partition where logicalrelid = to_regclass('orders')");
  return orders !== undefined;
}

/**
 * Row-level security is checked on the servers that have the rows, so each of them must know the accounts. Citus cannot
 * send a statement with a plan for any values to one server, so it decides itself when to plan a statement again.
 */
const settings = {
  'citus.propagate_set_commands': 'local',
  plan_cache_mode: 'auto',
  enable_seqscan: 'on',
  enable_bitmapscan: 'on',
};

/** Prepares a new connection for a distributed database. */
export async function prepareForDistribution(connection: Connection): Promise<void> {
  const text = Object.entries(settings).map(([name, value]) => `set ${name} = '${value}'`);
  await connection.run({ text: text.join('; '), values: [], isPrepared: false });
  connection.isDistributed = true;
}
