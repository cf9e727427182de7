import { Type } from 'typebox';
import { Errors } from '../errors/lists.ts';
import { NotDoneEnvelope } from '../main/envelope.ts';
import { WithMeaning } from '../values.ts';

export const RejectedRetval = WithMeaning(Type.Object({ errors: Errors }), 'The errors.');

/** The envelope of every rejection by the logistics webhook; that of a success is the same as in the main API. */
export const RejectedEnvelope = Type.Object({
  done: NotDoneEnvelope.properties.done,
  msg: NotDoneEnvelope.properties.msg,
  retval: RejectedRetval,
});
