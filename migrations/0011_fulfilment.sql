-- Fulfilment: what happened to a document, what arrived of it, how orders reach the warehouse, and how UAT data goes again.

-- Every change of a document's state, in the order in which they happened. Its first state is no change: who made the document, when and
-- in which call stands in the document itself, so that a new order costs nothing more.
create table state_change (
  state_change_id bigint generated always as identity,
  document_type text collate "C" not null check (document_type in ('order', 'inbound')),
  document_id bigint not null,
  account_id bigint not null,
  event text collate "C" not null,
  from_state text collate "C" not null,
  to_state text collate "C" not null,
  at timestamptz not null default clock_timestamp(),
  actor text not null,
  trace_id uuid,
  primary key (document_type, document_id, state_change_id)
);
-- null: made before this was kept.
alter table orders add column created_by text;
alter table inbound_document add column created_by text;
-- Of what has changed before, at least the end is known.
insert into state_change (document_type, document_id, account_id, event, from_state, to_state, at, actor)
  select 'order', order_id, account_id, 'cancel',
    case when exists (select from movement m where m.order_id = orders.order_id) then 'pending_warehouse_transfer' else 'awaiting_stock' end,
    status, updated_at, 'unknown'
  from orders where status = 'cancelled';
insert into state_change (document_type, document_id, account_id, event, from_state, to_state, at, actor)
  select 'inbound', inbound_id, account_id, case status when 'stopped' then 'stop' else 'cancel' end,
    case when status = 'cancelled' and receiving = 'on_create' then 'received' else 'expected' end, status, updated_at, 'unknown'
  from inbound_document where status in ('stopped', 'cancelled');

-- How many units more than announced may arrive, of each product, in percent. A document keeps the rule that it was made under.
alter table tenant add column over_delivery_percent integer not null default 0 check (over_delivery_percent between 0 and 1000);
alter table logistics_key add column over_delivery_percent integer not null default 0 check (over_delivery_percent between 0 and 1000);
alter table inbound_document add column over_delivery_percent integer not null default 0;

-- Receipts that were given a number: what makes a repeat a repeat. What they brought are the document's movements.
create table receipt (
  inbound_id bigint not null,
  receipt_no text collate "C" not null,
  account_id bigint not null,
  payload_digest bytea not null,
  at timestamptz not null default now(),
  primary key (inbound_id, receipt_no)
);

-- The handing over of an order to the system of its warehouse. An order has one at most; its id tells the other side what it knows already.
create table transfer (
  order_id bigint primary key,
  transfer_id uuid not null unique,
  account_id bigint not null,
  warehouse_no integer not null,
  -- waiting: surely not with the warehouse, and to be sent, under a new id. sending: whether the warehouse has it is not known. rejected: the
  -- warehouse does not want it, and the order is put aside.
  status text collate "C" not null check (status in ('waiting', 'sending', 'accepted', 'rejected')),
  attempts integer not null default 0,
  -- Why it was rejected, or what went wrong last.
  reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Of a simulated warehouse: when the order goes on.
  next_step_at timestamptz,
  -- Of a simulated warehouse: what is the matter with the order.
  note text
);
create index transfer_sending on transfer (warehouse_no, order_id) where status = 'sending';
create index transfer_rejected on transfer (warehouse_no, order_id) where status = 'rejected';
create index transfer_next_step on transfer (next_step_at) where next_step_at is not null;

-- When each warehouse has its next wave, and who is at it. One wave at a time: so orders go in the order in which they came.
create table push_schedule (
  warehouse_no integer primary key,
  next_wave_at timestamptz not null default now(),
  -- null: nobody. What is recorded under a lease that has passed to another is not accepted.
  lease uuid,
  lease_until timestamptz,
  -- Waves in a row that could not be finished.
  failures integer not null default 0,
  last_wave_at timestamptz,
  last_outcome text
);

-- An order of a UAT account never goes beyond the hand-over to the warehouse, whatever the code does.
create function refuse_beyond_uat() returns trigger language plpgsql as $$
begin
  if exists (select from account where account_id = new.account_id and environment = 'uat') then
    raise exception 'order % is of a UAT account and cannot be %', new.order_id, new.status;
  end if;
  return new;
end $$;
create trigger orders_uat_stays before insert or update of status on orders
  for each row when (new.status in ('in_warehouse', 'picking', 'packed', 'shipped', 'delivered')) execute function refuse_beyond_uat();

-- What is purged is of UAT accounts, and nothing else is ever deleted.
create function refuse_delete_beyond_uat() returns trigger language plpgsql as $$
begin
  if exists (select from (select distinct account_id from gone) g join account using (account_id) where environment <> 'uat') then
    raise exception '% of a production account is never deleted', tg_table_name;
  end if;
  if current_setting('lading.purging', true) is distinct from 'on' then
    raise exception '% is append-only: nothing but a purge deletes from it', tg_table_name;
  end if;
  return null;
end $$;
drop trigger movement_append_only on movement;
create trigger movement_append_only before update or truncate on movement for each statement execute function refuse_change();
create trigger movement_purge after delete on movement referencing old table as gone
  for each statement execute function refuse_delete_beyond_uat();
create trigger state_change_append_only before update or truncate on state_change for each statement execute function refuse_change();
create trigger state_change_purge after delete on state_change referencing old table as gone
  for each statement execute function refuse_delete_beyond_uat();
create trigger orders_purge after delete on orders referencing old table as gone
  for each statement execute function refuse_delete_beyond_uat();
create trigger order_line_purge after delete on order_line referencing old table as gone
  for each statement execute function refuse_delete_beyond_uat();
create trigger shipping_order_purge after delete on shipping_order referencing old table as gone
  for each statement execute function refuse_delete_beyond_uat();
create trigger transfer_purge after delete on transfer referencing old table as gone
  for each statement execute function refuse_delete_beyond_uat();
create trigger inbound_document_purge after delete on inbound_document referencing old table as gone
  for each statement execute function refuse_delete_beyond_uat();
create trigger inbound_line_purge after delete on inbound_line referencing old table as gone
  for each statement execute function refuse_delete_beyond_uat();
create trigger inbound_form_purge after delete on inbound_form referencing old table as gone
  for each statement execute function refuse_delete_beyond_uat();
create trigger receipt_purge after delete on receipt referencing old table as gone
  for each statement execute function refuse_delete_beyond_uat();
create trigger callback_purge after delete on callback referencing old table as gone
  for each statement execute function refuse_delete_beyond_uat();
create trigger callback_attempt_purge after delete on callback_attempt referencing old table as gone
  for each statement execute function refuse_delete_beyond_uat();
create trigger callback_target_purge after delete on callback_target referencing old table as gone
  for each statement execute function refuse_delete_beyond_uat();

-- Corrections, which belong to no document, are found by their lot.
create index movement_correction on movement (account_id, lot_id, at) where order_id is null and inbound_id is null;

-- What each purge has taken away. Written batch by batch: one that was cut off has no end.
create table purge_report (
  purge_id bigint generated always as identity primary key,
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  actor text not null,
  -- Documents made before were to go.
  made_before timestamptz not null,
  orders bigint not null default 0,
  inbounds bigint not null default 0,
  movements bigint not null default 0,
  callbacks bigint not null default 0,
  -- Units that stay on hand, without their document, because younger movements rest on them.
  units_kept bigint not null default 0
);
