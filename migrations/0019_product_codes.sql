-- Barcodes of products, and where products lie in a warehouse.

-- A code on a unit or on a carton. Within an account, a code belongs to one product.
create table product_code (
  account_id bigint not null,
  code text collate "C" not null,
  product_id bigint not null,
  -- The units that one scan of the code means: 1 for a unit, 12 for a carton of twelve.
  units integer not null check (units between 1 and 1000000),
  created_at timestamptz not null default now(),
  primary key (account_id, code)
);
create index product_code_product on product_code (account_id, product_id);

-- The place where people find a product, such as A-02-13. Pick lists are sorted by it.
create table product_location (
  account_id bigint not null,
  product_id bigint not null,
  warehouse_no integer not null,
  location text collate "C" not null,
  updated_at timestamptz not null default now(),
  primary key (account_id, product_id, warehouse_no)
);
-- Leads to the products at a location.
create index product_location_place on product_location (account_id, warehouse_no, location, product_id);

do $$
declare
  name text;
begin
  foreach name in array array['product_code', 'product_location']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('create policy stated_accounts on %I using (coalesce(
      account_id = any ((select nullif(current_setting(''lading.accounts'', true), '''')::bigint[])::bigint[]), false))', name);
  end loop;
end $$;
