-- A change of the master key: `lading reseal`.

-- The master key with which the process seals. A reseal waits until all of them have the new one.
alter table node add column master_key_id text;

-- A digest cannot be made again under another key, because nobody knows its value. The key of the digests that a former
-- master key made is therefore kept here, sealed by the present one; the former master key itself is not needed any more.
create table retired_master_key (
  retired_key_id text primary key,
  sealed bytea not null,
  -- The master key that seals it.
  master_key_id text not null,
  retired_at timestamptz not null default now()
);
