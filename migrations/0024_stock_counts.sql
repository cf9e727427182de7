-- Counts of the units on the shelves, and the differences that were booked.

create sequence stock_count_id_seq;
create table stock_count (
  account_id bigint not null,
  count_id bigint not null default nextval('stock_count_id_seq'),
  -- The key of the request: a repeat finds the count that it created.
  request_id uuid not null,
  warehouse_no integer not null,
  scope text collate "C" not null check (scope in ('location', 'skus', 'warehouse')),
  location text collate "C",
  -- The products to be counted; null: all that the account has in the warehouse.
  product_ids bigint[],
  state text collate "C" not null default 'open' check (state in ('open', 'booked', 'discarded')),
  created_by text not null,
  created_at timestamptz not null default now(),
  ended_by text,
  ended_at timestamptz,
  -- The number of the adjustment; null: not booked, or there was no difference.
  reference_no text collate "C",
  primary key (account_id, count_id),
  constraint stock_count_request unique (account_id, request_id),
  check ((scope = 'location') = (location is not null)),
  check ((scope = 'warehouse') = (product_ids is null)),
  check ((state = 'open') = (ended_at is null))
);

-- A lot as it was counted. The lot need not exist yet.
create table stock_count_line (
  account_id bigint not null,
  count_id bigint not null,
  product_id bigint not null,
  stock_type stock_type not null,
  batch_id text collate "C" not null default '',
  -- Infinity: it does not expire.
  expire_date date not null,
  -- Each recount begins a new round.
  round integer not null default 1,
  -- The scans of this round; 0: not counted.
  entries integer not null default 0,
  counted bigint not null default 0 check (counted between 0 and 1000000000000),
  -- The units on the shelf, and those of the lot that had left it, at the first scan of this round.
  expected bigint,
  off_shelf bigint,
  -- Units left or reached the shelf between two scans of this round.
  moved boolean not null default false,
  counted_by text,
  counted_at timestamptz,
  -- The difference that was booked; null: none.
  booked bigint,
  primary key (account_id, count_id, product_id, stock_type, batch_id, expire_date),
  check ((entries > 0) = (expected is not null))
);

create table stock_count_entry (
  account_id bigint not null,
  count_id bigint not null,
  -- The key of the scan: a repeat counts once.
  scan_id uuid not null,
  product_id bigint not null,
  stock_type stock_type not null,
  batch_id text collate "C" not null default '',
  expire_date date not null,
  round integer not null,
  units bigint not null check (units between 0 and 1000000000000),
  counted_by text not null,
  counted_at timestamptz not null default now(),
  undone_at timestamptz,
  primary key (account_id, count_id, scan_id)
);

-- Leads the list of counts, and a purge to old ones.
create index stock_count_created on stock_count (account_id, created_at, count_id);

do $$
declare
  name text;
begin
  foreach name in array array['stock_count', 'stock_count_line', 'stock_count_entry']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('create policy stated_accounts on %I using (coalesce(
      account_id = any ((select nullif(current_setting(''lading.accounts'', true), '''')::bigint[])::bigint[]), false))', name);
    execute format('create policy delete_uat_only on %I as restrictive for delete using (
      account_id in (select account_id from account where environment = ''uat''))', name);
  end loop;
end $$;
