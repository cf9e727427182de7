-- Operators who work in some warehouses only. null: in all. Administrators work in all, whatever this says.
alter table operator add column warehouse_nos integer[]
  check (cardinality(warehouse_nos) between 1 and 50);
