import { type TSchema, Type } from 'typebox';
import { Errors } from '../errors/lists.ts';
import { Message, WithMeaning } from '../values.ts';

const TraceId = WithMeaning(
  Type.String({ format: 'uuid' }),
  'Unique per request, and equal to the `trace-id` header. Quote it when you report a problem.',
);

/** The envelope of every response of the warehouse API. */
export const Envelope = <Code extends TSchema, Message extends TSchema, Success extends boolean, Data extends TSchema>(
  code: Code,
  message: Message,
  success: Success,
  data: Data,
) =>
  Type.Object({
    code: WithMeaning(code, 'The result code. Programs should base their decisions on it.'),
    trace_id: TraceId,
    message: WithMeaning(message, 'The result as text for people.'),
    success: WithMeaning(
      Type.Literal(success),
      'Whether this request was successful. Also `false` with `LST-TPW-2001`, although the original was accepted.',
    ),
    data,
  });

export const SuccessEnvelope = <Data extends TSchema>(data: Data) =>
  Envelope(Type.Literal('LST-TPW-2000'), Type.Literal('success'), true, data);

export const RefusalData = WithMeaning(Type.Object({ errors: Errors }), 'The errors.');

export const RefusalEnvelope = (...codes: string[]) => Envelope(Type.Enum(codes), Message, false, RefusalData);

export const exampleTraceId = '019a83c4-5e00-7b3c-9d41-6f2b8a1c0e57';

export function exampleSuccess(data: object) {
  return { code: 'LST-TPW-2000', trace_id: exampleTraceId, message: 'success', success: true, data };
}

export function exampleRejection(code: string, message: string, data: object = {}) {
  return { code, trace_id: exampleTraceId, message, success: false, data };
}
