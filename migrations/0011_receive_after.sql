-- Forms of a UAT key stay expected for a while, so that partial receipts, stopping and cancelling can be tried.

-- Seconds until a form that is received on creation is received; 0: at once. Keys from before keep receiving at once.
alter table logistics_key add column receive_after_s integer not null default 0 check (receive_after_s between 0 and 86400);

-- When the rest of the document is received automatically; null: never, or it was received when it was created.
alter table inbound_document add column receive_at timestamptz;
