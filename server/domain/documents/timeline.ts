/** The first state of a document or a change of state: what happened, when, who caused it, and in which request. */
export interface TimelineEntry {
  event: string;
  /** null: the document was created. */
  from: string | null;
  to: string;
  at: string;
  /** null: created before actors were recorded. */
  actor: string | null;
  /** null: not caused by a request. */
  traceId: string | null;
}

/** How a document was created. */
export interface Creation {
  status: string;
  created_at: string;
  created_by: string | null;
  trace_id: string | null;
}

/** Everything that happened to a document since its creation. */
export function timelineOf(
  { status, created_at, created_by, trace_id }: Creation,
  changes: TimelineEntry[],
): TimelineEntry[] {
  const first = changes[0]?.from ?? status;
  return [{ event: 'create', from: null, to: first, at: created_at, actor: created_by, traceId: trace_id }, ...changes];
}
