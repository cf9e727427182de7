import { type Static, Type } from 'typebox';
import { WithAlternatives } from '../alternatives.ts';
import { warnings } from '../errors/lists.ts';
import { WithMeaning } from '../values.ts';
import { NamedDocument, nameFields, oneName } from './inbounds-named.ts';

/** `inbounds/stop`: no more goods are expected for a document. */
export const InboundsStopBody = NamedDocument(WithAlternatives(Type.Object(nameFields), oneName));
export type InboundsStopBody = Static<typeof InboundsStopBody>;

export const InboundsStopRetval = WithMeaning(
  Type.Object({
    status: WithMeaning(Type.Literal('stopped'), 'Received goods stay in stock, and no more are expected.'),
    idempotent: WithMeaning(Type.Boolean(), '`true` if receiving was already stopped.'),
    ...warnings,
  }),
  'The result of the stop.',
);
export type InboundsStopRetval = Static<typeof InboundsStopRetval>;
