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
}

export const signEverySeconds = 10;
/** After three missing heartbeats the node is gone or hangs. */
export const silentAfterSeconds = 35;
const forgottenAfterHours = 24;

export async function signNode(sql: Sql | Tx, { nodeId, host, pid, role, version }: Node): Promise<void> {
  await sql`
    insert into node (node_id, host, pid, role, version) values (${nodeId}, ${host}, ${pid}, ${role}, ${version})
    on conflict (node_id) do update set seen_at = now()`;
}

export async function forgetSilentNodes(sql: Sql | Tx): Promise<void> {
  await sql`delete from node where seen_at < now() - make_interval(hours => ${forgottenAfterHours}::integer)`;
}

export async function removeNode(sql: Sql | Tx, nodeId: string): Promise<void> {
  await sql`delete from node where node_id = ${nodeId}`;
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
