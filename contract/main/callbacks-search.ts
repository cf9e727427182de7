import { type Static, Type } from 'typebox';
import { errorMessage } from '../../messages/errors.ts';
import { callbackEvents, Sequence } from '../logistics/callback.ts';
import { wholeText } from '../portable-patterns.ts';
import { Form, SmallCount, Text, TextOrNull, WithExample, WithMeaning } from '../values.ts';
import { exactText, oneOf, type SearchList, text, time } from './search-list.ts';
import { Time } from './times.ts';

export const callbackStatuses = ['pending', 'delivered', 'failed'] as const;
export const callbackDocumentTypes = ['order', 'inbound', 'return'] as const;

export const CallbackRow = Type.Object({
  event_id: WithMeaning(Type.String({ format: 'uuid' }), 'ID of the event, the same in every attempt.'),
  event: WithMeaning(Type.Enum([...callbackEvents]), 'The event.'),
  document_type: WithMeaning(Type.Enum([...callbackDocumentTypes]), 'The kind of document.'),
  document_no: WithMeaning(Text(255), 'Your number for the document.'),
  test: WithMeaning(WithExample(Type.Boolean(), false), '`true`: a test callback; the event has not happened.'),
  sequence: WithMeaning(
    Sequence,
    'Sequence number of this callback within its document, starting at 1. Callbacks arrive in this order.',
  ),
  body: WithMeaning(
    Type.String({ contentMediaType: 'application/json' }),
    'The request body exactly as sent; `{}` if it was erased.',
  ),
  body_erased_at: WithMeaning(
    Type.Union([Type.String({ format: 'date-time', examples: ['2026-11-15T09:30:00.000000+08:00'] }), Type.Null()]),
    'Time at which the body was erased together with the recipient of its order; `null` if it was not. Such a callback cannot be redelivered.',
  ),
  callback_url: WithMeaning(Text(2048), 'The URL to which it is sent.'),
  status: WithMeaning(
    Type.Enum([...callbackStatuses]),
    '`failed`: the last attempt failed, and the callback must be redelivered manually.',
  ),
  attempts: Type.Array(
    Type.Object({
      at: Time('Time of the attempt.'),
      duration_ms: WithMeaning(SmallCount, 'Duration of the attempt.'),
      http_status: WithMeaning(
        Type.Union([Type.Integer({ minimum: 200, maximum: 999, examples: [502] }), Type.Null()]),
        'HTTP status of the response; `null` if there was none.',
      ),
      error: TextOrNull(
        255,
        'Why there was no response. `the host of callback_url has no usable address` covers every problem with the name or address of the host.',
      ),
      address: TextOrNull(255, 'The IP address of the connection; `null` if there was none.'),
      response: TextOrNull(16_384, 'The first 16 KiB of the response.', 'Bad Gateway'),
    }),
    { description: 'all attempts, oldest first' },
  ),
  next_attempt_at: WithMeaning(
    Type.Union([Type.String({ format: 'date-time', examples: ['2026-11-15T09:35:00.000000+08:00'] }), Type.Null()]),
    'Earliest time of the next attempt; `null` if there will be none, or if an earlier callback of the same document must be delivered first.',
  ),
  occurred_at: Time('Time of the event.'),
  created_at: Time('Time at which the callback was created.'),
  updated_at: Time('Time of the last status change.'),
});
export type CallbackRow = Static<typeof CallbackRow>;

/** Callbacks and their attempts. */
export const callbacksSearch = {
  path: '/getCallbacksData/searchList',
  prefix: 'callbacks',
  permission: 'callbacks.read',
  fields: {
    event_id: {
      ...exactText('ID of the event.', '0199c3b2-7d10-7f00-8a3e-5b1d2c4f6a80'),
      value: Type.String({
        format: 'uuid',
        pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
        ...Form(errorMessage('not_uuid')),
        documented: { pattern: `^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}${wholeText}` },
      }),
    },
    document_no: text('Your number for the document.', 'WMS-2026-0001'),
    updated_at: time('Time of the last status change.'),
    created_at: time('Time at which the callback was created.'),
    status: oneOf(callbackStatuses, 'Delivery status.'),
    event: text('The event, such as `order.shipped`.', 'order.shipped'),
    document_type: oneOf(callbackDocumentTypes, 'The kind of document.'),
  },
  row: CallbackRow,
} satisfies SearchList;
