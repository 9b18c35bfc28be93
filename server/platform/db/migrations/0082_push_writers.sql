-- Which process runs the Git of a push that is under way: no other settles it, or takes its locks for left over, while that one is
-- there. Null: its Git has ended, or was started by a release that did not say.
alter table pushes add column writer text;
