import { viewsDelete, viewsList, viewsMax, viewsSave } from '../../../contract/console/views.ts';
import { deleteView, listViews, saveView } from '../../domain/operators/view-queries.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';

/** Saved views belong to one operator. */
export function viewEndpoints({ database }: ConsoleParts): ConsoleEndpoint[] {
  return [
    consoleEndpoint(viewsList, {
      role: 'read-only',
      warehouses: 'any',
      audit: null,
      async handle({ session }, { page }) {
        return { views: [...(await database.read(noAccounts, (sql) => listViews(sql, session.username, page)))] };
      },
    }),
    consoleEndpoint(viewsSave, {
      role: 'read-only',
      warehouses: 'any',
      audit: ({ page, name }) => ({ subject: `view ${page}/${name}` }),
      async handle({ session }, { page, name, query }) {
        const view = { username: session.username, page, name: name.trim(), query };
        const kind = await database.transaction(noAccounts, (tx) => saveView(tx, view, viewsMax));
        return kind === 'saved' ? { kind } : { kind, max: viewsMax };
      },
    }),
    consoleEndpoint(viewsDelete, {
      role: 'read-only',
      warehouses: 'any',
      audit: ({ page, name }) => ({ subject: `view ${page}/${name}` }),
      async handle({ session }, { page, name }) {
        const isDeleted = await database.transaction(noAccounts, (tx) =>
          deleteView(tx, { username: session.username, page, name: name.trim() }),
        );
        return { kind: isDeleted ? ('deleted' as const) : ('not_found' as const) };
      },
    }),
  ];
}
