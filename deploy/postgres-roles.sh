#!/bin/sh
# Runs once, when the database is made: the roles that Forgeline and Temporal use, and Forgeline's database.
set -eu
psql --username postgres --set ON_ERROR_STOP=1 \
  --set owner="$FORGELINE_OWNER_PASSWORD" --set app="$FORGELINE_APP_PASSWORD" --set temporal="$TEMPORAL_PASSWORD" <<'SQL'
create role forgeline_owner login password :'owner';
create role forgeline_app login password :'app';
create role temporal login createdb password :'temporal';
create database forgeline owner forgeline_owner;
SQL
