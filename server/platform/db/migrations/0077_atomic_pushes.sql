-- An atomic push that was killed between two of its refs is completed, or taken back.
alter table pushes add column atomic boolean not null default false;
