-- Any part of a number or a product name finds its document: the text from each of its characters on, in lower case, so
-- that a part is the beginning of a row, and the rows are one range of the primary key. Row security allows such ranges,
-- but neither LIKE nor an index of an extension. A job fills the table behind the writers; nothing here is personal data.
create table search_part (
  account_id bigint not null,
  -- The id of the order, the inbound document or the product.
  found_id bigint not null,
  -- o: number of an order. s: shipment number of an order. i: number of an inbound document. p: sku or name of a product.
  kind text collate "C" not null,
  part text collate "C" not null,
  primary key (account_id, kind, part, found_id)
);

-- How far the job has come in an account: the last row that it has read, in the order of an index. Later rows are
-- searched directly.
create table search_progress (
  account_id bigint not null,
  -- orders, inbound_document or product.
  source text collate "C" not null,
  at timestamptz not null,
  created_at timestamptz not null,
  id bigint not null,
  sku_id text collate "C" not null,
  primary key (account_id, source)
);

do $$
declare
  name text;
begin
  foreach name in array array['search_part', 'search_progress']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('create policy stated_accounts on %I using (coalesce(
      account_id = any ((select nullif(current_setting(''lading.accounts'', true), '''')::bigint[])::bigint[]), false))', name);
  end loop;
end $$;
create policy delete_uat_only on search_part as restrictive for delete using (
  account_id in (select account_id from account where environment = 'uat'));
