import { type Static, Type } from 'typebox';
import { WithMeaning } from '../values.ts';
import { NamedDocument, nameFields } from './inbounds-named.ts';

/** `inbounds/stop`: what has not arrived of a document is not waited for. */
export const InboundsStopBody = NamedDocument(Type.Object(nameFields));
export type InboundsStopBody = Static<typeof InboundsStopBody>;

export const InboundsStopRetval = WithMeaning(
  Type.Object({
    status: WithMeaning(Type.Literal('stopped'), 'What has arrived stays, the rest is closed.'),
    idempotent: WithMeaning(Type.Boolean(), '`true` where it was stopped before.'),
  }),
  'That it is stopped.',
);
export type InboundsStopRetval = Static<typeof InboundsStopRetval>;
