-- Orders by product, the newest first. Built while others write.
create index concurrently order_line_product on order_line (account_id, product_id, order_id);
