-- How far the credential reached with which a schedule was made or last changed, or a push was made whose file lists it.
alter table pipeline_schedules add column reach text not null default 'reads' check (reach in ('here', 'reads', 'starts'));
alter table schedule_marks add column reach text not null default 'reads' check (reach in ('here', 'reads', 'starts'));
alter table pushes add column reach text not null default 'reads' check (reach in ('here', 'reads', 'starts'));
