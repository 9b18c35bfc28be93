-- What a runner said of itself when it last connected. Null: it did not say, or has no containers.
alter table runners add column engine text check (engine in ('docker', 'docker_rootless', 'podman', 'podman_rootless'));
-- It executes only what keys that it trusts have signed.
alter table runners add column requires_signatures boolean not null default false;
