-- The operator's console: who is signed in, what operators did, and what they keep there.

-- The cookie's value is not kept, only its digest: who reads this table cannot take a session over.
create table operator_session (
  session_id uuid primary key,
  token_digest bytea not null unique,
  username text not null references operator,
  address text not null,
  user_agent text not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- null: not ended by anybody; it may have expired.
  ended_at timestamptz,
  ended_by text
);
create index operator_session_username on operator_session (username, created_at);
create index operator_session_expires on operator_session (expires_at);

-- Everything that operators do, written before it is done; how it went is added once.
create table operator_action (
  operator_action_id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  username text not null,
  -- null: nobody is signed in.
  role text,
  action text collate "C" not null,
  -- What it is about, as people call it: a number, a sku, a partner.
  subject text,
  account_no text,
  details jsonb not null default '{}',
  address text not null,
  trace_id uuid not null,
  -- null: not known; the service may have stopped meanwhile.
  outcome text
);
create index operator_action_at on operator_action (at, operator_action_id);
create index operator_action_username on operator_action (username, at, operator_action_id);
create index operator_action_action on operator_action (action, at, operator_action_id);
create index operator_action_trace_id on operator_action (trace_id);
create index operator_action_subject on operator_action (subject, at, operator_action_id) where subject is not null;
create index operator_action_account on operator_action (account_no, at, operator_action_id) where account_no is not null;
-- The audit log shows both, in the order of time.
create index partner_change_at on partner_change (changed_at, partner_change_id);

create function refuse_other_than_outcome() returns trigger language plpgsql as $$
begin
  if old.outcome is not null or to_jsonb(new) - 'outcome' <> to_jsonb(old) - 'outcome' then
    raise exception 'operator_action is append-only but for the outcome, once';
  end if;
  return new;
end $$;
create trigger operator_action_outcome before update on operator_action
  for each row execute function refuse_other_than_outcome();
create trigger operator_action_append_only before delete or truncate on operator_action
  for each statement execute function refuse_change();

-- A list as somebody likes to see it: the filters of its address.
create table saved_view (
  username text not null references operator,
  page text collate "C" not null,
  name text not null,
  query text not null,
  created_at timestamptz not null default now(),
  primary key (username, page, name)
);

-- What people write down about a document.
create table document_note (
  document_note_id bigint generated always as identity,
  document_type text collate "C" not null check (document_type in ('order', 'inbound')),
  document_id bigint not null,
  account_id bigint not null,
  at timestamptz not null default now(),
  author text not null,
  text text not null,
  primary key (document_type, document_id, document_note_id)
);
create trigger document_note_append_only before update or truncate on document_note for each statement execute function refuse_change();
create trigger document_note_purge after delete on document_note referencing old table as gone
  for each statement execute function refuse_delete_beyond_uat();

-- Processes that serve or work, each with a sign of life; one that is silent for long has gone.
create table node (
  node_id uuid primary key,
  host text not null,
  pid integer not null,
  role text not null check (role in ('api', 'worker', 'both')),
  version text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);

-- What arrives next; most documents of the logistics webhook do not say when.
create index inbound_search_arrival on inbound_document (account_id, estimated_arrival_at, created_at, inbound_id)
  where estimated_arrival_at is not null;

-- When partners last called, by the minute or so; written beside the calls.
create table partner_use (
  kind text collate "C" not null check (kind in ('account', 'client', 'logistics_key')),
  name text not null,
  last_used_at timestamptz not null,
  primary key (kind, name)
);

-- Calls that were about a document. Lines are written in groups in the background, so that no caller waits for it.
create index request_log_document_no on request_log (document_no, at) where document_no is not null;

-- Who paused a receiver, and since when. After it was let go on, nobody can say for a while that it is silent.
alter table callback_receiver
  add column paused_at timestamptz,
  add column paused_by text,
  add column resumed_at timestamptz;

-- How many orders left when; nothing but a shipment costs anything for it.
create index state_change_shipped on state_change (at) where document_type = 'order' and to_state = 'shipped';
