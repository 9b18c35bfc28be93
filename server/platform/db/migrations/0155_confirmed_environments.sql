-- When somebody with Maintain first made or confirmed it; null: a job brought it into being, and nobody has confirmed it since.
-- Secrets that are limited to environments are given in confirmed ones only: whoever may push could otherwise name one that matches.
alter table environments add column confirmed_at timestamptz;
-- What only people with Maintain can have done to those that exist.
update environments e set confirmed_at = now()
where e.updated_at <> e.created_at or e.branches <> '{}' or e.tags <> '{}' or e.approval_count > 0 or e.wait_minutes > 0
  or e.refuse_older or e.allow_shell
  or exists (select from secrets s where s.environment_id = e.id)
  or exists (select from shared_variables v where v.environment_id = e.id)
  or exists (select from audit_log a where a.target_id = e.repository_id and a.action = 'environment.create'
    and lower(a.details ->> 'environment') = lower(e.name) and a.at >= e.created_at - interval '1 minute');
