/** Operations on the sync of a fork with its upstream. */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { ForkSchedule, ForkScheduleSet, ForkStanding, ForkSync, ForkSyncRequest } from "./resource.ts";

const ofFork = { tag: "repositories", params: RepositoryParams } as const;

export const getForkSync = route({
  ...ofFork,
  access: "repo_read",
  scope: "repo:read",
  archived: "allowed",
  id: "getForkSync",
  method: "get",
  path: "/repos/:owner/:repo/sync",
  summary: "How far a fork is behind and ahead of its upstream, and its last sync",
  query: z.strictObject({
    branch: z.string().min(1).max(255).optional().describe("Default: the default branch of the fork."),
  }),
  status: 200,
  response: ForkStanding,
  errors: [],
});

export const syncFork = route({
  ...ofFork,
  access: "repo_write",
  scope: "repo:write",
  id: "syncFork",
  method: "post",
  path: "/repos/:owner/:repo/sync",
  summary: "Sync a fork with its upstream",
  description:
    "Branches go on where they can; those that have commits of their own get a merge commit by the caller. All branches change or none. Answers with the outcome, and with 202 and the sync as it is when that takes longer than five seconds. 409 with `conflicts` where files cannot be merged, and if the repository is no fork or the caller cannot read its upstream. Rules of protected branches hold.",
  body: ForkSyncRequest,
  status: 200,
  mayTakeLonger: true,
  response: ForkSync,
  errors: ["conflict", "quota_exceeded", "unavailable"],
});

export const listForkSyncs = route({
  ...ofFork,
  access: "repo_read",
  scope: "repo:read",
  archived: "allowed",
  id: "listForkSyncs",
  method: "get",
  path: "/repos/:owner/:repo/sync/history",
  summary: "Syncs of a fork, newest first; kept for 30 days",
  query: PageQuery,
  paginated: true,
  status: 200,
  response: z.array(ForkSync),
  errors: [],
});

export const setForkSchedule = route({
  ...ofFork,
  access: "repo_maintain",
  scope: "repo:write",
  id: "setForkSchedule",
  method: "put",
  path: "/repos/:owner/:repo/sync/schedule",
  summary: "Sync a fork by itself, at an interval or by a cron line",
  description:
    "The caller becomes its owner: it reads the upstream and writes to the fork with their rights.",
  body: ForkScheduleSet,
  status: 200,
  response: ForkSchedule,
  errors: ["conflict"],
});

export const deleteForkSchedule = route({
  ...ofFork,
  access: "repo_maintain",
  scope: "repo:write",
  id: "deleteForkSchedule",
  method: "delete",
  path: "/repos/:owner/:repo/sync/schedule",
  summary: "Sync a fork by itself no more",
  status: 204,
  errors: [],
});
