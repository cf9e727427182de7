-- The schema of Lading, in the order of what refers to what: partners, products, stock, inbound documents, orders,
-- fulfilment, callbacks, the request log, the console, and the records of operation.
--
-- The account is the unit of isolation and distribution. Every table that grows with the documents of an account has
-- account_id first in its primary key, its unique constraints and its indexes, and every statement on it names one
-- account. Ids come from sequences that all accounts share.
--
-- Rows of documents, lots and movements refer to partners, products, lots and documents without foreign keys: those are
-- never deleted while something refers to them, their ids come from rows that the same transaction has locked or
-- written, and the checks would almost double the time that PostgreSQL needs for an order (174 instead of 101
-- microseconds, measured). `lading audit` verifies them.
--
-- Text that is searched has the collation "C": the order is the same on every PostgreSQL, and a prefix is a range.

-- The values of a column are limited by its domain, and checks of a table are left to rules about several columns:
-- PostgreSQL reads each check of a table from its text whenever a statement writes there. An account has its own
-- statements, so that was a fifth of the time that PostgreSQL needed for an order alone in its statement.

create domain environment as text collate "C" check (value in ('uat', 'production'));
create domain quantity as bigint check (value > 0);
create domain document_type as text collate "C" check (value in ('order', 'inbound'));
create domain callback_document_type as text collate "C" check (value in ('order', 'inbound', 'return'));
create domain stock_type as text collate "C" check (value in ('good', 'bad'));
create domain movement_kind as text collate "C" check (value in ('receive', 'retract', 'lock', 'unlock', 'ship', 'adjust'));
create domain receiving as text collate "C" check (value in ('on_create', 'on_confirm'));
create domain inbound_channel as text collate "C" check (value in ('warehouse', 'logistics'));
create domain order_channel as text collate "C" check (value in ('warehouse', 'main', 'logistics'));
create domain inbound_kind as text collate "C" check (value in ('inbound', 'return'));
create domain inbound_status as text collate "C" check (value in ('expected', 'receiving', 'received', 'cancelled', 'stopped'));
create domain order_status as text collate "C" check (value in ('awaiting_stock', 'pending_warehouse_transfer',
  'in_warehouse', 'picking', 'packed', 'shipped', 'delivered', 'cancelled'));
create domain transfer_status as text collate "C" check (value in ('waiting', 'sending', 'accepted', 'rejected'));
create domain callback_status as text collate "C" check (value in ('pending', 'delivered', 'failed'));

-- Rows that a statement receives as one array parameter (server/platform/postgres/row-parameters.ts). They are no tables:
-- a column may have another type or unit than the one in which it is stored.

create type order_row as (order_id bigint, channel text, partner_number text, order_no text, payload_digest text,
  warehouse_no integer, store_no integer, status text, logistics_type text, express_type text, country text, name text,
  phone text, address text, zip text, trace_id uuid, created_by text);
create type order_line_row as (order_id bigint, line_no integer, product_id bigint, qty bigint);
create type movement_row as (lot_id bigint, kind text, on_hand_delta bigint, locked_delta bigint, order_id bigint,
  inbound_id bigint, actor text, trace_id uuid, reason text);
create type product_row as (product_id bigint, sku_id text, name text, storage_type text, length_cm numeric,
  width_cm numeric, height_cm numeric, weight_kg numeric);
create type inbound_row as (inbound_id bigint, kind text, partner_number text, document_no text, payload_digest text,
  warehouse_no integer, store_no integer, receiving text, over_delivery_percent integer, status text,
  estimated_arrival_ms bigint, original_order_number text, trace_id uuid, created_by text);
create type inbound_line_row as (inbound_id bigint, line_no integer, product_id bigint, expire_date date, qty bigint);

-- Partners: who may call us, and where their goods are. Partners are disabled, never deleted, because documents refer
-- to them.

create table warehouse (
  warehouse_no integer primary key check (warehouse_no > 0),
  name text not null,
  connector jsonb not null,
  transfer_every_s integer not null check (transfer_every_s > 0),
  created_at timestamptz not null default now()
);

create table store (
  store_no integer primary key check (store_no > 0),
  name text not null,
  type text not null,
  created_at timestamptz not null default now()
);

create sequence account_id_seq;
create table account (
  account_id bigint primary key default nextval('account_id_seq'),
  account_no text not null unique,
  name text not null,
  environment text not null check (environment in ('uat', 'production')),
  warehouse_api boolean not null,
  enabled boolean not null,
  created_at timestamptz not null default now()
);

-- `sellable_days_before_expiry`: null sells even goods that have expired. `over_delivery_percent`: how many units more
-- than announced may arrive, of each product.
create table tenant (
  account_id bigint not null references account,
  warehouse_tpw_id text not null,
  warehouse_no integer not null references warehouse,
  store_no integer not null references store,
  receiving text not null check (receiving in ('on_create', 'on_confirm')),
  sellable_days_before_expiry integer check (sellable_days_before_expiry >= 0),
  over_delivery_percent integer not null default 0 check (over_delivery_percent between 0 and 1000),
  enabled boolean not null,
  created_at timestamptz not null default now(),
  primary key (account_id, warehouse_tpw_id)
);

