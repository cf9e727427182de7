-- Every API call, for as long as it may be asked about. A partition a day, so that forgetting a day costs nothing;
-- a trace id carries its time, so that looking one up opens one partition only.
create table request_log (
  at timestamptz not null,
  trace_id uuid not null,
  contract text not null,
  method text not null,
  endpoint text not null,
  status smallint not null,
  duration_us integer not null,
  account_no text,
  document_no text,
  code text,
  reason text
) partition by range (at);
create index request_log_trace_id on request_log (trace_id);

-- What happens again and again, claimed by whichever worker comes first.
create table schedule (
  name text primary key,
  next_run_at timestamptz not null default now(),
  last_run_at timestamptz,
  last_outcome text
);
