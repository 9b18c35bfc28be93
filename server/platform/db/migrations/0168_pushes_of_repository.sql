-- The newest pushes of a repository, among which merge requests look for who brought a commit.
create index pushes_of_repository on pushes (repository_id, id);