create table client (
  client_id text primary key,
  account_id bigint not null references account,
  permissions text[] not null,
  enabled boolean not null,
  created_at timestamptz not null default now()
);

-- Networks from which a client has shown its CheckValue. While others guess at the CheckValue, the client still gets
-- tokens from there, on every node.
create table client_network (
  client_id text not null references client,
  network text not null,
  last_success_at timestamptz not null default now(),
  primary key (client_id, network)
);

create table logistics_key (
  account_id bigint not null references account,
  name text not null,
  warehouse_no integer not null references warehouse,
  store_no integer not null references store,
  receiving text not null check (receiving in ('on_create', 'on_confirm')),
  sellable_days_before_expiry integer check (sellable_days_before_expiry >= 0),
  over_delivery_percent integer not null default 0 check (over_delivery_percent between 0 and 1000),
  enabled boolean not null,
  created_at timestamptz not null default now(),
  primary key (account_id, name)
);

create table operator (
  username text primary key,
  role text not null check (role in ('admin', 'staff', 'read-only')),
  enabled boolean not null,
  created_at timestamptz not null default now()
);

-- Every secret of every partner. Secrets that we must read again are sealed, those that we only compare are keyed
-- digests, passwords are argon2. The owner is named by its own number ('ALPHA', 'ALPHA/wms', 'boss'), because owners are
-- in five tables. The first slash of a key ends its account: 'A%2FB/C' is the key C of the account A/B. The last secret
-- from a file is kept even after its end: the same file, applied after a rotation, must not undo it.
create sequence secret_id_seq;
create table secret (
  secret_id bigint primary key default nextval('secret_id_seq'),
  kind text not null check (kind in
    ('account_secret', 'check_value', 'logistics_key', 'callback_secret', 'connector_secret', 'operator_password')),
  owner text not null,
  sealed bytea,
  digest bytea,
  password_hash text,
  master_key_id text,
  from_file boolean not null,
  created_at timestamptz not null default now(),
  -- null: current. Those of a rotation in progress have an end.
  valid_until timestamptz,
  check (num_nonnulls(sealed, digest, password_hash) = 1),
  check ((password_hash is null) = (master_key_id is not null))
);
create unique index secret_current on secret (kind, owner) where valid_until is null;
create index secret_owner on secret (kind, owner);
-- A logistics key is looked up by its value, so no two may be the same.
create unique index secret_logistics_key on secret (digest) where kind = 'logistics_key';

-- Every change of a partner: who, when, what. Never the value of a secret.
create sequence partner_change_id_seq;
create table partner_change (
  partner_change_id bigint primary key default nextval('partner_change_id_seq'),
  changed_at timestamptz not null default now(),
  actor text not null,
  subject_kind text not null,
  subject text not null,
  change text not null,
  fields jsonb not null
);
create index partner_change_subject on partner_change (subject_kind, subject, partner_change_id);
-- The audit log shows changes and actions together, in the order of time.
create index partner_change_at on partner_change (changed_at, partner_change_id);

-- When partners last called, to about a minute.
create table partner_use (
  kind text collate "C" not null check (kind in ('account', 'client', 'logistics_key')),
  name text not null,
  last_used_at timestamptz not null,
  primary key (kind, name)
);

-- The keys that sign access tokens, the same for all nodes. Only the private half is stored, sealed: anyone who can
-- write here could replace a public half beside it, and tokens of a stranger would be accepted.
create table token_key (
  kid text primary key,
  sealed bytea not null,
  master_key_id text not null,
  created_at timestamptz not null,
  -- A key is published before it signs, so that everybody who checks tokens knows it by then.
  signs_from timestamptz not null,
  -- null: in use. Otherwise the row is deleted when the last token that the key may have signed has expired.
  valid_until timestamptz
);
-- However many nodes start at once on an empty database, they share one key.
create unique index token_key_in_use on token_key ((true)) where valid_until is null;

-- Products: a sku belongs to an account, so two accounts may use the same sku_id for different products.

create sequence product_id_seq;
create table product (
  account_id bigint not null references account,
  product_id bigint not null default nextval('product_id_seq'),
  sku_id text collate "C" not null,
  name text collate "C" not null,
  storage_type text collate "C" not null,
  length_cm numeric(15, 3) check (length_cm >= 0),
  width_cm numeric(15, 3) check (width_cm >= 0),
  height_cm numeric(15, 3) check (height_cm >= 0),
  weight_kg numeric(15, 3) check (weight_kg >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, product_id),
  unique (account_id, sku_id)
);
-- Indexes of search lists, here and below, begin with the account and end with the order of the list: a page is a
-- stretch of the index wherever it begins, nothing is sorted, and rows of other accounts cost nothing.
create index product_search_name on product (account_id, name, sku_id);
create index product_search_storage_type on product (account_id, storage_type, sku_id);
create index product_search_created on product (account_id, created_at, sku_id);
create index product_search_updated on product (account_id, updated_at, sku_id);

-- Stock

