-- A discount is a line with a negative price.
alter table order_line drop constraint order_line_price_check;
alter table inbound_line drop constraint inbound_line_price_check;
