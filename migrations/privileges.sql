-- What the roles of Lading may do. `lading migrate` runs this file as the owner of the tables, with names in
-- place of :service, :purge, :schema and :database; it may run again and again.
--
-- service: the login of DATABASE_URL. It has no right to change or delete what is kept as it was written, and none to
--          create, change or drop tables.
-- purge:   no login. The service becomes this role for the transactions that delete documents of UAT accounts, or erase
--          the recipients of orders.

-- Everybody may create temporary tables, and before PostgreSQL 15 other tables, unless somebody says otherwise.
revoke create on schema :schema from public;
revoke temporary on database :database from public;

revoke all on all tables in schema :schema from :service, :purge;
revoke all on all sequences in schema :schema from :service, :purge;

grant usage on schema :schema to :service, :purge;
grant select, usage on all sequences in schema :schema to :service, :purge;
grant select on all tables in schema :schema to :service, :purge;

-- Kept as they were written: movements, changes of state, changes of partners, notes, receipts, audits.
grant insert on movement, state_change, partner_change, document_note, receipt, stock_audit to :service;
grant insert on movement to :purge;
-- The numbers of stock changes too.
grant insert on stock_change to :service;
grant delete on stock_change to :purge;
-- Of an action, only the outcome is added.
grant insert, update (outcome) on operator_action to :service;

-- Partners are disabled, never deleted, and an account stays in its environment.
grant insert, update on warehouse, store, tenant, client, logistics_key, operator, partner_use to :service;
grant insert, update (name, warehouse_api, enabled, callback_url) on account to :service;
grant insert, update, delete on client_network, secret, token_key, retired_master_key to :service;
-- A link is used once: it is opened or revoked, its secrets are sealed again, and it is forgotten.
grant insert, update (sealed, master_key_id, opened_at, opened_from, revoked_at, revoked_by), delete on handover_link to :service;

-- Products, stock and documents.
grant insert, update on product, lot, inbound_document, transfer, callback, callback_target, callback_receiver to :service;
grant insert, update (status, shipment_no, carrier, undelivered_reason, updated_at) on orders to :service;
grant insert, update (carrier, is_repeat) on parcel to :service;
grant insert on parcel_item, short_line to :service;
grant insert, update, delete on product_code, product_location to :service;
-- Picking: an order leaves a batch by its state, and the scans of a batch go when it closes.
grant insert, update (closed_at, closed_by) on pick_batch to :service;
grant insert, update (state, reason) on pick_batch_order to :service;
grant insert, update (picked, short, reason) on pick_task to :service;
grant insert, delete on pick_scan to :service;
-- Work on the floor that is not final yet.
grant insert, update, delete on packed_unit, planned_shipment to :service;
grant insert, update on order_print to :service;
-- The search: parts are added by a job, and deleted with their documents.
grant insert on search_part to :service;
grant insert, update on search_progress to :service;
grant delete on search_part to :purge;
-- Counts of the stock: scans are kept; one that was wrong is marked as undone.
grant insert, update (state, ended_by, ended_at, reference_no) on stock_count to :service;
grant insert, update on stock_count_line to :service;
grant insert, update (undone_at) on stock_count_entry to :service;
grant delete on stock_count, stock_count_line, stock_count_entry to :purge;
-- Partners and operators change an order before it is picked; order_change keeps the old and new values. The service
-- changes neither the number of an order nor the name of its customer.
grant update (logistics_type, express_type, consignee_country, consignee_name, consignee_phone, consignee_address, consignee_zip,
  held_at, changed_at) on orders to :service;
grant update (city, note, store_pickup_label_data) on shipping_order to :service;
grant insert, update (state, old_values, attempts, answered_at, answer) on order_change to :service;
grant insert on inbound_line, inbound_form, order_line, shipping_order, callback_attempt to :service;
grant insert, update, delete on waiting_line, callback_delivery to :service;

-- The request log, the console and operation.
grant insert on request_log to :service;
grant execute on function create_request_log_day, drop_request_log_day to :service;
grant insert, update, delete on operator_session, saved_view, node to :service;
grant insert, update, delete on operator_totp, operator_recovery_code to :service;
grant insert on operator_identity to :service;
grant insert, update on schedule, push_schedule, purge_report, recipient_erasure to :service;
-- Alerts: administrators change and delete their rules; messages are kept for a while.
grant insert, update, delete on alert_rule, alert_state, alert_message to :service;
-- Trends are counted again from what they count, and deleted when they are old.
grant insert, update on trend_progress to :service;
grant insert, update, delete on call_trend, order_trend, backlog_trend, callback_trend to :service;
grant insert, update on counted_order, order_trend_progress to :service;
grant delete on call_trend, order_trend, backlog_trend, callback_trend, counted_order to :purge;
grant insert, update on order_trend, order_trend_progress to :purge;

-- Row-level security limits these deletes to UAT accounts.
grant delete on movement, state_change, document_note, inbound_document, inbound_line, inbound_form, receipt, orders, order_line,
  shipping_order, transfer, callback, callback_attempt, callback_target, order_change to :purge;
grant delete on order_print to :purge;
-- A purge locks the documents, changes the lots that they moved, and reports what it did.
grant update on inbound_document, orders, lot, callback, callback_receiver to :purge;
grant update, delete on waiting_line, callback_delivery to :purge;
grant insert, update on purge_report to :purge;

-- An erasure empties the columns that have personal data.
grant update (customer_name, city, note, store_pickup_label_data) on shipping_order to :purge;
grant update (reason) on transfer to :purge;
grant update (response) on callback_attempt to :purge;
grant update (text) on document_note to :purge;
grant update (state, old_values, new_values, reason, answer) on order_change to :purge;
grant insert, update on recipient_erasure to :purge;
