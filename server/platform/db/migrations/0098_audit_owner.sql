-- Whose entries of the audit log are, for how long they are kept. Apart from what follows, because making the index takes long.

-- By whose plan an entry is kept: that of its organization; of the user whose account it is about; of who acted. Empty: nobody's. Null: it is
-- the instance's own. Made of what the chain proves alone, so that nobody can change it unseen.
create function audit_owner(organization_id text, action text, target_type text, target_id text, actor_id text) returns text
language sql immutable as $$
  select case when organization_id is not null then organization_id
    when action ~ '^(admin|instance|audit)\.' then null
    when action ~ '^(auth|user|oauth)\.' and target_type = 'user' and target_id <> '' then target_id
    else coalesce(actor_id, '') end
$$;

create index audit_log_person on audit_log ((audit_owner(organization_id, action, target_type, target_id, actor_id)), seq)
  where organization_id is null;
