-- A shared view is for all operators. Its owner and administrators may change it.
alter table saved_view add column shared boolean not null default false;
create index saved_view_shared on saved_view (page, name) where shared;
