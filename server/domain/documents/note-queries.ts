import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { DocumentKey, DocumentTable } from './state-change-queries.ts';

/** A note that a person wrote about a document. */
export interface DocumentNote {
  document_note_id: number;
  at: string;
  author: string;
  text: string;
}

interface NotedDocument extends DocumentKey {
  type: DocumentTable;
}

export interface NewNote extends NotedDocument {
  author: string;
  text: string;
}

/** Limit per document, so that a page can show all notes. */
export const notesMax = 500;

/** Oldest first. */
export async function findNotes(
  sql: Sql,
  type: DocumentTable,
  { accountId, documentId }: DocumentKey,
): Promise<DocumentNote[]> {
  return await sql<DocumentNote[]>`
    select document_note_id, ${sql.unsafe(taipeiTime('at'))}, author, text from document_note
    where account_id = ${accountId} and document_type = ${type} and document_id = ${documentId} order by document_note_id limit ${notesMax}`;
}

/** Serializes the writers of notes on a document without locking its row, which the partners' requests need. */
export async function lockNotes(tx: Tx, { type, documentId }: NotedDocument): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`notes of ${type} ${documentId}`}, 0))`;
}

export async function countNotes(tx: Tx, { type, accountId, documentId }: NotedDocument): Promise<number> {
  const [row] = await tx<[{ count: number }]>`
    select count(*)::integer as count from document_note
    where account_id = ${accountId} and document_type = ${type} and document_id = ${documentId}`;
  return row.count;
}

export async function insertNote(
  tx: Tx,
  { type, documentId, accountId, author, text }: NewNote,
): Promise<DocumentNote> {
  const [inserted] = await tx<{ id: number }[]>`
    insert into document_note (document_type, document_id, account_id, author, text)
    values (${type}, ${documentId}, ${accountId}, ${author}, ${text})
    returning document_note_id as id`;
  // Citus does not format a time in the statement that inserts it.
  const [note] = await tx<DocumentNote[]>`
    select document_note_id, ${tx.unsafe(taipeiTime('at'))}, author, text from document_note
    where account_id = ${accountId} and document_type = ${type} and document_id = ${documentId} and document_note_id = ${inserted!.id}`;
  return note!;
}
