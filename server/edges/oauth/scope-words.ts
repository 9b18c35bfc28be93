/** What a scope allows, in the words of the consent page: "… wants to". */
import type { Scope } from "@forgeline/schemas/core/scopes.ts";

export const scopeWords: Readonly<Record<Scope, string>> = {
  "repo:read": "Read the content, branches and tags of your repositories, including private ones",
  "repo:write": "Read and write your repositories: push, create branches and tags",
  "repo:admin": "Full control of your repositories, including settings, collaborators and deletion",
  "mr:read": "Read merge requests and reviews",
  "mr:write": "Read, create and change merge requests and reviews",
  "issue:read": "Read issues and comments",
  "issue:write": "Read, create and change issues and comments",
  "org:read": "See your organizations, their teams and members",
  "org:admin": "Manage your organizations: settings, members and teams",
  "package:read": "Read packages and their versions",
  "package:write": "Read, publish and manage packages",
  "pipeline:read": "Read pipeline runs and their logs",
  "pipeline:write": "Start pipelines and manage their secrets",
  "audit:read": "Read audit logs",
  "user:read": "See your profile, including your e-mail addresses, and your settings",
  "user:write": "Change your profile and your settings",
};
