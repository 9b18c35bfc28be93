-- Which of an owner's repositories hold an object: without it each of thousands of repositories is looked into.
create index lfs_objects_oid on lfs_objects (oid);
