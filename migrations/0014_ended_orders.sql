-- Like orders_recipients, with the new states in which an order has ended; nodes of the previous version use the other. It
-- is built while others write (server/platform/postgres/migrate.ts).
create index concurrently orders_recipients_ended on orders (account_id, updated_at, order_id)
  where recipient_erased_at is null and status in ('shipped', 'arrived', 'delivered', 'undelivered', 'cancelled');

-- Leads to orders on hold. A new order does not enter it.
create index concurrently orders_search_held on orders (account_id, held_at, created_at, order_id) where held_at is not null;
