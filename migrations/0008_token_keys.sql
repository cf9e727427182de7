-- The keys that sign access tokens, the same for all nodes. Only the private half is kept, sealed: a public half beside it could be
-- exchanged by whoever can write here, and tokens of a stranger would be accepted.
create table token_key (
  kid text primary key,
  sealed bytea not null,
  master_key_id text not null,
  created_at timestamptz not null,
  -- A key is published before it signs, so that everybody who checks tokens knows it by then.
  signs_from timestamptz not null,
  -- null: in use. Later, until the last token that it may have signed has expired; then the row is deleted.
  valid_until timestamptz
);
-- However many nodes start at once on an empty database, they share one key.
create unique index token_key_in_use on token_key ((true)) where valid_until is null;
