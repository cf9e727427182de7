-- Recipients are personal data. They are erased when RECIPIENT_RETENTION_DAYS have passed since the end of their order,
-- or on request; numbers, states, quantities and movements stay.

-- null: the order still has the recipient that the partner sent, if there was one.
alter table orders add column recipient_erased_at timestamptz;
-- Leads to orders that have ended and still have their recipient. A new order does not enter it.
create index orders_recipients on orders (account_id, updated_at, order_id)
  where recipient_erased_at is null and status in ('shipped', 'delivered', 'cancelled');

-- null: the body is complete. A callback without its body cannot be sent again.
alter table callback add column body_erased_at timestamptz;

-- The counts of each scheduled erasure, written batch by batch: an erasure that was cut off has no end.
create sequence recipient_erasure_id_seq;
create table recipient_erasure (
  recipient_erasure_id bigint primary key default nextval('recipient_erasure_id_seq'),
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  actor text not null,
  -- Orders that ended before this moment lost their recipient.
  ended_before timestamptz not null,
  orders bigint not null default 0,
  callbacks bigint not null default 0,
  notes bigint not null default 0
);
