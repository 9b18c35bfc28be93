-- Whether members may create repositories in the organization; its owners always may.
alter table organizations add column members_can_create_repositories boolean not null default true;
