-- Parcels, short shipments and failed deliveries.

-- Nodes of the previous version do not know the new states. They show them as they are, and answer a report or a
-- cancellation of such an order with 500; a repeat at a new node succeeds.
-- Safe beside older versions: the new constraint allows more.
alter domain order_status drop constraint order_status_check;
alter domain order_status add constraint order_status_check check (value in ('awaiting_stock', 'pending_warehouse_transfer',
  'in_warehouse', 'picking', 'packed', 'partially_shipped', 'shipped', 'arrived', 'delivered', 'undelivered', 'cancelled'))
  not valid;

-- Why the order did not reach its recipient; null: it did, or may yet.
alter table orders add column undelivered_reason text collate "C";

-- A shipment of an order. Orders of UAT accounts are never shipped, so a purge finds no parcels. An order that was
-- shipped before this table existed has none here: it left in one parcel with the number of the order.
create table parcel (
  account_id bigint not null,
  order_id bigint not null,
  -- In the order of the reports, from 1 on.
  parcel_no integer not null,
  shipment_no text collate "C" not null,
  -- Empty: not reported.
  carrier text collate "C" not null,
  -- The number was used before, and the warehouse said that this is right.
  is_repeat boolean not null default false,
  at timestamptz not null default now(),
  primary key (account_id, order_id, parcel_no)
);
-- Numbers from before this table may repeat; the operation compares new numbers with those, too.
create unique index parcel_shipment on parcel (account_id, shipment_no, carrier) where not is_repeat;
-- People search by the number of any parcel. That of the first one is also in orders, so most parcels need no entry.
create index parcel_search_further on parcel (account_id, shipment_no, order_id) where parcel_no > 1;

-- The units in a parcel; each row equals a movement of the kind `ship`.
create table parcel_item (
  account_id bigint not null,
  order_id bigint not null,
  parcel_no integer not null,
  lot_id bigint not null,
  qty quantity not null,
  primary key (account_id, order_id, parcel_no, lot_id)
);

-- Units that were ordered but will not be shipped. They were unlocked when the warehouse reported its last parcel.
create table short_line (
  account_id bigint not null,
  order_id bigint not null,
  product_id bigint not null,
  qty quantity not null,
  primary key (account_id, order_id, product_id)
);

do $$
declare
  name text;
begin
  foreach name in array array['parcel', 'parcel_item', 'short_line']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('create policy stated_accounts on %I using (coalesce(
      account_id = any ((select nullif(current_setting(''lading.accounts'', true), '''')::bigint[])::bigint[]), false))', name);
  end loop;
end $$;
