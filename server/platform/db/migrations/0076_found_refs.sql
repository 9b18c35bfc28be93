-- A record of refs that were found elsewhere than the last record says, as after a restore: nobody pushed it.
alter table pushes alter column user_id drop not null;
alter table pushes add constraint pushes_pusher check (user_id is not null or state = 'recorded');
