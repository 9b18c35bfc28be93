-- How a runner executes jobs, as it said when it last connected: in containers, or as processes of its own user.
alter table runners add column executor text not null default 'docker' check (executor in ('docker', 'process'));
