-- Callbacks for documents of the warehouse API and the main API, and test callbacks.

-- Where the callbacks of an account's documents go, unless their tenant has an address of its own. null: there are none.
alter table account add column callback_url text;
alter table tenant add column callback_url text;

-- The secrets that sign them. Owners of different kinds may have the same name, so each has its own kind of secret.
-- Nodes of the previous version never write these kinds.
-- Safe beside older versions: the new constraint allows more.
alter table secret drop constraint secret_kind_check;
alter table secret add constraint secret_kind_check check (kind in
  ('account_secret', 'check_value', 'logistics_key', 'callback_secret', 'connector_secret', 'operator_password', 'totp_secret',
   'account_callback_secret', 'tenant_callback_secret'))
  not valid;

-- A test callback belongs to no document: its document_id is negative and its own. null: it is no test. 0: it has the
-- example body of its event. Otherwise the id of the document whose body it has.
alter table callback add column test_of bigint;
