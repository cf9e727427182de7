-- A product may have fifty thousand lots. An order reads those that expire first, until it has its units.
-- Only lots with free units: an order that takes some of many units does not change free_level, and so not this index.
create index lot_free on lot (account_id, product_id, warehouse_no, expire_date, lot_id) where free_level > 0;
