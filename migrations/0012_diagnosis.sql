-- Why a signature was refused, as found out at that moment: no body is kept that could be looked at later.
alter table request_log add column diagnosis text;
