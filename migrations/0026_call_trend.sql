-- Calls per account and hour, counted from the request log by the job count_trends. The log is kept for some weeks; these
-- rows stay.
create table call_trend (
  account_id bigint not null,
  -- Its beginning.
  hour timestamptz not null,
  calls bigint not null,
  -- Responses with a status from 400 to 499, and from 500 on.
  refused bigint not null,
  failed bigint not null,
  -- The time that all calls took together.
  duration_ms bigint not null,
  -- The last call whose caller was not refused with 401; null: there was none. Anybody can name an account.
  last_call_at timestamptz,
  primary key (account_id, hour)
);

alter table call_trend enable row level security;
create policy stated_accounts on call_trend using (coalesce(
  account_id = any ((select nullif(current_setting('lading.accounts', true), '')::bigint[])::bigint[]), false));

-- How far a count over all accounts has come.
create table trend_progress (
  name text collate "C" primary key,
  counted_until timestamptz not null
);
