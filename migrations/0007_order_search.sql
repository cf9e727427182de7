-- Orders by their recipient. The indexes are built while others write (server/platform/postgres/migrate.ts). Orders
-- without a recipient, also erased ones, are in neither.

-- The last four digits lead to the few orders whose whole number is then compared, so one index serves both searches.
create index concurrently orders_search_phone on orders (account_id,
  right(regexp_replace(consignee_phone collate "C", '[^0-9]', '', 'g'), 4), order_id) where consignee_phone is not null;

-- Byte by byte, so that a prefix is a range.
create index concurrently orders_search_consignee on orders (account_id, (consignee_name collate "C"), created_at, order_id)
  where consignee_name is not null;