-- The balance of a lot: the units on hand, and how many of them are locked for orders.
create sequence lot_id_seq;
create table lot (
  account_id bigint not null,
  lot_id bigint not null default nextval('lot_id_seq'),
  warehouse_no integer not null,
  product_id bigint not null,
  stock_type stock_type not null,
  batch_id text collate "C" not null default '',
  -- Infinity: it does not expire.
  expire_date date not null,
  on_hand bigint not null,
  locked bigint not null,
  created_at timestamptz not null default now(),
  -- A product keeps its sku for ever.
  sku_id text collate "C" not null,
  -- How many units are free, to the next power of two: the number of binary digits. An index on the number itself would
  -- change with every order; this one rarely does, so the new version of a row stays on its page.
  free_level smallint not null generated always as (
    case when stock_type = 'good' then length(ltrim((on_hand - locked)::bit(41)::text, '0')) else 0 end) stored,
  primary key (account_id, lot_id),
  constraint lot_balance check (0 <= locked and locked <= on_hand and on_hand <= 1000000000000),
  constraint lot_key unique (account_id, product_id, warehouse_no, stock_type, batch_id, expire_date)
  -- Room on the page for the next version of a row: a busy lot changes with every group of orders.
) with (fillfactor = 50);
-- Only lots with units. No indexed column changes while units are locked and unlocked, so no index changes then.
create index lot_stocked on lot (account_id, product_id, warehouse_no) where on_hand > 0;
create index lot_search_sku on lot (account_id, sku_id, lot_id) where on_hand > 0;
create index lot_search_warehouse on lot (account_id, warehouse_no, sku_id, lot_id) where on_hand > 0;
create index lot_search_stock_type on lot (account_id, stock_type, sku_id, lot_id) where on_hand > 0;
create index lot_search_batch on lot (account_id, batch_id, sku_id, lot_id) where on_hand > 0;
create index lot_search_expiry on lot (account_id, expire_date, sku_id, lot_id) where on_hand > 0;
create index lot_search_on_hand on lot (account_id, on_hand, sku_id, lot_id) where on_hand > 0;
create index lot_search_free on lot (account_id, free_level, sku_id, lot_id) where on_hand > 0;

-- Every change of a lot, for ever: balances are the sums of these.
create sequence movement_id_seq;
create table movement (
  account_id bigint not null,
  movement_id bigint not null default nextval('movement_id_seq'),
  lot_id bigint not null,
  kind movement_kind not null,
  on_hand_delta bigint not null,
  locked_delta bigint not null,
  -- One of the two documents; an adjustment may have none, but then it has a reason.
  order_id bigint,
  inbound_id bigint,
  actor text not null,
  trace_id uuid,
  reason text,
  at timestamptz not null default now(),
  primary key (account_id, lot_id, movement_id),
  constraint movement_moves_for_document check ((on_hand_delta <> 0 or locked_delta <> 0)
    and ((order_id is null) <> (inbound_id is null) or kind = 'adjust' and reason is not null))
);
create index movement_order on movement (account_id, order_id) where order_id is not null;
create index movement_inbound on movement (account_id, inbound_id) where inbound_id is not null;
-- Corrections belong to no document and are found by their lot.
create index movement_correction on movement (account_id, lot_id, at) where order_id is null and inbound_id is null;

-- The result of each audit of the stock, so that every node can show it.
create sequence stock_audit_id_seq;
create table stock_audit (
  stock_audit_id bigint primary key default nextval('stock_audit_id_seq'),
  at timestamptz not null default now(),
  lots bigint not null,
  orders bigint not null,
  findings bigint not null
);

-- Inbound documents and returns of every channel

create sequence inbound_id_seq;
create table inbound_document (
  account_id bigint not null,
  inbound_id bigint not null default nextval('inbound_id_seq'),
  channel inbound_channel not null,
  kind inbound_kind not null,
  -- The caller's number: it makes a repeat a repeat.
  partner_number text collate "C" not null,
  -- Our number.
  document_no text collate "C" not null,
  payload_digest bytea not null,
  warehouse_no integer not null,
  store_no integer not null,
  receiving receiving not null,
  status inbound_status not null,
  estimated_arrival_at timestamptz,
  -- Of a return: the number of the order whose goods come back. The order may arrive later.
  original_order_number text collate "C" check (original_order_number is null or kind = 'return'),
  trace_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  created_by text,
  -- A document keeps the rule under which it was created.
  over_delivery_percent integer not null default 0,
  primary key (account_id, inbound_id)
);
-- Numbers are unique within an account; those of the logistics webhook are separate.
create unique index inbound_number on inbound_document (account_id, partner_number) where channel <> 'logistics';
create unique index inbound_number_logistics on inbound_document (account_id, partner_number) where channel = 'logistics';
create index inbound_original_order on inbound_document (account_id, original_order_number)
  where original_order_number is not null;
