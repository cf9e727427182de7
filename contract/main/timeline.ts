import { type Static, Type } from 'typebox';
import { WithMeaning } from '../values.ts';
import { Time } from './times.ts';

const TextOrNull = (meaning: string) => WithMeaning(Type.Union([Type.String(), Type.Null()]), meaning);

/** One thing that happened to a document: it was made, or its state changed. */
export const TimelineEntry = Type.Object({
  event: WithMeaning(Type.String(), 'What happened; `create`: the document was made.'),
  from: WithMeaning(
    Type.Union([Type.String({ examples: ['pending_warehouse_transfer'] }), Type.Null()]),
    'The status that it left; `null`: it was made.',
  ),
  to: WithMeaning(Type.String(), 'The status that it reached.'),
  at: Time('When.'),
  by: TextOrNull('Who or which system brought it about; `null`: before this was kept.'),
  trace_id: WithMeaning(Type.Union([Type.String({ format: 'uuid' }), Type.Null()]), 'In which call; `null`: not by a call.'),
});
export type TimelineEntry = Static<typeof TimelineEntry>;

/** A field of the rows of a search list. */
export const Timeline = Type.Array(TimelineEntry, { description: 'all that happened to it, in that order' });
