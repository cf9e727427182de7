import { type Static, Type } from 'typebox';
import { callbackEvents, Sequence } from '../logistics/callback.ts';
import { SmallCount, Text, TextOrNull, WithMeaning } from '../values.ts';
import { exactText, oneOf, type SearchList, text, time } from './search-list.ts';
import { Time } from './times.ts';

export const callbackStatuses = ['pending', 'delivered', 'failed'] as const;
export const callbackDocumentTypes = ['order', 'inbound', 'return'] as const;

export const CallbackRow = Type.Object({
  event_id: WithMeaning(Type.String({ format: 'uuid' }), 'Number of the event; the same in every try.'),
  event: WithMeaning(Type.Enum([...callbackEvents]), 'What happened.'),
  document_type: WithMeaning(Type.Enum([...callbackDocumentTypes]), 'What it happened to.'),
  document_no: WithMeaning(Text(255), 'Your own number of that document.'),
  sequence: WithMeaning(Sequence, 'The how-manieth callback of that document it is; they arrive in this order.'),
  body: WithMeaning(Type.String({ contentMediaType: 'application/json' }), 'What is sent, to the byte.'),
  callback_url: WithMeaning(Text(2048), 'Where it is sent.'),
  status: WithMeaning(Type.Enum([...callbackStatuses]), '`failed`: the last try was in vain, and it waits for a redelivery by hand.'),
  attempts: Type.Array(
    Type.Object({
      at: Time('When it was tried.'),
      duration_ms: WithMeaning(SmallCount, 'How long it took.'),
      http_status: WithMeaning(
        Type.Union([Type.Integer({ minimum: 200, maximum: 999, examples: [502] }), Type.Null()]),
        'What was answered; `null` where nothing was.',
      ),
      error: TextOrNull(
        255,
        'Why there was no response. `the host of callback_url has no usable address` covers every problem with the name or address of the host.',
      ),
      address: TextOrNull(255, 'The address that was dialled; `null` where it did not come to that.'),
      response: TextOrNull(16_384, 'The first 16 KiB of what was answered.', 'Bad Gateway'),
    }),
    { description: 'each try, the first one first' },
  ),
  next_attempt_at: WithMeaning(
    Type.Union([Type.String({ format: 'date-time', examples: ['2026-11-15T09:35:00.000000+08:00'] }), Type.Null()]),
    'When it is tried next, at the earliest; `null` where it is not, or an earlier one of the same document has to arrive first.',
  ),
  occurred_at: Time('When it happened.'),
  created_at: Time('When the callback was written.'),
  updated_at: Time('When its status changed last.'),
});
export type CallbackRow = Static<typeof CallbackRow>;

/** Callbacks with their attempts. */
export const callbacksSearch = {
  path: '/getCallbacksData/searchList',
  prefix: 'callbacks',
  permission: 'callbacks.read',
  fields: {
    event_id: {
      ...exactText('Number of the event.', '0199c3b2-7d10-7f00-8a3e-5b1d2c4f6a80'),
      value: Type.String({ format: 'uuid', pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', description: 'a UUID in lower case' }),
    },
    document_no: text('Your own number of the document.', 'WMS-2026-0001'),
    updated_at: time('When its status changed last.'),
    created_at: time('When the callback was written.'),
    status: oneOf(callbackStatuses, 'Whether it has arrived.'),
    event: text('What happened, such as `order.shipped`.', 'order.shipped'),
    document_type: oneOf(callbackDocumentTypes, 'What it happened to.'),
  },
  row: CallbackRow,
} satisfies SearchList;
