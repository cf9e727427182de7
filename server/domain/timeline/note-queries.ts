import type { Sql, Tx } from '../../platform/database.ts';
import { taipeiTime } from '../../platform/taipei-time.ts';
import type { TimelineOf } from './state-change-queries.ts';

/** What a person wrote down about a document. */
export interface DocumentNote {
  document_note_id: number;
  at: string;
  author: string;
  text: string;
}

/** So that a page can show all of them. */
export const notesMax = 500;

/** The oldest first. */
export async function findNotes(sql: Sql, type: TimelineOf, documentId: number): Promise<DocumentNote[]> {
  return await sql<DocumentNote[]>`
    select document_note_id, ${sql.unsafe(taipeiTime('at'))}, author, text from document_note
    where document_type = ${type} and document_id = ${documentId} order by document_note_id limit ${notesMax}`;
}

/** The caller knows that the document is there, and whose it is. */
export async function addNote(
  tx: Tx,
  { type, documentId, accountId, author, text }: { type: TimelineOf; documentId: number; accountId: number; author: string; text: string },
): Promise<DocumentNote> {
  const [note] = await tx<DocumentNote[]>`
    insert into document_note (document_type, document_id, account_id, author, text)
    values (${type}, ${documentId}, ${accountId}, ${author}, ${text})
    returning document_note_id, ${tx.unsafe(taipeiTime('at'))}, author, text`;
  return note!;
}
