-- Where a list goes on that the host does not count in pages: what its reader made of the last answer.
alter table imports add column cursor text;
