-- Where people who are asked read about an app.
alter table oauth_apps add column homepage_url text;
