import { Type } from 'typebox';
import { warnings } from '../errors/lists.ts';
import { Text, WithMeaning } from '../values.ts';

/** The response to a document that was accepted, now or by an earlier request. */
export const AcceptedRetval = <Status extends string>(statuses: readonly Status[], meaning: string) =>
  WithMeaning(
    Type.Object({
      document_no: WithMeaning(Text(255), 'Your number for the document.'),
      status: WithMeaning(Type.Enum([...statuses]), meaning),
      idempotent: WithMeaning(
        Type.Boolean(),
        '`true` if the number was already used with the same body: the request had no further effect.',
      ),
      ...warnings,
    }),
    'The document, accepted now or by an earlier request.',
  );
