import { type Static, Type } from 'typebox';
import { Message, Text, WithMeaning } from '../values.ts';

/** `/diagnose`: the body of the rejected request. It is taken as it is, and nothing in it is checked. */
export const DiagnoseBody = WithMeaning(
  Type.Object({}, { additionalProperties: true }),
  'The body of the rejected request, byte for byte. It is not processed.',
);

export const DiagnoseFinding = Type.Object({
  code: WithMeaning(Text(64, 'body_differs'), 'The kind of mistake. New kinds may be added.'),
  message: WithMeaning(Message, 'The mistake and how to fix it, as text for people.'),
});

export const DiagnoseData = WithMeaning(
  Type.Object({
    signature_matches: WithMeaning(
      Type.Boolean(),
      '`true`: this request is signed correctly, and its timestamp is valid now.',
    ),
    findings: Type.Array(DiagnoseFinding, {
      description: 'the mistakes in the headers and the signature; empty if there are none',
    }),
  }),
  'The diagnosis.',
);
export type DiagnoseData = Static<typeof DiagnoseData>;
