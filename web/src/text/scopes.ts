/** What each scope of a token or an app allows. */
import type { Schemas } from "@forgeline/client/schemas.ts";

export const scopeWords: Readonly<Record<Schemas["Scope"], string>> = {
  "repo:read": "Read your repositories, private ones included",
  "repo:write": "Push to your repositories, create branches and tags",
  "repo:admin": "Everything with your repositories: settings, collaborators, deletion",
  "pipeline:read": "Read runs and their logs",
  "pipeline:write": "Start and cancel runs",
  "mr:read": "Read merge requests and reviews",
  "mr:write": "Create and change merge requests and reviews",
  "issue:read": "Read issues and comments",
  "issue:write": "Create and change issues and comments",
  "org:read": "See your organizations, their teams and members",
  "org:admin": "Manage your organizations: settings, members, teams",
  "package:read": "Read packages",
  "package:write": "Publish and manage packages",
  "audit:read": "Read audit logs",
  "user:read": "See your profile, your e-mail addresses and settings",
  "user:write": "Change your profile and your settings",
};
