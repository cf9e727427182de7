-- Changes of an order before it is picked: its recipient, ship method, note and label, and whether it is on hold.

-- null: the order is not on hold. Waves skip orders on hold.
alter table orders add column held_at timestamptz;
-- The last change, made or requested. null: the order never changed, and nobody needs to look for its changes.
alter table orders add column changed_at timestamptz;

-- Every change with its old and new values, in order. The values are personal data and are erased with the recipient.
create domain order_change_kind as text collate "C" check (value in ('update', 'hold', 'release'));
-- made: in force. requested: the system of the warehouse has the order and has not answered yet. refused: it refused the
-- change, and the order is as before.
create domain order_change_state as text collate "C" check (value in ('made', 'requested', 'refused'));
create sequence order_change_id_seq;
create table order_change (
  account_id bigint not null,
  order_id bigint not null,
  order_change_id bigint not null default nextval('order_change_id_seq'),
  kind order_change_kind not null,
  state order_change_state not null,
  at timestamptz not null default now(),
  actor text not null,
  trace_id uuid,
  -- The names of the fields, and their values as objects by name. null: none, or erased.
  fields text[] not null,
  old_values json,
  new_values json,
  -- Why the order is on hold, as a partner or an operator wrote it.
  reason text,
  -- Of a change that was requested from the system of a warehouse: its id there, the warehouse, the address of the system,
  -- the attempts to send it, when it was answered, and why it was refused: a message, {"code":...,"params":{...}}.
  request_id uuid,
  warehouse_no integer,
  changes_url text,
  attempts integer not null default 0,
  answered_at timestamptz,
  answer text,
  primary key (account_id, order_id, order_change_id),
  constraint order_change_requested_from check (state = 'made' or (request_id is not null and warehouse_no is not null))
);
create index order_change_requested on order_change (account_id, warehouse_no, order_change_id) where state = 'requested';

alter table order_change enable row level security;
create policy stated_accounts on order_change using (coalesce(
  account_id = any ((select nullif(current_setting('lading.accounts', true), '')::bigint[])::bigint[]), false));
create policy delete_uat_only on order_change as restrictive for delete using (
  account_id in (select account_id from account where environment = 'uat'));
