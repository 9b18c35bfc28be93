-- The repositories whose jobs may have a secret of an organization or of the instance; empty for all, as with the other limits.
alter table secrets add column repositories text[] not null default '{}';

-- Of the secret when the job was given it: known also when the secret is gone. Null for uses from before; the secret still tells it.
alter table secret_uses add column level text check (level in ('environment', 'repository', 'organization', 'instance'));
