import type { Sql, Tx } from '../../platform/postgres/sql.ts';

/** A list with the filters that an operator saved. */
export interface SavedView {
  owner: string;
  name: string;
  query: string;
  /** All operators see it. */
  shared: boolean;
}

export type ViewKey = Pick<SavedView, 'owner' | 'name'> & { page: string };

/** The operator's own views, then those that others share, each by name. */
export async function listViews(sql: Sql, username: string, page: string, sharedMax: number): Promise<SavedView[]> {
  return await sql<SavedView[]>`
    (select username as owner, name, query, shared from saved_view
     where username = ${username} and page = ${page} order by name collate "C")
    union all
    (select username, name, query, shared from saved_view
     where page = ${page} and shared and username <> ${username} order by name collate "C", username collate "C" limit ${sharedMax})`;
}

/** Replaces a view with the same name; the number of views of an operator is limited. */
export async function saveView(
  tx: Tx,
  { owner, page, name, query, shared }: SavedView & { page: string },
  viewsMax: number,
): Promise<'saved' | 'too_many'> {
  await tx`select from operator where username = ${owner} for no key update`;
  const others =
    await tx`select from saved_view where username = ${owner} and page = ${page} and name <> ${name} limit ${viewsMax}`;
  if (others.count >= viewsMax) return 'too_many';

  await tx`
    insert into saved_view (username, page, name, query, shared) values (${owner}, ${page}, ${name}, ${query}, ${shared})
    on conflict (username, page, name) do update set query = excluded.query, shared = excluded.shared`;
  return 'saved';
}

/** Changes a view that its owner shares; others see it as if it did not exist. */
export async function changeSharedView(
  tx: Tx,
  { owner, page, name, query, shared }: SavedView & { page: string },
): Promise<boolean> {
  const { count } = await tx`
    update saved_view set query = ${query}, shared = ${shared} where username = ${owner} and page = ${page} and name = ${name} and shared`;
  return count > 0;
}

/** Deletes the operator's own view. */
export async function deleteView(tx: Tx, { owner, page, name }: ViewKey): Promise<boolean> {
  const { count } = await tx`delete from saved_view where username = ${owner} and page = ${page} and name = ${name}`;
  return count > 0;
}

export async function deleteSharedView(tx: Tx, { owner, page, name }: ViewKey): Promise<boolean> {
  const { count } =
    await tx`delete from saved_view where username = ${owner} and page = ${page} and name = ${name} and shared`;
  return count > 0;
}
