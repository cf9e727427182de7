-- Leads to test callbacks, of which an account may send only so many a minute. Built while others write.
create index concurrently callback_test on callback (account_id, test_of, created_at) where test_of is not null;
