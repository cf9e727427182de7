-- One-time links with which a partner collects its secrets.
create table handover_link (
  account_id bigint not null references account,
  link_id uuid not null,
  -- That of the token in the address: nobody can open a link by reading this table.
  token_digest bytea not null,
  -- The request of the console that made it, and the digest of its content: a repeat finds its link.
  request_id uuid not null,
  request_digest text not null,
  -- The token and the secrets; null as soon as the link was opened or revoked, or has expired.
  sealed bytea,
  master_key_id text,
  -- The kind and owner of each secret, without its value.
  secrets jsonb not null,
  language text not null check (language in ('en', 'zh-TW')),
  created_at timestamptz not null default now(),
  created_by text not null,
  expires_at timestamptz not null,
  opened_at timestamptz,
  opened_from text,
  revoked_at timestamptz,
  revoked_by text,
  primary key (account_id, link_id),
  check (opened_at is null or revoked_at is null),
  check (sealed is null or num_nonnulls(opened_at, revoked_at) = 0),
  check ((sealed is null) = (master_key_id is null))
);
-- The page that opens a link knows only its token, and a repeated request only its id.
create unique index handover_link_token on handover_link (token_digest);
create unique index handover_link_request on handover_link (request_id);

alter table handover_link enable row level security;
create policy stated_accounts on handover_link using (coalesce(
  account_id = any ((select nullif(current_setting('lading.accounts', true), '')::bigint[])::bigint[]), false));
-- They are looked up before an account can be stated.
create policy read_by_all on handover_link for select using (true);
