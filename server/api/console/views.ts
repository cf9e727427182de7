import { sharedViewsMax, viewsDelete, viewsList, viewsMax, viewsSave } from '../../../contract/console/views.ts';
import { rejection } from '../../../messages/rejection-texts.ts';
import type { OperatorSession } from '../../domain/operators/operator.ts';
import {
  changeSharedView,
  deleteSharedView,
  deleteView,
  listViews,
  saveView,
} from '../../domain/operators/view-queries.ts';
import { ProblemError } from '../../http/problem.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';

/** Saved views belong to one operator, who may share them with all. */
export function viewEndpoints({ database }: ConsoleParts): ConsoleEndpoint[] {
  return [
    consoleEndpoint(viewsList, {
      role: 'read-only',
      warehouses: 'any',
      audit: null,
      async handle({ session }, { page }) {
        const views = await database.read(noAccounts, (sql) => listViews(sql, session.username, page, sharedViewsMax));
        return { views: views.map((view) => ({ ...view, can_change: mayChange(session, view.owner) })) };
      },
    }),
    consoleEndpoint(viewsSave, {
      role: 'read-only',
      warehouses: 'any',
      audit: ({ page, name, owner, shared = false }) => ({
        subject: subjectOf(page, name, owner),
        details: { shared },
      }),
      async handle({ session }, { page, name, query, shared = false, owner = session.username }) {
        refuseStranger(session, owner);
        const view = { owner, page, name: name.trim(), query, shared };
        if (owner !== session.username) {
          const isChanged = await database.transaction(noAccounts, (tx) => changeSharedView(tx, view));
          return { kind: isChanged ? ('saved' as const) : ('not_found' as const) };
        }
        const kind = await database.transaction(noAccounts, (tx) => saveView(tx, view, viewsMax));
        return kind === 'saved' ? { kind } : { kind, max: viewsMax };
      },
    }),
    consoleEndpoint(viewsDelete, {
      role: 'read-only',
      warehouses: 'any',
      audit: ({ page, name, owner }) => ({ subject: subjectOf(page, name, owner) }),
      async handle({ session }, { page, name, owner = session.username }) {
        refuseStranger(session, owner);
        const remove = owner === session.username ? deleteView : deleteSharedView;
        const isDeleted = await database.transaction(noAccounts, (tx) =>
          remove(tx, { owner, page, name: name.trim() }),
        );
        return { kind: isDeleted ? ('deleted' as const) : ('not_found' as const) };
      },
    }),
  ];
}

function subjectOf(page: string, name: string, owner: string | undefined): string {
  return owner === undefined ? `view ${page}/${name}` : `view ${page}/${name} of ${owner}`;
}

function mayChange({ username, role }: OperatorSession, owner: string): boolean {
  return username === owner || role === 'admin';
}

function refuseStranger(session: OperatorSession, owner: string): void {
  if (!mayChange(session, owner))
    throw new ProblemError({
      kind: 'not_allowed',
      message: rejection('view_of_other', { username: session.username, owner }),
    });
}
