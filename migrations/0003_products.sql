-- A sku belongs to an account: two accounts may use the same sku_id for different products.
create table product (
  product_id bigint generated always as identity primary key,
  account_id bigint not null references account,
  sku_id text not null,
  name text not null,
  storage_type text not null,
  length_cm numeric(15, 3) check (length_cm >= 0),
  width_cm numeric(15, 3) check (width_cm >= 0),
  height_cm numeric(15, 3) check (height_cm >= 0),
  weight_kg numeric(15, 3) check (weight_kg >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (account_id, sku_id)
);
