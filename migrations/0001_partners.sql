-- Who may talk to us, and where their goods lie. Partners are never deleted, only disabled: documents refer to them for ever.

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

create table account (
  account_id bigint generated always as identity primary key,
  account_no text not null unique,
  name text not null,
  environment text not null check (environment in ('uat', 'production')),
  warehouse_api boolean not null,
  enabled boolean not null,
  created_at timestamptz not null default now()
);

create table tenant (
  account_id bigint not null references account,
  warehouse_tpw_id text not null,
  warehouse_no integer not null references warehouse,
  store_no integer not null references store,
  receiving text not null check (receiving in ('on_create', 'on_confirm')),
  sellable_days_before_expiry integer check (sellable_days_before_expiry >= 0),
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

create table logistics_key (
  account_id bigint not null references account,
  name text not null,
  warehouse_no integer not null references warehouse,
  store_no integer not null references store,
  receiving text not null check (receiving in ('on_create', 'on_confirm')),
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

-- Every secret of every partner. What we must read back is sealed, what we only compare is a keyed digest, passwords are argon2.
-- The owner is named by its own number ('ALPHA', 'ALPHA/wms', 'boss'), because the owners live in five tables.
-- The last one that came from a file is kept even after its end: the same file applied after a rotation must not undo it.
create table secret (
  secret_id bigint generated always as identity primary key,
  kind text not null check (kind in
    ('account_secret', 'check_value', 'logistics_key', 'callback_secret', 'connector_secret', 'operator_password')),
  owner text not null,
  sealed bytea,
  digest bytea,
  password_hash text,
  master_key_id text,
  from_file boolean not null,
  created_at timestamptz not null default now(),
  valid_until timestamptz,
  check (num_nonnulls(sealed, digest, password_hash) = 1),
  check ((password_hash is null) = (master_key_id is not null))
);
-- One current secret; those of a rotation in progress carry their end.
create unique index secret_current on secret (kind, owner) where valid_until is null;
create index secret_owner on secret (kind, owner);
-- A logistics key is looked up by what it is, so no two may be the same.
create unique index secret_logistics_key on secret (digest) where kind = 'logistics_key';

-- Every change of a partner: who, when, what. Never a secret's value.
create table partner_change (
  partner_change_id bigint generated always as identity primary key,
  changed_at timestamptz not null default now(),
  actor text not null,
  subject_kind text not null,
  subject text not null,
  change text not null,
  fields jsonb not null
);
create index partner_change_subject on partner_change (subject_kind, subject, partner_change_id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;

create trigger partner_change_append_only before update or delete or truncate on partner_change
  for each statement execute function refuse_change();
