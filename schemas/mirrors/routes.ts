/** Operations on the mirror of a repository. */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { Mirror, MirrorPreview, MirrorPreviewRequest, MirrorSet, MirrorSync } from "./resource.ts";

const ofRepository = {
  tag: "mirrors",
  access: "repo_admin",
  scope: "repo:admin",
  params: RepositoryParams,
} as const;

export const getMirror = route({
  ...ofRepository,
  archived: "allowed",
  id: "getMirror",
  method: "get",
  path: "/repos/:owner/:repo/mirror",
  summary: "What a repository mirrors, and how the last sync went",
  description: "404 if the repository is not a mirror.",
  status: 200,
  response: Mirror,
  errors: [],
});

export const setMirror = route({
  ...ofRepository,
  id: "setMirror",
  method: "put",
  path: "/repos/:owner/:repo/mirror",
  summary: "Make a repository a mirror, or change what it mirrors",
  description:
    "From then on its branches and tags are those of the source, and it is read-only for everybody. A sync begins at once if it is enabled. 409 for a repository that has refs, without `replace`.",
  body: MirrorSet,
  status: 200,
  response: Mirror,
  errors: ["conflict"],
});

export const deleteMirror = route({
  ...ofRepository,
  id: "deleteMirror",
  method: "delete",
  path: "/repos/:owner/:repo/mirror",
  summary: "Make a mirror an ordinary repository",
  description: "Its content stays as it is, and people can push to it.",
  status: 204,
  errors: [],
});

export const syncMirror = route({
  ...ofRepository,
  id: "syncMirror",
  method: "post",
  path: "/repos/:owner/:repo/mirror/sync",
  summary: "Sync a mirror now",
  description: "Also one that is paused. While a sync is running, another one follows it.",
  status: 202,
  response: Mirror,
  errors: [],
});

export const previewMirror = route({
  ...ofRepository,
  id: "previewMirror",
  method: "post",
  path: "/repos/:owner/:repo/mirror/preview",
  summary: "What would change if a repository mirrored this source",
  description: "Asks the source for its refs, and changes nothing. 409 with the reason if it cannot be read.",
  body: MirrorPreviewRequest,
  status: 200,
  response: MirrorPreview,
  errors: ["conflict", "unavailable"],
});

export const listMirrorSyncs = route({
  ...ofRepository,
  archived: "allowed",
  id: "listMirrorSyncs",
  method: "get",
  path: "/repos/:owner/:repo/mirror/history",
  summary: "Syncs of a mirror, newest first; kept for 30 days",
  query: PageQuery,
  paginated: true,
  status: 200,
  response: z.array(MirrorSync),
  errors: [],
});
