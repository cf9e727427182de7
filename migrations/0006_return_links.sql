-- A return that a partner sent names its order by the partner's number (original_order_number); the order may arrive
-- later. A return that the service created itself also names the order by its id, because the number of an order of the
-- logistics webhook may be that of another order; for those it has only the id.

-- null: the return names its order by number, or is no return.
alter table inbound_document add column original_order_id bigint;

-- Older versions read the same columns.
create or replace view returned_order with (security_invoker = true) as
  select d.inbound_id, d.account_id, o.order_id
  from inbound_document d
  join orders o on o.partner_number = d.original_order_number and o.account_id = d.account_id and o.channel <> 'logistics'
  where d.original_order_id is null
  union all
  select d.inbound_id, d.account_id, d.original_order_id
  from inbound_document d where d.original_order_id is not null;
