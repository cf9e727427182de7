import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';

export const nodeRoles = ['api', 'worker', 'both'] as const;
export type NodeRole = (typeof nodeRoles)[number];

/** A process that serves requests or runs jobs. */
export interface Node {
  nodeId: string;
  host: string;
  pid: number;
  role: NodeRole;
  version: string;
  /** The master key with which it seals. */
  masterKeyId: string;
}

export const signEverySeconds = 10;
/** After three missing heartbeats the node is gone or hangs. */
export const silentAfterSeconds = 35;
const forgottenAfterHours = 24;

export async function signNode(sql: Sql | Tx, node: Node): Promise<void> {
  const { nodeId, host, pid, role, version, masterKeyId } = node;
  await sql`
    insert into node (node_id, host, pid, role, version, master_key_id)
    values (${nodeId}, ${host}, ${pid}, ${role}, ${version}, ${masterKeyId})
    on conflict (node_id) do update set seen_at = now()`;
}

export async function forgetSilentNodes(sql: Sql | Tx): Promise<void> {
  await sql`delete from node where seen_at < now() - make_interval(hours => ${forgottenAfterHours}::integer)`;
}

export async function removeNode(sql: Sql | Tx, nodeId: string): Promise<void> {
  await sql`delete from node where node_id = ${nodeId}`;
}

/** The living nodes that do not seal with this master key, as host:pid. */
export async function nodesWithOtherMasterKey(sql: Sql | Tx, masterKeyId: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select host || ':' || pid as name from node
    where seen_at > now() - make_interval(secs => ${silentAfterSeconds}::float8) and master_key_id is distinct from ${masterKeyId}
    order by 1`;
  return rows.map(({ name }) => name);
}

export interface ListedNode {
  node_id: string;
  host: string;
  pid: number;
  role: NodeRole;
  version: string;
  started_at: string;
  seen_at: string;
  is_silent: boolean;
}

const listedMax = 200;

export async function listNodes(sql: Sql): Promise<ListedNode[]> {
  return await sql<ListedNode[]>`
    select node_id, host, pid, role, version, ${sql.unsafe(taipeiTime('started_at'))}, ${sql.unsafe(taipeiTime('seen_at'))},
      seen_at < now() - make_interval(secs => ${silentAfterSeconds}::float8) as is_silent
    from node order by seen_at < now() - make_interval(secs => ${silentAfterSeconds}::float8), host, pid limit ${listedMax}`;
}
