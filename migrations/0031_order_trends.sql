-- Trends of orders and callbacks, and when a warehouse has to ship.

-- Orders that were created before this time of a working day, in Taipei, have to leave that day; later ones on the next working
-- day. null: the warehouse has no such rule.
alter table warehouse add column cut_off text collate "C" check (cut_off ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$');
alter table warehouse add column working_days text[] not null default '{mon,tue,wed,thu,fri}'
  check (cardinality(working_days) between 1 and 7 and working_days <@ '{mon,tue,wed,thu,fri,sat,sun}');

-- Orders per account, day in Taipei, warehouse and carrier, counted by the job count_trends.
create table order_trend (
  account_id bigint not null,
  day date not null,
  warehouse_no integer not null,
  -- The carrier that was reported, or else the one that the order asks for. Empty: none of both. other: one of too many.
  carrier text collate "C" not null,
  created integer not null default 0,
  shipped integer not null default 0,
  -- Of the shipped ones: without some of their units.
  short integer not null default 0,
  delivered integer not null default 0,
  undelivered integer not null default 0,
  cancelled integer not null default 0,
  -- Had to be shipped on this day, and those of them that were shipped by then.
  due integer not null default 0,
  on_time integer not null default 0,
  -- Of those created on this day: neither shipped nor cancelled yet.
  open integer not null default 0,
  primary key (account_id, day, warehouse_no, carrier)
);
create index order_trend_open on order_trend (account_id, day) where open > 0;

-- What was counted of each order. The next count takes it back before it adds the order as it is then.
create table counted_order (
  account_id bigint not null,
  order_id bigint not null,
  warehouse_no integer not null,
  carrier text collate "C" not null,
  created_on date not null,
  due_on date,
  shipped_on date,
  ended_on date,
  -- delivered, undelivered or cancelled.
  ended text collate "C",
  is_short boolean not null,
  primary key (account_id, order_id)
) with (fillfactor = 80);

-- How far the orders of an account are counted: the last one, in the order of their last change.
create table order_trend_progress (
  account_id bigint primary key,
  updated_at timestamptz not null default '-infinity',
  created_at timestamptz not null default '-infinity',
  -- That of the order.
  id bigint not null default 0,
  -- The warehouses that had a cut-off. Orders of another one get their day when they are counted again.
  cut_off_warehouses integer[] not null default '{}',
  -- Carriers that have rows of their own.
  carriers text[] not null default '{}'
);

-- Open orders by age, as the last count of each day found them. 0: created on that day, 1: the day before, 2: two or three
-- days before, 3: four to seven, 4: earlier.
create table backlog_trend (
  account_id bigint not null,
  day date not null,
  warehouse_no integer not null,
  carrier text collate "C" not null,
  age smallint not null,
  orders integer not null,
  primary key (account_id, day, warehouse_no, carrier, age)
);

-- Attempts to deliver callbacks per receiver and hour. The worker that records an attempt counts it in the same
-- transaction, under the lock of its receiver. Test callbacks are not counted.
create table callback_trend (
  account_id bigint not null,
  -- Its beginning.
  hour timestamptz not null,
  receiver_id uuid not null,
  attempts integer not null,
  -- Attempts without success.
  failed integer not null,
  -- Callbacks that arrived, and callbacks that were given up.
  delivered integer not null,
  given_up integer not null,
  -- Responses by their time: below the limits in server/domain/callbacks/latency.ts, and the last for all others.
  latency integer[] not null,
  primary key (account_id, hour, receiver_id)
);

do $$
declare
  name text;
begin
  foreach name in array array['order_trend', 'counted_order', 'order_trend_progress', 'backlog_trend', 'callback_trend']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('create policy stated_accounts on %I using (coalesce(
      account_id = any ((select nullif(current_setting(''lading.accounts'', true), '''')::bigint[])::bigint[]), false))', name);
  end loop;
end $$;
create policy delete_uat_only on counted_order as restrictive for delete using (
  account_id in (select account_id from account where environment = 'uat'));