create index inbound_search_created on inbound_document (account_id, created_at, inbound_id);
create index inbound_search_updated on inbound_document (account_id, updated_at, created_at, inbound_id);
create index inbound_search_document_no on inbound_document (account_id, document_no);
create index inbound_search_status on inbound_document (account_id, status, created_at, inbound_id);
create index inbound_search_kind on inbound_document (account_id, kind, created_at, inbound_id);
create index inbound_search_channel on inbound_document (account_id, channel, created_at, inbound_id);
create index inbound_search_warehouse on inbound_document (account_id, warehouse_no, created_at, inbound_id);
create index inbound_search_store on inbound_document (account_id, store_no, created_at, inbound_id);
-- Most documents of the logistics webhook do not say when they arrive.
create index inbound_search_arrival on inbound_document (account_id, estimated_arrival_at, created_at, inbound_id)
  where estimated_arrival_at is not null;

-- The columns from item_name on are an item as its sender describes it, which may differ from the product. A discount
-- is a line with a negative price.
create table inbound_line (
  account_id bigint not null,
  inbound_id bigint not null,
  line_no integer not null,
  product_id bigint not null,
  batch_id text collate "C" not null default '',
  expire_date date,
  qty quantity not null,
  item_name text,
  item_storage_type text,
  price numeric(14, 2),
  identifier text,
  primary key (account_id, inbound_id, line_no)
);

-- The part of a document that only a form of the logistics webhook has.
create table inbound_form (
  account_id bigint not null,
  inbound_id bigint not null,
  internal_form_no text collate "C" not null,
  shipping_type text collate "C" not null check (shipping_type in ('vendor_pickup', 'logistics_delivery', 'vendor_delivery')),
  sender_name text,
  sender_address text,
  primary key (account_id, inbound_id)
);

-- Receipts with a number, which makes a repeat a repeat. Their goods are movements of the document.
create table receipt (
  account_id bigint not null,
  inbound_id bigint not null,
  receipt_no text collate "C" not null,
  payload_digest bytea not null,
  at timestamptz not null default now(),
  primary key (account_id, inbound_id, receipt_no)
);

-- Orders of every channel. (The plural, because "order" is a word of SQL.)

create sequence order_id_seq;
create table orders (
  account_id bigint not null,
  order_id bigint not null default nextval('order_id_seq'),
  channel order_channel not null,
  -- The caller's number: it makes a repeat a repeat.
  partner_number text collate "C" not null,
  -- Our number.
  order_no text collate "C" not null,
  payload_digest bytea not null,
  warehouse_no integer not null,
  store_no integer not null,
  status order_status not null,
  logistics_type text collate "C",
  express_type text collate "C",
  consignee_country text collate "C",
  consignee_name text,
  consignee_phone text,
  consignee_address text,
  consignee_zip text,
  trace_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The name that the logistics webhook gives to the order.
  name text collate "C",
  shipment_no text collate "C",
  carrier text,
  created_by text,
  -- That of its account, which never changes.
  environment environment not null,
  primary key (account_id, order_id),
  -- An order of a UAT account never goes beyond the transfer to the warehouse.
  constraint orders_uat_stays check (
    environment <> 'uat' or status in ('awaiting_stock', 'pending_warehouse_transfer', 'cancelled'))
);
-- Numbers are unique within an account; those of the logistics webhook are separate.
create unique index orders_number on orders (account_id, partner_number) where channel <> 'logistics';
create unique index orders_number_logistics on orders (account_id, partner_number) where channel = 'logistics';
create index orders_search_created on orders (account_id, created_at, order_id);
create index orders_search_updated on orders (account_id, updated_at, created_at, order_id);
create index orders_search_status on orders (account_id, status, created_at, order_id);
create index orders_search_channel on orders (account_id, channel, created_at, order_id);
create index orders_search_warehouse on orders (account_id, warehouse_no, created_at, order_id);
create index orders_search_store on orders (account_id, store_no, created_at, order_id);
create index orders_search_name on orders (account_id, name, created_at, order_id) where name is not null;
create index orders_search_shipment on orders (account_id, shipment_no, created_at, order_id) where shipment_no is not null;

-- The columns from combo_sku on are an item as its sender describes it, which may differ from the product. A discount
-- is a line with a negative price.
create table order_line (
  account_id bigint not null,
  order_id bigint not null,
  line_no integer not null,
  product_id bigint not null,
  qty quantity not null,
  -- The only batch that may be taken; null: any.
  batch_id text collate "C",
  combo_sku text,
  item_name text,
  item_storage_type text,
  price numeric(14, 2),
  identifier text,
  primary key (account_id, order_id, line_no)
);

-- The part of an order that only the logistics webhook sends. Money is exact; the label is stored as it was sent.
create table shipping_order (
  account_id bigint not null,
  order_id bigint not null,
  customer_name text not null,
  delivery_charge numeric(14, 2) not null check (delivery_charge >= 0),
  city text,
  note text,
  store_pickup_label_data json,
  primary key (account_id, order_id)
);

-- The lines of orders in awaiting_stock by product, oldest order first; deleted when the order has its stock or is
-- cancelled.
create table waiting_line (
  account_id bigint not null,
  product_id bigint not null,
  warehouse_no integer not null,
  order_id bigint not null,
  line_no integer not null,
  batch_id text collate "C",
  qty quantity not null,
  -- The rule of its key when the order was accepted.
  sellable_days_before_expiry integer,
  primary key (account_id, product_id, warehouse_no, order_id, line_no)
);
create index waiting_line_order on waiting_line (account_id, order_id);

