-- The application role could write the list of applied migrations, and so hide one from the owner's next run.
revoke insert, update, delete on schema_migrations from forgeline_app;
