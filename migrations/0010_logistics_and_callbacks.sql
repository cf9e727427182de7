-- The logistics webhook: what its documents say beyond those of other channels, which orders wait for stock, and the callbacks they are owed.

-- What only a shipping order says. Money is exact; the label is kept as it was sent.
create table shipping_order (
  order_id bigint primary key,
  account_id bigint not null,
  customer_name text not null,
  delivery_charge numeric(14, 2) not null check (delivery_charge >= 0),
  city text,
  note text,
  store_pickup_label_data json
);

-- What only an inbound or return form says.
create table inbound_form (
  inbound_id bigint primary key,
  account_id bigint not null,
  internal_form_no text collate "C" not null,
  shipping_type text collate "C" not null check (shipping_type in ('vendor_pickup', 'logistics_delivery', 'vendor_delivery')),
  sender_name text,
  sender_address text
);

-- An item as its sender describes it, which need not be as the product is registered. A batch that is named is the only one to be taken.
alter table order_line
  add column batch_id text collate "C",
  add column combo_sku text,
  add column item_name text,
  add column item_storage_type text,
  add column price numeric(14, 2) check (price >= 0),
  add column identifier text;
alter table inbound_line
  add column item_name text,
  add column item_storage_type text,
  add column price numeric(14, 2) check (price >= 0),
  add column identifier text;

-- The lines of orders in awaiting_stock, by what they wait for, oldest order first; gone when the order has its stock or is cancelled.
create table waiting_line (
  product_id bigint not null,
  warehouse_no integer not null,
  order_id bigint not null,
  line_no integer not null,
  account_id bigint not null,
  batch_id text collate "C",
  qty bigint not null check (qty > 0),
  primary key (product_id, warehouse_no, order_id, line_no)
);
create index waiting_line_order on waiting_line (order_id);

-- Where the callbacks of a document go, which key signs them, and how many there have been. Changed only while the document is locked.
create table callback_target (
  document_type text collate "C" not null check (document_type in ('order', 'inbound', 'return')),
  document_id bigint not null,
  account_id bigint not null,
  key_name text not null,
  url text not null,
  callback_count integer not null default 0,
  primary key (document_type, document_id)
);

-- The bytes of the body are made once, with the state change; each try sends the same.
alter table callback
  add column document_id bigint not null,
  -- The how-manieth callback of its document it is.
  add column sequence integer not null check (sequence > 0),
  add column key_name text not null,
  add column receiver_id uuid not null,
  add column body text not null,
  add constraint callback_sequence unique (document_type, document_id, sequence);
-- An event's number is unique as it is; and what refers to a callback is written with it in hand (see 0004 on foreign keys).
drop index callback_search_event_id;
alter table callback_attempt drop constraint callback_attempt_callback_id_fkey;
alter table callback_attempt
  -- What was dialled; null where it did not come to that.
  add column address text,
  -- The first 16 KiB of what was answered, as text.
  add column response text;

-- An address of an account that callbacks are sent to, without its query, and how it has been doing. All workers see the same.
create table callback_receiver (
  -- Made from account and address, so that it need not be looked up.
  receiver_id uuid primary key,
  account_id bigint not null,
  address text not null,
  -- Tries in a row without a sign of life.
  failures integer not null default 0,
  -- Until then it is left alone.
  open_until timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  -- Nobody is sent anything there. For the operator's console to come; until then, only by hand.
  paused boolean not null default false
);

-- The queue: what is still to be delivered. A row is narrow, and gone when its callback has arrived or has failed for good.
create table callback_delivery (
  callback_id bigint primary key,
  account_id bigint not null,
  receiver_id uuid not null,
  document_type text collate "C" not null,
  document_id bigint not null,
  sequence integer not null,
  queued_at timestamptz not null default now(),
  -- When it may be sent, or sent again. While a worker has it in hand: when that worker must be taken for dead.
  -- Infinity: an earlier callback of the same document has to arrive first.
  due_at timestamptz not null,
  -- null: nobody has it in hand.
  lease uuid,
  -- Tries since it was queued, and before that.
  attempts integer not null default 0,
  attempts_before integer not null default 0,
  -- Whoever is silent so long is not going to answer.
  give_up_at timestamptz not null
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index callback_delivery_due on callback_delivery (receiver_id, due_at, callback_id);
create index callback_delivery_in_hand on callback_delivery (receiver_id, due_at) where lease is not null;
create index callback_delivery_behind on callback_delivery (document_type, document_id, sequence) where due_at = 'infinity';