-- A return and the order whose goods come back, once both are known.
create view returned_order with (security_invoker = true) as
  select d.inbound_id, d.account_id, o.order_id
  from inbound_document d
  join orders o on o.partner_number = d.original_order_number and o.account_id = d.account_id and o.channel <> 'logistics';

-- Fulfilment

-- Every change of a document's state, in order. The first state is no change: the document itself says who created it,
-- when and in which call, so a new order costs nothing more.
create sequence state_change_id_seq;
create table state_change (
  account_id bigint not null,
  state_change_id bigint not null default nextval('state_change_id_seq'),
  document_type document_type not null,
  document_id bigint not null,
  event text collate "C" not null,
  from_state text collate "C" not null,
  to_state text collate "C" not null,
  at timestamptz not null default clock_timestamp(),
  actor text not null,
  trace_id uuid,
  primary key (account_id, document_type, document_id, state_change_id)
);
-- Counts shipments; no other change costs anything for it.
create index state_change_shipped on state_change (account_id, at) where document_type = 'order' and to_state = 'shipped';

-- The transfer of an order to the system of its warehouse. An order has one at most; its id tells the other side
-- whether it knows the order already.
create table transfer (
  account_id bigint not null,
  order_id bigint not null,
  transfer_id uuid not null,
  warehouse_no integer not null,
  -- waiting: certainly not with the warehouse, to be sent under a new id. sending: unknown whether the warehouse has it.
  -- rejected: the warehouse refuses it, and the order is put aside.
  status transfer_status not null,
  attempts integer not null default 0,
  -- Why it was rejected, or the last failure: a message, {"code":...,"params":{...}}.
  reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Of a simulated warehouse: when the order moves on, and its problem.
  next_step_at timestamptz,
  note text,
  primary key (account_id, order_id),
  unique (account_id, transfer_id)
);
create index transfer_sending on transfer (account_id, warehouse_no, order_id) where status = 'sending';
create index transfer_rejected on transfer (account_id, warehouse_no, order_id) where status = 'rejected';
create index transfer_next_step on transfer (account_id, next_step_at) where next_step_at is not null;

-- When each warehouse has its next wave, and which worker runs it. One wave at a time, so orders are sent in the order
-- of their arrival.
create table push_schedule (
  warehouse_no integer primary key,
  next_wave_at timestamptz not null default now(),
  -- null: no worker. Results under a lease that has passed to another worker are refused.
  lease uuid,
  lease_until timestamptz,
  -- Waves in a row that could not be finished.
  failures integer not null default 0,
  last_wave_at timestamptz,
  last_outcome text
);

-- Callbacks

-- Every callback that a partner is due. The bytes of the body are made once, with the state change; each attempt sends
-- the same.
create sequence callback_id_seq;
create table callback (
  account_id bigint not null,
  callback_id bigint not null default nextval('callback_id_seq'),
  event_id uuid not null,
  event text collate "C" not null,
  document_type callback_document_type not null,
  document_id bigint not null,
  -- The caller's number of the document.
  document_no text collate "C" not null,
  -- The position among the callbacks of its document, from 1.
  sequence integer not null check (sequence > 0),
  key_name text not null,
  url text not null,
  receiver_id uuid not null,
  body text not null,
  status callback_status not null,
  occurred_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, callback_id),
  unique (account_id, event_id),
  constraint callback_sequence unique (account_id, document_type, document_id, sequence)
);
create index callback_search_created on callback (account_id, created_at, callback_id);
create index callback_search_updated on callback (account_id, updated_at, created_at, callback_id);
create index callback_search_document_no on callback (account_id, document_no, created_at, callback_id);
create index callback_search_status on callback (account_id, status, created_at, callback_id);
create index callback_search_event on callback (account_id, event, created_at, callback_id);
create index callback_search_document_type on callback (account_id, document_type, created_at, callback_id);

create table callback_attempt (
  account_id bigint not null,
  callback_id bigint not null,
  attempt_no integer not null check (attempt_no > 0),
  at timestamptz not null default now(),
  duration_ms integer not null check (duration_ms >= 0),
  -- null: there was no response, and the error says why.
  http_status smallint,
  error text,
  -- The address of the connection; null if there was none.
  address text,
  -- The first 16 KiB of the response, as text.
  response text,
  primary key (account_id, callback_id, attempt_no)
);

-- Where the callbacks of a document go, which key signs them, and how many there were. Changed only while the document
-- is locked.
create table callback_target (
  account_id bigint not null,
  document_type callback_document_type not null,
  document_id bigint not null,
  key_name text not null,
  url text not null,
  callback_count integer not null default 0,
  primary key (account_id, document_type, document_id)
);

