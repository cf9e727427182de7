import { Type } from 'typebox';
import { OneOfOrNull, TextOrNull, WithMeaning } from '../values.ts';
import { Time } from './times.ts';

/** An entry in the history of a document: its creation or a change of its status. */
const TimelineEntry = <Event extends string, Status extends string>(
  events: readonly Event[],
  statuses: readonly Status[],
) =>
  Type.Object({
    event: WithMeaning(Type.Enum(['create', ...events]), 'The event; `create`: the document was created.'),
    from: OneOfOrNull(statuses, 'The previous status; `null` on creation.', statuses[0]!),
    to: WithMeaning(Type.Enum([...statuses]), 'The new status.'),
    at: Time('Time of the event.'),
    by: TextOrNull(255, 'The person or system that caused the event; `null` for events before this was recorded.'),
    trace_id: WithMeaning(
      Type.Union([Type.String({ format: 'uuid' }), Type.Null()]),
      'Trace id of the request that caused the event; `null` if no request did.',
    ),
  });

/** The `timeline` field in rows of a search list. */
export const Timeline = <Event extends string, Status extends string>(
  events: readonly Event[],
  statuses: readonly Status[],
) => Type.Array(TimelineEntry(events, statuses), { description: 'the history of the document, oldest first' });
