-- The least level on the repository of those who may approve besides the approvers; null: Write without approvers, nobody else with them.
alter table environments add column approval_level text check (approval_level in ('write', 'maintain', 'admin'));
