/** A document's first state, or a change of it: what happened, when, through whom, and in which call. */
export interface TimelineEntry {
  event: string;
  /** null: it was made. */
  from: string | null;
  to: string;
  at: string;
  /** null: made before this was kept. */
  actor: string | null;
  /** null: not by a call. */
  traceId: string | null;
}

/** What a document says of its own making. */
export interface Made {
  status: string;
  created_at: string;
  created_by: string | null;
  trace_id: string | null;
}

/** All that happened to a document, from its making on. */
export function timelineOf({ status, created_at, created_by, trace_id }: Made, changes: TimelineEntry[]): TimelineEntry[] {
  const first = changes[0]?.from ?? status;
  return [{ event: 'create', from: null, to: first, at: created_at, actor: created_by, traceId: trace_id }, ...changes];
}
