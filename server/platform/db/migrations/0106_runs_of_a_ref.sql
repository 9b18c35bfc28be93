-- A badge shows the newest run of a branch, to everybody who opens a page with it: the branch may have none among a million others.
create index pipelines_of_ref on pipelines (repository_id, ref, number desc);
