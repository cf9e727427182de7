import type { Sql, Tx } from '../../platform/postgres/sql.ts';

const keptDays = 90;
/** Limits the list for clients that call from many networks. */
const listedMax = 1000;

export async function listClientNetworks(sql: Sql, clientId: string): Promise<string[]> {
  const rows = await sql<{ network: string }[]>`
    select network from client_network where client_id = ${clientId} and last_success_at > now() - ${keptDays} * interval '1 day'
    order by last_success_at desc limit ${listedMax}`;
  return rows.map(({ network }) => network);
}

/** Also deletes the networks from which this client has not authenticated for a long time. */
export async function recordClientNetwork(tx: Tx, clientId: string, network: string): Promise<void> {
  await tx`
    insert into client_network (client_id, network) values (${clientId}, ${network})
    on conflict (client_id, network) do update set last_success_at = excluded.last_success_at`;
  await tx`delete from client_network where client_id = ${clientId} and last_success_at < now() - ${keptDays} * interval '1 day'`;
}
