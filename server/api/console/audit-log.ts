import { type AuditRow, auditLogSearch } from '../../../contract/console/audit-log.ts';
import { pageSizeDefault } from '../../../contract/console/console-values.ts';
import { rejection } from '../../../messages/rejection-texts.ts';
import type { AuditPosition, FoundAction, FoundChange } from '../../domain/operators/audit-entry.ts';
import { searchAuditLog } from '../../domain/operators/audit-log.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { mistakeAt } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { differencesOf, whoOf } from './partners.ts';

/** For admins: it also has the names with which others failed to sign in. */
export function auditLogSearchCall({ cursors }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(auditLogSearch, {
    role: 'admin',
    audit: null,
    isList: true,
    async handle({ reads }, { page_size = pageSizeDefault, cursor, ...filters }) {
      for (const field of ['from', 'until'] as const) {
        if (filters[field] !== undefined && Number.isNaN(Date.parse(filters[field])))
          throw mistakeAt(field, rejection('not_an_instant'));
      }
      const given = Object.entries(filters).map(([field, value]) => [field, { anyOf: [value] }]);
      const scope = {
        list: 'console/audit-log',
        accountIds: [],
        search: { filters: Object.fromEntries(given), sort: null },
      };
      const after = cursor === undefined ? null : cursors.read(scope, cursor);
      if (cursor !== undefined && after === null) throw mistakeAt('cursor', rejection('cursor_of_other_filters'));

      const { rows, next } = await searchAuditLog(reads, {
        ...filters,
        pageSize: page_size,
        after: after && placeFrom(after),
      });
      return {
        rows: rows.map(toAuditRow),
        next_cursor: next && cursors.write(scope, [next.at, next.source, String(next.id)]),
      };
    },
  });
}

function placeFrom([at, source, id]: string[]): AuditPosition {
  return { at: at!, source: source as AuditPosition['source'], id: Number(id) };
}

function toAuditRow(row: FoundAction | FoundChange): AuditRow {
  const { source, id, at, subject, account_no } = row;
  const shared = { row_key: `${source}-${id}`, source, at, subject, account_no };
  if (row.source === 'change') {
    const { actor, subject_kind, change, fields, before } = row;
    const unknown = { role: null, outcome: null, address: null, trace_id: null };
    return {
      ...shared,
      ...unknown,
      who: whoOf(actor),
      action: `${subject_kind}/${change}`,
      details: differencesOf(fields, before),
    };
  }
  const { username: who, role, action, outcome, address, trace_id, details } = row;
  return { ...shared, who, role, action, outcome, address, trace_id, details: differencesOf(details) };
}
