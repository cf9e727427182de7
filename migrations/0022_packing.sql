-- Packing with a scanner, and shipments that can still be undone.

-- The units that people have put into a parcel and scanned. They are removed when the parcel leaves, which has its units
-- in parcel_item. Orders of UAT accounts are never packed, so a purge finds no rows.
create table packed_unit (
  account_id bigint not null,
  order_id bigint not null,
  -- Chosen by the device, so that a repeated scan counts once.
  scan_id uuid not null,
  -- The number of the parcel on the packing table, from 1 on.
  parcel_no integer not null check (parcel_no > 0),
  product_id bigint not null,
  qty quantity not null,
  packed_by text collate "C" not null,
  packed_at timestamptz not null default now(),
  primary key (account_id, order_id, scan_id)
);

-- A shipment that a person has entered. A job ships the order when it is due; until then the row can be deleted.
create table planned_shipment (
  account_id bigint not null,
  order_id bigint not null,
  -- [{"parcelNo": 1, "shipmentNo": "9072", "carrier": null}]
  shipments jsonb not null,
  -- The person knows that other orders have the number.
  allow_repeat boolean not null,
  -- The person knows that units are missing, which will not be shipped.
  is_final boolean not null,
  due_at timestamptz not null,
  planned_by text collate "C" not null,
  planned_at timestamptz not null default now(),
  trace_id uuid,
  -- Why the job could not ship the order; null: it has not tried.
  refusal text collate "C",
  primary key (account_id, order_id)
);
create index planned_shipment_due on planned_shipment (account_id, due_at) where refusal is null;

do $$
declare
  name text;
begin
  foreach name in array array['packed_unit', 'planned_shipment']
  loop
    execute format('alter table %I enable row level security', name);
    execute format('create policy stated_accounts on %I using (coalesce(
      account_id = any ((select nullif(current_setting(''lading.accounts'', true), '''')::bigint[])::bigint[]), false))', name);
  end loop;
end $$;
