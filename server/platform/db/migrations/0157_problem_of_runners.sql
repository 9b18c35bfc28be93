-- Why no job can run on the machine, as the runner says; null: nothing is known against it.
alter table runners add column problem text;
