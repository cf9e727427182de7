-- Alerts: rules of administrators about the items of the home page, what each rule has last said about them, and the
-- messages that are to be sent or were sent. The tables belong to no account: a rule is about any of them.

create sequence alert_rule_id_seq;
create table alert_rule (
  alert_rule_id bigint primary key default nextval('alert_rule_id_seq'),
  name text not null,
  enabled boolean not null,
  language text collate "C" not null check (language in ('en', 'zh-TW')),
  -- null: all kinds of items, all accounts, all warehouses.
  kinds text[],
  account_nos text[],
  warehouse_nos integer[],
  min_count integer not null check (min_count > 0),
  min_minutes integer not null check (min_minutes >= 0),
  repeat_hours integer not null check (repeat_hours > 0),
  notify_resolved boolean not null,
  emails text[] not null,
  webhook_url text,
  -- Signs the webhook.
  sealed bytea,
  -- The master key that seals it.
  master_key_id text,
  -- Minutes after midnight in Taipei, and the days on which the quiet hours begin: 1 is Monday.
  quiet_from integer check (quiet_from between 0 and 1439),
  quiet_to integer check (quiet_to between 0 and 1439),
  quiet_days integer[],
  urgent_ignores_quiet boolean not null,
  created_at timestamptz not null default now(),
  created_by text not null,
  -- The time of the last look at the items that this rule has taken into account.
  looked_at timestamptz,
  check ((sealed is null) = (webhook_url is null)),
  check ((sealed is null) = (master_key_id is null)),
  check (num_nonnulls(quiet_from, quiet_to, quiet_days) in (0, 3))
);

-- One row for each kind of item that reaches the threshold of a rule, or that the rule still has to say something about.
create table alert_state (
  alert_rule_id bigint not null references alert_rule on delete cascade,
  kind text collate "C" not null,
  count integer not null,
  is_more boolean not null,
  met_since timestamptz not null,
  -- Since when the threshold is no longer reached; null: it is.
  gone_since timestamptz,
  -- What the last message about it said; null: there was none since it began.
  notified_at timestamptz,
  notified_count integer,
  -- Since when something about it waits for the end of the quiet hours, and the highest count since then.
  held_since timestamptz,
  held_max integer,
  primary key (alert_rule_id, kind)
);

create sequence alert_message_id_seq;
create table alert_message (
  alert_message_id bigint primary key default nextval('alert_message_id_seq'),
  alert_rule_id bigint not null references alert_rule on delete cascade,
  -- The same in every attempt, so that a receiver can see a repeat.
  event_id uuid not null,
  channel text collate "C" not null check (channel in ('email', 'webhook')),
  occasion text collate "C" not null check (occasion in ('alert', 'summary', 'test')),
  items jsonb not null,
  state text collate "C" not null check (state in ('pending', 'sent', 'failed')),
  -- Addresses that have not been served yet, how many were, and those that the mail server will never take.
  recipients text[] not null,
  taken integer not null,
  refused text[] not null,
  attempts integer not null,
  due_at timestamptz not null,
  -- Until when another worker must not send it; null: nobody is sending it.
  lease_until timestamptz,
  created_at timestamptz not null,
  attempted_at timestamptz,
  -- The answer of the last attempt.
  result text
);
create index alert_message_rule on alert_message (alert_rule_id, alert_message_id);
create index alert_message_pending on alert_message (channel, due_at) where state = 'pending';
create index alert_message_age on alert_message (created_at);
