export interface AuditQuestion {
  who?: string;
  action?: string;
  subject?: string;
  account?: string;
  from?: string;
  until?: string;
  pageSize: number;
  after: AuditPosition | null;
}

/** The position of a row in the log. */
export interface AuditPosition {
  at: string;
  source: 'action' | 'change';
  id: number;
}

export interface FoundAction extends AuditPosition {
  source: 'action';
  username: string;
  role: string | null;
  action: string;
  subject: string | null;
  account_no: string | null;
  details: Record<string, unknown>;
  address: string;
  trace_id: string;
  outcome: string | null;
}

export interface FoundChange extends AuditPosition {
  source: 'change';
  actor: string;
  subject_kind: string;
  subject: string;
  account_no: string | null;
  change: string;
  fields: Record<string, unknown>;
  before: Record<string, unknown> | null;
}

export interface AuditScan<Row> {
  rows: Row[];
  /** The scan ended here; null: it covered everything. */
  endsAt: AuditPosition | null;
}

export interface AuditPage<Row> {
  rows: Row[];
  next: AuditPosition | null;
}
