/** Operations on the push mirrors of a repository. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { MirrorSync } from "../mirrors/resource.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { maxPushMirrors, PushMirror, PushMirrorCreate, PushMirrorUpdate } from "./resource.ts";

const ofRepository = { tag: "mirrors", access: "repo_admin", scope: "repo:admin" } as const;
const One = z.strictObject({ ...RepositoryParams.shape, id: idOf("pmir") });

export const listPushMirrors = route({
  ...ofRepository,
  archived: "allowed",
  id: "listPushMirrors",
  method: "get",
  path: "/repos/:owner/:repo/push-mirrors",
  summary: "Where a repository is pushed to by itself, oldest first",
  params: RepositoryParams,
  query: PageQuery,
  paginated: true,
  status: 200,
  response: z.array(PushMirror),
  errors: [],
});

export const createPushMirror = route({
  ...ofRepository,
  id: "createPushMirror",
  method: "post",
  path: "/repos/:owner/:repo/push-mirrors",
  summary: "Push a repository to another server from now on",
  description: `A sync begins at once if it is enabled. 409 if the repository is pushed there already, or has ${maxPushMirrors} push mirrors.`,
  params: RepositoryParams,
  body: PushMirrorCreate,
  status: 201,
  response: PushMirror,
  errors: ["conflict"],
});

export const getPushMirror = route({
  ...ofRepository,
  archived: "allowed",
  id: "getPushMirror",
  method: "get",
  path: "/repos/:owner/:repo/push-mirrors/:id",
  summary: "One push mirror, and how its last sync went",
  params: One,
  status: 200,
  response: PushMirror,
  errors: [],
});

export const updatePushMirror = route({
  ...ofRepository,
  id: "updatePushMirror",
  method: "patch",
  path: "/repos/:owner/:repo/push-mirrors/:id",
  summary: "Change a push mirror",
  description:
    "What is absent stays; an interval takes the place of a cron line, and the other way round. A sync begins at once if something else than its times has changed.",
  params: One,
  body: PushMirrorUpdate,
  status: 200,
  response: PushMirror,
  errors: ["conflict"],
});

export const deletePushMirror = route({
  ...ofRepository,
  archived: "allowed",
  id: "deletePushMirror",
  method: "delete",
  path: "/repos/:owner/:repo/push-mirrors/:id",
  summary: "Push no more to a target",
  description: "What is there stays.",
  params: One,
  status: 204,
  errors: [],
});

export const syncPushMirror = route({
  ...ofRepository,
  id: "syncPushMirror",
  method: "post",
  path: "/repos/:owner/:repo/push-mirrors/:id/sync",
  summary: "Push to a target now",
  description: "Also one that is paused. While a sync is running, another one follows it.",
  params: One,
  status: 202,
  response: PushMirror,
  errors: [],
});

export const listPushMirrorSyncs = route({
  ...ofRepository,
  archived: "allowed",
  id: "listPushMirrorSyncs",
  method: "get",
  path: "/repos/:owner/:repo/push-mirrors/:id/history",
  summary: "Syncs of a push mirror, newest first; kept for 30 days",
  params: One,
  query: PageQuery,
  paginated: true,
  status: 200,
  response: z.array(MirrorSync),
  errors: [],
});
