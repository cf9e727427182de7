import { Type } from 'typebox';
import { WithMeaning } from '../values.ts';

/** What is told of a document that was accepted, now or before. */
export const AcceptedRetval = <Status extends string>(statuses: readonly Status[], meaning: string) =>
  WithMeaning(
    Type.Object({
      document_no: WithMeaning(Type.String(), 'Your own number of the document.'),
      status: WithMeaning(Type.Enum([...statuses]), meaning),
      idempotent: WithMeaning(Type.Boolean(), '`true` where the number was known, with the same body: nothing was done again.'),
    }),
    'The document that was accepted, now or before.',
  );