-- An address of an account that receives callbacks, without its query, and its health as all workers see it.
create table callback_receiver (
  account_id bigint not null,
  -- Derived from account and address, so that it need not be looked up.
  receiver_id uuid not null,
  address text not null,
  -- Attempts in a row without a sign of life. They decide when a receiver is left alone.
  failures integer not null default 0,
  -- Attempts in a row without success, whatever the response: a receiver that rejects every callback needs attention
  -- too.
  unsuccessful integer not null default 0,
  -- Left alone until then.
  open_until timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  -- An operator has stopped deliveries.
  paused boolean not null default false,
  paused_at timestamptz,
  paused_by text,
  -- For a while after this moment, nobody can say that the receiver is silent.
  resumed_at timestamptz,
  primary key (account_id, receiver_id)
);

-- The queue of callbacks that are not delivered yet. Rows are narrow, and deleted when the callback has arrived or has
-- failed for good.
create table callback_delivery (
  account_id bigint not null,
  callback_id bigint not null,
  receiver_id uuid not null,
  document_type text collate "C" not null,
  document_id bigint not null,
  sequence integer not null,
  queued_at timestamptz not null default now(),
  -- When it may be sent, or sent again. Under a lease: when the worker must be taken for dead. Infinity: an earlier
  -- callback of the same document has to arrive first.
  due_at timestamptz not null,
  -- The lease of a worker; null: none.
  lease uuid,
  -- Attempts since it was queued, and before that.
  attempts integer not null default 0,
  attempts_before integer not null default 0,
  -- The end of all attempts.
  give_up_at timestamptz not null,
  primary key (account_id, callback_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
create index callback_delivery_due on callback_delivery (account_id, receiver_id, due_at, callback_id);
create index callback_delivery_in_hand on callback_delivery (account_id, receiver_id, due_at) where lease is not null;
create index callback_delivery_behind on callback_delivery (account_id, document_type, document_id, sequence) where due_at = 'infinity';

-- The request log: every API call. One partition per day, so that deleting a day costs nothing. A trace id contains its
-- time, so that a look-up opens one partition.

create table request_log (
  at timestamptz not null,
  trace_id uuid not null,
  contract text not null,
  method text not null,
  endpoint text not null,
  status smallint not null,
  duration_us integer not null,
  account_no text,
  document_no text,
  code text,
  reason text,
  -- Why a signature was refused, found out at that moment: no body is kept for later.
  diagnosis text
) partition by range (at);
create index request_log_trace_id on request_log (trace_id);
create index request_log_document_no on request_log (document_no, at) where document_no is not null;

-- The service may not create and drop tables; these two functions do it for the days of the request log.

create function create_request_log_day(day date) returns void
  language plpgsql security definer as $$
begin
  -- Two that create the same day at once would disturb each other.
  perform pg_advisory_xact_lock(7215003);
  execute format('create table if not exists %I partition of request_log for values from (%L) to (%L)',
    'request_log_' || to_char(day, 'YYYYMMDD'), day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
end $$;

create function drop_request_log_day(day date) returns void
  language plpgsql security definer as $$
begin
  execute format('drop table if exists %I', 'request_log_' || to_char(day, 'YYYYMMDD'));
end $$;

revoke execute on function create_request_log_day, drop_request_log_day from public;
-- Whatever search path the caller has, they mean the tables of this schema.
do $$
begin
  execute format('alter function create_request_log_day set search_path = %I, pg_temp', current_schema);
  execute format('alter function drop_request_log_day set search_path = %I, pg_temp', current_schema);
end $$;

-- The console

-- The value of the cookie is not stored, only its digest: nobody can take over a session by reading this table.
create table operator_session (
  session_id uuid primary key,
  token_digest bytea not null unique,
  username text not null references operator,
  address text not null,
  user_agent text not null,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- null: not ended by anybody; it may have expired.
  ended_at timestamptz,
  ended_by text,
  -- An export shows rows after its response has begun, so the browser cannot carry the position that was shown.
  seen_position text
);
create index operator_session_username on operator_session (username, created_at);
create index operator_session_expires on operator_session (expires_at);

-- Every action of an operator, written before it is done; its outcome is added once.
create sequence operator_action_id_seq;
create table operator_action (
  operator_action_id bigint primary key default nextval('operator_action_id_seq'),
  at timestamptz not null default clock_timestamp(),
  username text not null,
  -- null: nobody is signed in.
  role text,
  action text collate "C" not null,
  -- The object of the action, as people call it: a number, a sku, a partner.
  subject text,
  account_no text,
  details jsonb not null default '{}',
  address text not null,
  trace_id uuid not null,
  -- null: unknown; the service may have stopped meanwhile.
  outcome text
);
create index operator_action_at on operator_action (at, operator_action_id);
create index operator_action_username on operator_action (username, at, operator_action_id);
create index operator_action_action on operator_action (action, at, operator_action_id);
create index operator_action_trace_id on operator_action (trace_id);
create index operator_action_subject on operator_action (subject, at, operator_action_id) where subject is not null;
create index operator_action_account on operator_action (account_no, at, operator_action_id) where account_no is not null;

-- The filters of a list under a name.
create table saved_view (
  username text not null references operator,
  page text collate "C" not null,
  name text not null,
  query text not null,
  created_at timestamptz not null default now(),
  primary key (username, page, name)
);

-- Notes of people on a document.
create sequence document_note_id_seq;
create table document_note (
  account_id bigint not null,
  document_note_id bigint not null default nextval('document_note_id_seq'),
  document_type document_type not null,
  document_id bigint not null,
  at timestamptz not null default now(),
  author text not null,
  text text not null,
  primary key (account_id, document_type, document_id, document_note_id)
);

-- Operation

-- Recurring jobs, claimed by the first worker that comes.
create table schedule (
  name text primary key,
  next_run_at timestamptz not null default now(),
  last_run_at timestamptz,
  last_outcome text
);

-- Processes that serve or work, each with a heartbeat.
create table node (
  node_id uuid primary key,
  host text not null,
  pid integer not null,
  role text not null check (role in ('api', 'worker', 'both')),
  version text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);

-- The counts of each purge, written batch by batch: a purge that was cut off has no end.
create sequence purge_id_seq;
create table purge_report (
  purge_id bigint primary key default nextval('purge_id_seq'),
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  actor text not null,
  -- Documents created before this moment were purged.
  made_before timestamptz not null,
  orders bigint not null default 0,
  inbounds bigint not null default 0,
  movements bigint not null default 0,
  callbacks bigint not null default 0,
  -- Units that stay on hand without their document, because later movements depend on them.
  units_kept bigint not null default 0
);

-- The first statistics. While a table has none, PostgreSQL takes every account for one of two hundred, so all indexes
-- that begin with the account look equally good, and a plan that is made then would walk through all rows of an account.
-- A few rows of three accounts, analyzed and removed again, tell it that the account alone does not narrow a search. Only
-- one of the three is kept as a frequent value: PostgreSQL takes an account that it does not know for one of the others.
-- Times differ from row to row: PostgreSQL 18 skips over a column of an index that seems to have few values.

insert into account (account_id, account_no, name, environment, warehouse_api, enabled)
  select -n, n, '', 'uat', false, false from generate_series(0, 2) n;
insert into product (account_id, product_id, sku_id, name, storage_type, created_at, updated_at)
  select -(n % 3), n, n, n, n % 4, now() - n * interval '1 hour', now() - n * interval '1 hour' from generate_series(1, 100) n;
insert into lot (account_id, lot_id, warehouse_no, product_id, stock_type, batch_id, expire_date, on_hand, locked, sku_id)
  select -(n % 3), n, 1, n, 'good', '', date '2000-01-01' + n, n + 1, n, n from generate_series(1, 100) n;
insert into movement (account_id, movement_id, lot_id, kind, on_hand_delta, locked_delta, order_id, inbound_id, actor)
  select -(n % 3), n, n % 50, 'lock', 0, 1, case when n % 2 = 0 then n end, case when n % 2 = 1 then n end, ''
  from generate_series(1, 100) n;
insert into inbound_document (account_id, inbound_id, channel, kind, partner_number, document_no, payload_digest,
    warehouse_no, store_no, receiving, status, created_at, updated_at)
  select -(n % 3), n, case when n % 2 = 0 then 'warehouse' else 'logistics' end, 'inbound', n, n, '', 1, 1, 'on_create',
    case when n % 2 = 0 then 'expected' else 'received' end, now() - n * interval '1 hour', now() - n * interval '1 hour'
  from generate_series(1, 100) n;
insert into inbound_line (account_id, inbound_id, line_no, product_id, qty)
  select -(n % 3), n / 2, n % 2, n, 1 from generate_series(1, 100) n;
insert into inbound_form (account_id, inbound_id, internal_form_no, shipping_type)
  select -(n % 3), n, n, 'vendor_pickup' from generate_series(1, 100) n;
insert into receipt (account_id, inbound_id, receipt_no, payload_digest)
  select -(n % 3), n / 2, n, '' from generate_series(1, 100) n;
insert into orders (account_id, order_id, channel, partner_number, order_no, payload_digest, warehouse_no, store_no, status,
    environment, created_at, updated_at)
  select -(n % 3), n, case when n % 2 = 0 then 'warehouse' else 'logistics' end, n, n, '', 1, 1,
    case when n % 2 = 0 then 'pending_warehouse_transfer' else 'cancelled' end, 'production',
    now() - n * interval '1 hour', now() - n * interval '1 hour'
  from generate_series(1, 100) n;
insert into order_line (account_id, order_id, line_no, product_id, qty)
  select -(n % 3), n / 2, n % 2, n, 1 from generate_series(1, 100) n;
insert into shipping_order (account_id, order_id, customer_name, delivery_charge)
  select -(n % 3), n, n, 0 from generate_series(1, 100) n;
insert into waiting_line (account_id, product_id, warehouse_no, order_id, line_no, qty)
  select -(n % 3), n % 50, 1, n, 1, 1 from generate_series(1, 100) n;
insert into state_change (account_id, state_change_id, document_type, document_id, event, from_state, to_state, actor)
  select -(n % 3), n, case when n % 2 = 0 then 'order' else 'inbound' end, n / 2, '', '', n % 5, '' from generate_series(1, 100) n;
insert into transfer (account_id, order_id, transfer_id, warehouse_no, status)
  select -(n % 3), n, gen_random_uuid(), 1, case when n % 2 = 0 then 'waiting' else 'accepted' end from generate_series(1, 100) n;
insert into callback (account_id, callback_id, event_id, event, document_type, document_id, document_no, sequence, key_name,
    url, receiver_id, body, status, occurred_at, created_at, updated_at)
  select -(n % 3), n, gen_random_uuid(), '', case when n % 2 = 0 then 'order' else 'inbound' end, n / 4, n, n, '', '',
    gen_random_uuid(), '', case when n % 2 = 0 then 'pending' else 'delivered' end, now(),
    now() - n * interval '1 hour', now() - n * interval '1 hour'
  from generate_series(1, 100) n;
insert into callback_attempt (account_id, callback_id, attempt_no, duration_ms)
  select -(n % 3), n / 2, n % 2 + 1, 1 from generate_series(1, 100) n;
insert into callback_target (account_id, document_type, document_id, key_name, url)
  select -(n % 3), case when n % 2 = 0 then 'order' else 'inbound' end, n, '', '' from generate_series(1, 100) n;
insert into callback_receiver (account_id, receiver_id, address)
  select -(n % 3), gen_random_uuid(), n from generate_series(1, 100) n;
insert into callback_delivery (account_id, callback_id, receiver_id, document_type, document_id, sequence, due_at, give_up_at)
  select -(n % 3), n, gen_random_uuid(), case when n % 2 = 0 then 'order' else 'inbound' end, n / 4, n,
    case when n % 2 = 0 then now() else 'infinity' end, now()
  from generate_series(1, 100) n;
insert into document_note (account_id, document_note_id, document_type, document_id, author, text)
  select -(n % 3), n, case when n % 2 = 0 then 'order' else 'inbound' end, n / 2, '', '' from generate_series(1, 100) n;
do $$
declare
  name text;
begin
  foreach name in array array['product', 'lot', 'movement', 'inbound_document', 'inbound_line', 'inbound_form',
    'receipt', 'orders', 'order_line', 'shipping_order', 'waiting_line', 'state_change', 'transfer', 'callback',
    'callback_attempt', 'callback_target', 'callback_receiver', 'callback_delivery', 'document_note']
  loop
    execute format('alter table %I alter account_id set statistics 1', name);
    execute format('analyze %I', name);
    execute format('alter table %I alter account_id set statistics -1', name);
    -- A block with an exception clause is a subtransaction. Only there, TRUNCATE makes PostgreSQL forget how many rows the
    -- table had, and expect ten pages of them. It would know that the table is empty otherwise, and take any index.
    begin
      execute format('truncate %I', name);
    exception when others then
      raise;
    end;
  end loop;
end $$;
delete from account where account_id <= 0;

-- Row-level security: a statement sees and changes only rows of the accounts that its transaction has stated in the
-- setting lading.accounts, such as {7,12}; without it, no rows. It binds every role but the owner of the tables, and is
-- the second barrier: every statement also names its account. Privileges are the rest of the rules; see privileges.sql.

do $$
declare
  name text;
begin
  foreach name in array array['product', 'lot', 'movement', 'inbound_document', 'inbound_line', 'inbound_form', 'receipt', 'orders',
    'order_line', 'shipping_order', 'waiting_line', 'state_change', 'transfer', 'callback', 'callback_attempt', 'callback_target',
    'callback_receiver', 'callback_delivery', 'document_note', 'tenant', 'client', 'logistics_key']
  loop
    execute format('alter table %I enable row level security', name);
    -- Every statement has the same condition itself. PostgreSQL would count it twice and expect too few rows, so it is
    -- hidden in coalesce.
    execute format('create policy stated_accounts on %I using (coalesce(
      account_id = any ((select nullif(current_setting(''lading.accounts'', true), '''')::bigint[])::bigint[]), false))', name);
  end loop;

  -- They tell which account a caller belongs to, so they are read before an account can be stated.
  foreach name in array array['tenant', 'client', 'logistics_key']
  loop
    execute format('create policy read_by_all on %I for select using (true)', name);
  end loop;

  -- Documents of production accounts are never deleted.
  foreach name in array array['movement', 'inbound_document', 'inbound_line', 'inbound_form', 'receipt', 'orders', 'order_line',
    'shipping_order', 'state_change', 'transfer', 'callback', 'callback_attempt', 'callback_target', 'document_note']
  loop
    execute format('create policy delete_uat_only on %I as restrictive for delete using (
      account_id in (select account_id from account where environment = ''uat''))', name);
  end loop;
end $$;

-- The outcome of an action is added once.
alter table operator_action enable row level security;
create policy read_all on operator_action for select using (true);
create policy add on operator_action for insert with check (true);
create policy add_outcome_once on operator_action for update using (outcome is null) with check (true);

-- The roles that have the privileges of privileges.sql, and which version of it they have.
create table granted_privileges (
  service_role text primary key,
  checksum text not null,
  granted_at timestamptz not null default now()
);
