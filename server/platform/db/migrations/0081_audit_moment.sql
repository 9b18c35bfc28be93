-- One event has one time: its entry and those that tell organizations of it are written by one statement, and a clock that
-- is read for each row gives them times that may differ.
alter table audit_log alter column at set default statement_timestamp();
