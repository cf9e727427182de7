-- Adjustments and moves of stock that a partner or a person makes under a number of their own.

-- The number that the caller gave to an adjustment or a move, and the other warehouse of a move.
alter table movement add column reference_no text collate "C", add column other_warehouse_no integer;

-- One row per number: a repeat is recognized by it and gets the same result.
create sequence stock_change_id_seq;
create table stock_change (
  account_id bigint not null,
  stock_change_id bigint not null default nextval('stock_change_id_seq'),
  kind text collate "C" not null check (kind in ('adjust', 'move')),
  reference_no text collate "C" not null,
  payload_digest text not null,
  -- The balances after the change, in the order of the lines.
  result jsonb not null,
  -- The movements, by their keys: the audit compares the two sides of a move.
  lot_ids bigint[] not null,
  movement_ids bigint[] not null,
  actor text not null,
  trace_id uuid,
  created_at timestamptz not null default now(),
  primary key (account_id, stock_change_id),
  constraint stock_change_number unique (account_id, reference_no),
  check (cardinality(lot_ids) = cardinality(movement_ids))
);
-- Leads a purge to old rows.
create index stock_change_created on stock_change (account_id, created_at);

alter table stock_change enable row level security;
create policy stated_accounts on stock_change using (coalesce(
  account_id = any ((select nullif(current_setting('lading.accounts', true), '')::bigint[])::bigint[]), false));
create policy delete_uat_only on stock_change as restrictive for delete using (
  account_id in (select account_id from account where environment = 'uat'));
