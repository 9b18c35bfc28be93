-- Whether the credential of whoever made a schedule was good for other repositories; null where that is not known: of a file's, and of older ones.
alter table pipeline_schedules add column reaches_elsewhere boolean;
