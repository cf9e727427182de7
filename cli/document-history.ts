import type { HistoryCallback } from '../server/domain/callbacks/document-callback-queries.ts';
import type { NamedDocument } from '../server/domain/documents/document-history-queries.ts';
import type { Database } from '../server/platform/postgres/database.ts';
import { noAccounts, type Sql } from '../server/platform/postgres/sql.ts';
import { exitCodes, Failure } from './command-line.ts';
import { currentLook, formatTime, isTime } from './look.ts';
import { formatTable } from './table.ts';

/** The kind of a document and the number by which it was searched. */
export interface Wanted {
  word: string;
  number: string;
  accountNo: string | null;
}

/** Reads the history of one document; fails with a list if several documents have the number. */
export async function readHistory<Named extends NamedDocument, History>(
  database: Database,
  { word, number, accountNo }: Wanted,
  find: (sql: Sql, number: string, accountNo: string | null) => Promise<Named[]>,
  read: (sql: Sql, document: Named) => Promise<History | null>,
): Promise<History> {
  const [found, ...others] = await database.read(noAccounts, (sql) => find(sql, number, accountNo));
  if (found && others.length > 0) {
    const which = [found, ...others].map(
      ({ account_no, channel, document_no }) => `${document_no} (account ${account_no}, ${channel})`,
    );
    throw new Failure(
      exitCodes.refused,
      `several documents have the number ${number}; use --account, or our own number:`,
      which,
    );
  }
  const history = found ? await database.read([found.account_id], (sql) => read(sql, found)) : null;
  if (!history)
    throw new Failure(
      exitCodes.refused,
      `there is no ${word} ${number}${accountNo === null ? '' : ` of account ${accountNo}`}`,
    );
  return history;
}

/** Omits empty values. */
export function formatFacts(facts: [label: string, value: unknown][]): string {
  const given = facts.filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(...given.map(([label]) => label.length)) + 2;
  return given.map(([label, value]) => `${label.padEnd(width)}${isTime(value) ? formatTime(value) : value}`).join('\n');
}

const indent = 2;

export function formatSection(title: string, rows: object[], whenEmpty: string): string {
  const table = formatTable(rows as Record<string, unknown>[], whenEmpty, currentLook(), indent);
  return `\n${title}\n${table.replace(/^/gm, ' '.repeat(indent))}`;
}

export function callbackLines(callbacks: HistoryCallback[]) {
  return callbacks.map(({ event, status, attempts, next_attempt_at, event_id }) => ({
    event,
    status,
    attempts,
    next_attempt: next_attempt_at,
    event_id,
  }));
}

export function formatCreation({ created_at, created_by }: { created_at: string; created_by: string | null }): string {
  const time = formatTime(created_at);
  return created_by === null ? time : `${time} by ${created_by}`;
}
