import { Type } from 'typebox';
import { OneOfOrNull, TextOrNull, WithMeaning } from '../values.ts';
import { Time } from './times.ts';

/** One thing that happened to a document: it was made, or its state changed. */
const TimelineEntry = <Event extends string, Status extends string>(events: readonly Event[], statuses: readonly Status[]) =>
  Type.Object({
    event: WithMeaning(Type.Enum(['create', ...events]), 'What happened; `create`: the document was made.'),
    from: OneOfOrNull(statuses, 'The status that it left; `null`: it was made.', statuses[0]!),
    to: WithMeaning(Type.Enum([...statuses]), 'The status that it reached.'),
    at: Time('When.'),
    by: TextOrNull(255, 'Who or which system brought it about; `null`: before this was kept.'),
    trace_id: WithMeaning(Type.Union([Type.String({ format: 'uuid' }), Type.Null()]), 'In which call; `null`: not by a call.'),
  });

/** A field of the rows of a search list. */
export const Timeline = <Event extends string, Status extends string>(events: readonly Event[], statuses: readonly Status[]) =>
  Type.Array(TimelineEntry(events, statuses), { description: 'all that happened to it, in that order' });
