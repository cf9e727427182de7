-- Sign-in with a second factor or with an identity provider, and a report of weak secrets.

-- Chosen before the present rules for new secrets. null: not known yet. A digest says nothing about its length, so
-- that is known once the secret has been used.
alter table secret add column weak boolean;

-- A secret for one-time codes is sealed like all others that we must read. The wider check does not concern nodes of the
-- previous version: they never write that kind.
-- Safe beside older versions: the new constraint allows more.
alter table secret drop constraint secret_kind_check;
alter table secret add constraint secret_kind_check check (kind in
  ('account_secret', 'check_value', 'logistics_key', 'callback_secret', 'connector_secret', 'operator_password', 'totp_secret'))
  not valid;

-- Where passwords are switched off, this operator may still use one until this moment.
alter table operator add column password_until timestamptz;

-- How the operator proved who they are. An identity provider has its own second factor.
alter table operator_session add column signed_in_with text not null default 'password'
  check (signed_in_with in ('password', 'oidc'));

-- Operators whose one-time codes are in use; the secret is in the table of secrets.
create table operator_totp (
  username text primary key references operator,
  confirmed_at timestamptz not null default now(),
  -- The time step of the last code that was accepted: each code is accepted once.
  last_step bigint not null
);

-- Codes for the day on which the phone is lost. They are random, so a plain digest reveals nothing.
create table operator_recovery_code (
  username text not null references operator,
  digest bytea not null,
  used_at timestamptz,
  primary key (username, digest)
);

-- Who signs in as this operator at the identity provider.
create table operator_identity (
  issuer text not null,
  subject text not null,
  username text not null unique references operator,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
