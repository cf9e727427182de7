import { type TSchema, Type } from 'typebox';
import { Errors } from '../errors/lists.ts';
import { Message, WithMeaning } from '../values.ts';

/** The envelope of every response of the main API. */
export const DoneEnvelope = <Retval extends TSchema>(retval: Retval) =>
  Type.Object({
    done: WithMeaning(Type.Literal(true), '`true`: success, now or by an earlier request.'),
    msg: WithMeaning(Type.Literal('success'), 'Always `success`.'),
    retval,
  });

export const NotDoneEnvelope = Type.Object({
  done: WithMeaning(Type.Literal(false), '`false`: the request was rejected.'),
  msg: WithMeaning(Message, 'The reason, as text for people.'),
  retval: WithMeaning(Type.Null(), 'Always `null`.'),
  errors: Errors,
});

export const exampleDone = (retval: object) => ({ done: true, msg: 'success', retval });
export const exampleNotDone = (msg: string) => ({ done: false, msg, retval: null });
