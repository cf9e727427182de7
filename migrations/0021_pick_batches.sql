-- Batches of orders that staff pick together, in a warehouse without a system of its own.

-- A batch belongs to no account: it may have orders of several.
create sequence pick_batch_id_seq;
create table pick_batch (
  batch_id bigint primary key default nextval('pick_batch_id_seq'),
  -- Chosen by the device that claims the orders, so that a repeat finds its batch.
  claim_id uuid not null unique,
  warehouse_no integer not null,
  -- The accounts of its orders.
  account_ids bigint[] not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  -- null: staff still pick it.
  closed_at timestamptz,
  closed_by text
);
create index pick_batch_open on pick_batch (batch_id) where closed_at is null;

-- The scans of an open batch with their answers, so that a repeat changes nothing. They are deleted when the batch closes.
create table pick_scan (
  batch_id bigint not null references pick_batch,
  -- Chosen by the device.
  scan_id uuid not null,
  answer json not null,
  username text not null,
  at timestamptz not null default now(),
  primary key (batch_id, scan_id)
);

-- open: being picked. picked: ready for packing. left: the order is no longer part of the batch, for a reason.
create domain pick_state as text collate "C" check (value in ('open', 'picked', 'left'));
create table pick_batch_order (
  account_id bigint not null,
  order_id bigint not null,
  batch_id bigint not null,
  -- The place of the order on the cart, from 1 on.
  slot integer not null check (slot > 0),
  state pick_state not null default 'open',
  reason text collate "C",
  primary key (account_id, order_id, batch_id)
);
-- Nobody picks an order twice.
create unique index pick_batch_order_once on pick_batch_order (account_id, order_id) where state <> 'left';
create index pick_batch_order_batch on pick_batch_order (account_id, batch_id);

-- The units of a lot that an order has locked, and how many of them were found.
create table pick_task (
  account_id bigint not null,
  order_id bigint not null,
  batch_id bigint not null,
  lot_id bigint not null,
  product_id bigint not null,
  qty quantity not null,
  picked bigint not null default 0 check (picked >= 0),
  -- Units that were not found, and why.
  short bigint not null default 0 check (short >= 0),
  reason text collate "C",
  primary key (account_id, order_id, batch_id, lot_id),
  constraint pick_task_within_qty check (picked + short <= qty)
);
create index pick_task_batch on pick_task (account_id, batch_id);

do $$
declare
  name text;
begin
  foreach name in array array['pick_batch_order', 'pick_task']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('create policy stated_accounts on %I using (coalesce(
      account_id = any ((select nullif(current_setting(''lading.accounts'', true), '''')::bigint[])::bigint[]), false))', name);
  end loop;
end $$;
