-- When a key stopped being published before its time, because somebody may have seen it. It signs nothing new; a restarted runner
-- still gets the tokens that its job had, since they mask the log.
alter table id_token_keys add column withdrawn_at timestamptz;
