import type { TimelineEntry as WireEntry } from '../../../contract/main/timeline.ts';
import type { TimelineEntry } from '../../domain/timeline/timeline.ts';

export function wordTimeline(entries: TimelineEntry[]): WireEntry[] {
  return entries.map(({ event, from, to, at, actor, traceId }) => ({ event, from, to, at, by: actor, trace_id: traceId }));
}
