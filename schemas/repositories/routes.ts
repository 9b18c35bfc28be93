/** Operations on repositories. */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import {
  Repository,
  RepositoryCreate,
  RepositoryFork,
  RepositoryTopics,
  RepositoryUpdate,
} from "./resource.ts";

export const RepositoryParams = z.strictObject({ owner: z.string(), repo: z.string() });

export const createRepository = route({
  id: "createRepository",
  method: "post",
  path: "/repos",
  tag: "repositories",
  summary: "Create a repository",
  description:
    "In an organization, its owners can create repositories, and so can its members unless the organization disallows it; a member who creates one becomes its admin.",
  access: "user",
  scope: "repo:write",
  body: RepositoryCreate,
  status: 201,
  response: Repository,
  errors: ["conflict"],
});

export const getRepository = route({
  id: "getRepository",
  method: "get",
  path: "/repos/:owner/:repo",
  tag: "repositories",
  summary: "One repository",
  access: "repo_read",
  scope: "repo:read",
  params: RepositoryParams,
  status: 200,
  response: Repository,
  errors: [],
});

export const listUserRepositories = route({
  id: "listUserRepositories",
  method: "get",
  path: "/user/repos",
  tag: "repositories",
  summary: "Repositories of the authenticated user, by name",
  description:
    "Repositories that the user owns, collaborates on, or can access through organizations and teams.",
  access: "user",
  bots: "allowed",
  scope: "repo:read",
  limitedTokens: "allowed",
  query: PageQuery,
  status: 200,
  response: z.array(Repository),
  paginated: true,
  errors: [],
});

export const listForks = route({
  id: "listForks",
  method: "get",
  path: "/repos/:owner/:repo/forks",
  tag: "repositories",
  summary: "Forks of a repository that the caller can see, newest first",
  access: "repo_read",
  scope: "repo:read",
  params: RepositoryParams,
  query: PageQuery,
  status: 200,
  response: z.array(Repository),
  paginated: true,
  errors: [],
});

export const createFork = route({
  id: "createFork",
  method: "post",
  path: "/repos/:owner/:repo/forks",
  tag: "repositories",
  summary: "Fork a repository",
  description:
    "Copies all branches and tags with what they reach, and the Git LFS objects, and answers when the copy is whole: a second for most, minutes for gigabytes. The fork is as visible as its upstream, but `private` where an `internal` one leaves its organization. It has its own settings, protections, keys and runs. Tokens that are limited to repositories cannot fork.",
  access: "repo_signed_in",
  scope: "repo:write",
  archived: "allowed",
  params: RepositoryParams,
  body: RepositoryFork,
  status: 201,
  response: Repository,
  errors: ["conflict", "quota_exceeded", "unavailable"],
});

const settings = {
  tag: "repositories",
  access: "repo_admin",
  scope: "repo:admin",
  params: RepositoryParams,
  status: 200,
  response: Repository,
} as const;

export const updateRepository = route({
  ...settings,
  access: "repo_maintain",
  id: "updateRepository",
  method: "patch",
  path: "/repos/:owner/:repo",
  summary: "Change settings of a repository",
  description:
    "With `maintain`; `name`, `visibility`, `private`, `public_pipelines`, `mirror_sync_pipelines`, `fork_sync_pipelines` and `job_permissions_max` require `admin`. After a rename, URLs with the old name redirect here (GET returns 301) until another repository uses it.",
  body: RepositoryUpdate,
  errors: ["conflict", "repository_archived"],
});

export const setRepositoryTopics = route({
  ...settings,
  access: "repo_maintain",
  id: "setRepositoryTopics",
  method: "put",
  path: "/repos/:owner/:repo/topics",
  summary: "Replace the topics of a repository",
  body: RepositoryTopics,
  errors: ["repository_archived"],
});

export const archiveRepository = route({
  ...settings,
  archived: "allowed",
  id: "archiveRepository",
  method: "post",
  path: "/repos/:owner/:repo/archive",
  summary: "Make a repository read-only",
  description:
    "It can still be viewed and cloned; everything else is refused until it is unarchived. Running pipelines are ended.",
  errors: [],
});

export const unarchiveRepository = route({
  ...settings,
  archived: "allowed",
  id: "unarchiveRepository",
  method: "post",
  path: "/repos/:owner/:repo/unarchive",
  summary: "Make an archived repository writable again",
  errors: [],
});

export const deleteRepository = route({
  id: "deleteRepository",
  method: "delete",
  path: "/repos/:owner/:repo",
  tag: "repositories",
  summary: "Delete a repository",
  description:
    "Its name becomes available immediately. It can be restored for 7 days, and is then permanently removed.",
  access: "repo_admin",
  scope: "repo:admin",
  archived: "allowed",
  params: RepositoryParams,
  status: 204,
  errors: [],
});

export const restoreRepository = route({
  ...settings,
  archived: "allowed",
  deleted: "only",
  id: "restoreRepository",
  method: "post",
  path: "/repos/:owner/:repo/restore",
  summary: "Restore a deleted repository",
  description:
    "Restores the most recently deleted repository with this name, within 7 days; returns 409 if the name is in use again.",
  errors: ["conflict"],
});
