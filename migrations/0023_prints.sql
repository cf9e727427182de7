-- How often each print-out of an order was printed, so that a reprint is known as one. The audit log has each print with
-- its operator and time; it is not indexed by order, because one print may be about a hundred orders.
create table order_print (
  account_id bigint not null,
  order_id bigint not null,
  -- packing_slip, shipping_label, store_label, order_codes, return_slip or pick_list.
  document text collate "C" not null,
  prints integer not null,
  -- That of the latest print: a repeat of the same request is not another print.
  print_id uuid not null,
  printed_at timestamptz not null default now(),
  printed_by text not null,
  primary key (account_id, order_id, document)
);

alter table order_print enable row level security;
create policy stated_accounts on order_print using (coalesce(
  account_id = any ((select nullif(current_setting('lading.accounts', true), '')::bigint[])::bigint[]), false));
create policy delete_uat_only on order_print as restrictive for delete using (
  account_id in (select account_id from account where environment = 'uat'));
