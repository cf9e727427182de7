import { type Static, Type } from 'typebox';
import { warnings } from '../errors/lists.ts';
import { Clearable, Identifier, Text, WebAddress, WithExample, WithMeaning } from '../values.ts';
import { callbackEvents } from './callback.ts';

/**
 * More test callbacks of an account within a minute are rejected with 429. Enough to try every event twice, and too few
 * to burden anybody.
 */
export const testsPerMinuteMax = 30;

/**
 * `callbacks/test` of the main API and of the logistics webhook. The service passes its own schema for `callback_url`,
 * which rejects forbidden addresses.
 */
export const makeCallbackTestBody = (CallbackUrl: typeof WebAddress) =>
  Type.Object({
    event: WithMeaning(Type.Enum([...callbackEvents]), 'The event to try.'),
    document_no: WithMeaning(
      Clearable(WithExample(Identifier(255), 'WMS-2026-0001')),
      'Your number for a document of your account whose content the callback has. Without it, the callback has the example of its event.',
    ),
    callback_url: WithMeaning(
      Clearable(CallbackUrl),
      'UAT accounts only: the URL that receives the test. Without it, the test goes where callbacks of the document, or of your account, go.',
    ),
  });
export const CallbackTestBody = makeCallbackTestBody(WebAddress);
export type CallbackTestBody = Static<typeof CallbackTestBody>;

export const CallbackTestRetval = WithMeaning(
  Type.Object({
    event_id: WithMeaning(
      Type.String({ format: 'uuid' }),
      'ID of the event; the list of callbacks shows its attempts and your responses.',
    ),
    document_no: WithMeaning(Text(255), 'The `document_no` in the body of the callback.'),
    callback_url: WithMeaning(Text(2048), 'The URL to which it is sent.'),
    ...warnings,
  }),
  'The queued test callback.',
);
export type CallbackTestRetval = Static<typeof CallbackTestRetval>;

export const exampleCallbackTest: CallbackTestBody = {
  event: 'order.shipped',
  callback_url: 'https://partner.example/callbacks',
};
