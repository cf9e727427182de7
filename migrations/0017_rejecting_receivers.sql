-- Tries in a row that did not succeed, whatever was answered. `failures` counts only those without a sign of life, because they decide when a
-- receiver is left alone; a receiver that rejects every callback has none of these, and still needs attention.
alter table callback_receiver add column unsuccessful integer not null default 0;
