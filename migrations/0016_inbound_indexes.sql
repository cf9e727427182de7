-- Built while others write: no row is in them yet, but PostgreSQL reads the whole table for each.

-- Leads from an order to the returns that the service created for it.
create index concurrently inbound_original_order_id on inbound_document (account_id, original_order_id)
  where original_order_id is not null;

-- Leads to the documents that are still to be received automatically.
create index concurrently inbound_receive_at on inbound_document (account_id, receive_at, inbound_id)
  where receive_at is not null and status in ('expected', 'receiving');
