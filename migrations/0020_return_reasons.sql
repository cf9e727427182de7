-- Why goods came back, chosen from a list by the person who receives a return. The list is in the code
-- (server/domain/inbound/return-reason.ts): a check here would have to read the whole table while it is locked.
alter table receipt add column return_reason text;
