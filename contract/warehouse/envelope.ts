import { type TSchema, Type } from 'typebox';
import { FieldPath, Message, WithMeaning } from '../values.ts';

const TraceId = WithMeaning(
  Type.String({ format: 'uuid' }),
  'Unique per request, and equal to the header `trace-id`. Quote it when you report a problem.',
);

/** What every answer of the warehouse API looks like. */
export const Envelope = <Code extends TSchema, Message extends TSchema, Success extends boolean, Data extends TSchema>(
  code: Code,
  message: Message,
  success: Success,
  data: Data,
) =>
  Type.Object({
    code: WithMeaning(code, 'What became of it, for programs; decide by it.'),
    trace_id: TraceId,
    message: WithMeaning(message, 'The same for people.'),
    success: WithMeaning(
      Type.Literal(success),
      'Whether it was done, now. `false` with `LST-TPW-2001` too, although the original was accepted.',
    ),
    data,
  });

export const SuccessEnvelope = <Data extends TSchema>(data: Data) =>
  Envelope(Type.Literal('LST-TPW-2000'), Type.Literal('success'), true, data);

export const RefusalData = WithMeaning(
  Type.Object({
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          path: WithMeaning(FieldPath(), 'Where in the body: `details[0].qty`; empty for the body as a whole.'),
          message: WithMeaning(Message, 'What is wrong there, for people.'),
        }),
        { description: 'every mistake that was found, not just the first (at most about 1,000)' },
      ),
    ),
  }),
  'Where the mistakes are, where that can be said; else empty.',
);

export const RefusalEnvelope = (...codes: string[]) => Envelope(Type.Enum(codes), Message, false, RefusalData);

export const exampleTraceId = '019a83c4-5e00-7b3c-9d41-6f2b8a1c0e57';

export function exampleSuccess(data: object) {
  return { code: 'LST-TPW-2000', trace_id: exampleTraceId, message: 'success', success: true, data };
}

export function exampleRefusal(code: string, message: string, data: object = {}) {
  return { code, trace_id: exampleTraceId, message, success: false, data };
}
