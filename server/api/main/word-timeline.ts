import type { InboundRow } from '../../../contract/main/inbounds-search.ts';
import type { OrderRow } from '../../../contract/main/orders-search.ts';
import type { TimelineEntry } from '../../domain/timeline/timeline.ts';

/** Its events and states are those of the document, which the row knows. */
export function wordTimeline<Row extends OrderRow | InboundRow>(entries: TimelineEntry[]): Row['timeline'] {
  return entries.map(({ event, from, to, at, actor, traceId }) => ({
    event,
    from,
    to,
    at,
    by: actor,
    trace_id: traceId,
  })) as Row['timeline'];
}
