-- Every order enters each of its indexes again with each change of its status.

-- An account has few channels and stores, so many of the rows that a search reads by another index fit.
-- Safe beside older versions: an index changes no result.
drop index orders_search_channel;
-- Safe beside older versions: an index changes no result.
drop index orders_search_store;

-- Safe beside older versions: orders_recipients_ended has all of these orders.
drop index orders_recipients;
