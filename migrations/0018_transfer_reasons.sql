-- A reason is now stored as a message, {"code":...,"params":{...}}. A reason that a warehouse itself sent in this form
-- is not ours: it becomes the param of a message, as new ones do.
update transfer set reason = '{"code":"warehouse_reason","params":{"text":' || to_json(reason) || '}}'
where reason like '{"code":"%';
