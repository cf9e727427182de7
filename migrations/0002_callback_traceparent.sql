-- The trace of the change that a callback reports on, if it was traced: the delivery is linked to it.

alter table callback add column traceparent text;
