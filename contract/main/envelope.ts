import { type TSchema, Type } from 'typebox';
import { Message, WithMeaning } from '../values.ts';

/** What every answer of the main API looks like. */
export const DoneEnvelope = <Retval extends TSchema>(retval: Retval) =>
  Type.Object({
    done: WithMeaning(Type.Literal(true), '`true`: it was done, now or before.'),
    msg: WithMeaning(Type.Literal('success'), 'Always `success`.'),
    retval,
  });

export const NotDoneEnvelope = Type.Object({
  done: WithMeaning(Type.Literal(false), '`false`: nothing was done.'),
  msg: WithMeaning(Message, 'Why, for people.'),
  retval: WithMeaning(Type.Null(), 'Always `null`.'),
});

export const exampleDone = (retval: object) => ({ done: true, msg: 'success', retval });
export const exampleNotDone = (msg: string) => ({ done: false, msg, retval: null });
