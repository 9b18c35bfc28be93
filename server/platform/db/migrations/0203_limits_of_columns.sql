-- How many issues are wanted in a column at most: a warning for people, which refuses nothing. Null: any number.
alter table board_columns add column max_issues integer check (max_issues between 1 and 9999);
