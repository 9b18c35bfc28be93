/** Operations on what somebody has seen of a merge request. All answer for the caller alone. */
import { z } from "zod";
import { FileDiff } from "../commits/resource.ts";
import { ChangesQuery, PatchQuery } from "../commits/routes.ts";
import { route } from "../core/route.ts";
import { MergeRequestParams } from "../merge-requests/routes.ts";
import { ChangesSince, SeenSet, ViewedFiles, viewedPath, ViewedFileSet } from "./resource.ts";

const one = "/repos/:owner/:repo/merge-requests/:number";
const shared = { tag: "merge-requests", access: "repo_signed_in", params: MergeRequestParams } as const;
const read = { ...shared, method: "get", scope: "mr:read", status: 200 } as const;
const change = { ...shared, scope: "mr:write", archived: "refused", status: 204 } as const;

export const getViewedFiles = route({
  ...read,
  id: "getViewedFiles",
  path: `${one}/viewed-files`,
  summary: "Files of a merge request that the caller has marked as viewed",
  response: ViewedFiles,
  errors: [],
});

export const setViewedFile = route({
  ...change,
  id: "setViewedFile",
  method: "put",
  path: `${one}/viewed-files`,
  summary: "Mark a file of a merge request as viewed",
  description:
    "For the caller alone. The mark falls when the change of the file becomes another one. 409 where it is another one already than at `head_sha`.",
  body: ViewedFileSet,
  errors: ["conflict", "repository_archived"],
});

export const removeViewedFile = route({
  ...change,
  id: "removeViewedFile",
  method: "delete",
  path: `${one}/viewed-files`,
  summary: "Take back that a file of a merge request was viewed",
  description: "Nothing happens to a file that is not marked.",
  query: z.strictObject({ path: viewedPath }),
  errors: ["repository_archived"],
});

export const setSeen = route({
  ...change,
  id: "setSeen",
  method: "put",
  path: `${one}/seen`,
  summary: "Remember which head of a merge request the caller has seen",
  description:
    "`listFilesChangedSince` compares with it as `last_look`. The last 20 are kept; 422 for a commit that a force push has removed.",
  body: SeenSet,
  errors: ["repository_archived"],
});

const since = z
  .string()
  .regex(
    /^(?:last_look|last_review|[0-9a-f]{40})$/,
    "must be last_look, last_review, or the full id of a commit",
  )
  .prefault("last_look")
  .describe(
    "`last_look`: the head that the caller remembered with `setSeen`. `last_review`: the head of the caller's last review. Or the full id of one of its commits, or of a former head that the caller remembered or reviewed.",
  );
const listOf = `${one}/changes-since`;

export const getChangesSince = route({
  ...read,
  id: "getChangesSince",
  path: listOf,
  summary: "Whether a merge request has changed since the caller looked at it",
  query: z.strictObject({ since }),
  response: ChangesSince,
  errors: [],
});

export const FilesSinceQuery = z.strictObject({ ...ChangesQuery.shape, since });
export type FilesSinceQuery = z.output<typeof FilesSinceQuery>;

export const listFilesChangedSince = route({
  ...read,
  id: "listFilesChangedSince",
  path: `${listOf}/files`,
  summary: "What a merge request changes in another way than when the caller looked at it, with patches",
  description:
    "As `listMergeRequestFiles`, from the head of then to the present one. Where the branch was rebased meanwhile, what it had then is carried over to its new base first, so that changes of the target branch are not among the others (`exact` of `getChangesSince`). 409 where there is nothing to compare with.",
  query: FilesSinceQuery,
  response: z.array(FileDiff),
  paginated: true,
  errors: ["conflict"],
});

export const PatchSinceQuery = z.strictObject({ ...PatchQuery.shape, since });
export type PatchSinceQuery = z.output<typeof PatchSinceQuery>;

export const getPatchSince = route({
  ...read,
  id: "getPatchSince",
  path: `${listOf}/patch`,
  summary: "What `listFilesChangedSince` lists of one file",
  description: "With a patch of up to 10 MiB. `not_found` for a path that is not in that list.",
  query: PatchSinceQuery,
  response: FileDiff,
  errors: ["conflict"],
});
