-- Logistics keys have the shelf-life rule of tenants: null sells even what has expired, which is how the keys of before behave.
alter table logistics_key add column sellable_days_before_expiry integer check (sellable_days_before_expiry >= 0);
-- The rule of its key when the order was accepted: stock that arrives later is given to it by this rule.
alter table waiting_line add column sellable_days_before_expiry integer;
