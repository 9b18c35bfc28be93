-- The runs of a commit, of every status: for who looks at the commit, and for rules that want one that has passed.
create index pipelines_of_commit on pipelines (repository_id, sha, number desc);
drop index pipelines_passed;
