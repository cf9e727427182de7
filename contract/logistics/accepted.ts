import { Type } from 'typebox';
import { Text, WithMeaning } from '../values.ts';

/** What is told of a document that was accepted, now or before. */
export const AcceptedRetval = <Status extends string>(statuses: readonly Status[], meaning: string) =>
  WithMeaning(
    Type.Object({
      document_no: WithMeaning(Text(255), 'Your own number of the document.'),
      status: WithMeaning(Type.Enum([...statuses]), meaning),
      idempotent: WithMeaning(Type.Boolean(), '`true` where the number was known, with the same body: nothing was done again.'),
    }),
    'The document that was accepted, now or before.',
  );
