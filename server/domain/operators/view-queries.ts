import type { Sql, Tx } from '../../platform/postgres/sql.ts';

/** A list with the filters that an operator saved. */
export interface SavedView {
  name: string;
  query: string;
}

export async function listViews(sql: Sql, username: string, page: string): Promise<SavedView[]> {
  return await sql<
    SavedView[]
  >`select name, query from saved_view where username = ${username} and page = ${page} order by name collate "C"`;
}

/** Replaces a view with the same name; the number of views is limited. */
export async function saveView(
  tx: Tx,
  { username, page, name, query }: SavedView & { username: string; page: string },
  viewsMax: number,
): Promise<'saved' | 'too_many'> {
  await tx`select from operator where username = ${username} for no key update`;
  const others =
    await tx`select from saved_view where username = ${username} and page = ${page} and name <> ${name} limit ${viewsMax}`;
  if (others.count >= viewsMax) return 'too_many';

  await tx`
    insert into saved_view (username, page, name, query) values (${username}, ${page}, ${name}, ${query})
    on conflict (username, page, name) do update set query = excluded.query`;
  return 'saved';
}

export async function deleteView(
  tx: Tx,
  { username, page, name }: { username: string; page: string; name: string },
): Promise<boolean> {
  const { count } = await tx`delete from saved_view where username = ${username} and page = ${page} and name = ${name}`;
  return count > 0;
}
