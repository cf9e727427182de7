import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { RowId, record } from './console-values.ts';

export const inboundNoteLengthMax = 2000;

export interface InboundNote {
  document_note_id: number;
  at: string;
  author: string;
  text: string;
}

export const inboundNoteAdd = consoleCall<{ kind: 'added'; note: InboundNote } | { kind: 'too_many'; max: number }>()(
  '/inbound/note-add',
  record({
    inbound_id: RowId,
    text: Type.String({
      pattern: `^(?=[^]*\\S)(?:[^\\p{Cc}]|[\\t\\r\\n]){1,${inboundNoteLengthMax}}$`,
      description: `1-${inboundNoteLengthMax} characters, not blank, without control characters other than line breaks and tabs`,
    }),
  }),
);
