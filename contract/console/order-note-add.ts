import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { RowId, record } from './console-values.ts';
import type { OrderNote } from './order-detail.ts';

export const orderNoteLengthMax = 2000;

export const orderNoteAdd = consoleCall<{ kind: 'added'; note: OrderNote } | { kind: 'too_many'; max: number }>()(
  '/orders/note-add',
  record({
    order_id: RowId,
    text: Type.String({
      pattern: `^(?=[^]*\\S)(?:[^\\p{Cc}]|[\\t\\r\\n]){1,${orderNoteLengthMax}}$`,
      description: `1-${orderNoteLengthMax} characters, not blank, without control characters other than line breaks and tabs`,
    }),
  }),
);
