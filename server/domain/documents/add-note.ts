import type { Tx } from '../../platform/postgres/sql.ts';
import { countNotes, type DocumentNote, insertNote, lockNotes, type NewNote, notesMax } from './note-queries.ts';

export type AddNoteOutcome = { kind: 'added'; note: DocumentNote } | { kind: 'too_many'; max: number };

/** The caller has checked that the document exists and which account it belongs to. */
export async function addNote(tx: Tx, note: NewNote): Promise<AddNoteOutcome> {
  await lockNotes(tx, note);

  const count = await countNotes(tx, note);
  if (count >= notesMax) return { kind: 'too_many', max: notesMax };

  return { kind: 'added', note: await insertNote(tx, note) };
}
