import type { InboundRow } from '../../../contract/main/inbounds-search.ts';
import type { OrderRow } from '../../../contract/main/orders-search.ts';
import type { TimelineEntry } from '../../domain/documents/timeline.ts';

/** The type of the row determines the possible events and statuses. */
export function formatTimeline<Row extends OrderRow | InboundRow>(entries: TimelineEntry[]): Row['timeline'] {
  return entries.map(({ event, from, to, at, actor, traceId }) => ({
    event,
    from,
    to,
    at,
    by: actor,
    trace_id: traceId,
  })) as Row['timeline'];
}
