-- What each audit of the stock has found, so that every node can show it.
create table stock_audit (
  stock_audit_id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  lots bigint not null,
  orders bigint not null,
  findings bigint not null
);
