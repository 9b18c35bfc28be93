/** Operations on commits: the history, one commit, two compared, and who wrote which line. */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { restOfPath } from "../core/path.ts";
import { route } from "../core/route.ts";
import { givenTime } from "../core/time.ts";
import { wholeNumber } from "../core/whole-number.ts";
import { fullName } from "../notifications/resource.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { Blame, Commit, CommitWithFiles, Comparison, FileDiff } from "./resource.ts";

const readable = { tag: "commits", access: "repo_read", scope: "repo:read", status: 200 } as const;
const point = "Branch, tag or full commit id";

export const CommitQuery = z.strictObject({
  ...PageQuery.shape,
  ref: z.string().optional().describe(`${point}; default: the default branch.`),
  path: z.string().max(4096).optional().describe("Only commits that changed this file or directory."),
  author: z
    .string()
    .min(1)
    .max(200)
    // oxlint-disable-next-line no-control-regex -- \p{Cc} in the OpenAPI document is unknown to other languages
    .regex(/^[^\u0000-\u001f\u007f-\u009f]*$/)
    .optional()
    .describe("Part of the author's name or e-mail address; case-insensitive."),
  since: givenTime.optional().describe("Only commits made at this time or later."),
  until: givenTime.optional().describe("Only commits made at this time or earlier."),
});
export type CommitQuery = z.output<typeof CommitQuery>;

export const listCommits = route({
  ...readable,
  id: "listCommits",
  method: "get",
  path: "/repos/:owner/:repo/commits",
  summary: "Commits that a branch, tag or commit reaches, newest first",
  description: "Empty for a repository without commits.",
  params: RepositoryParams,
  query: CommitQuery,
  response: z.array(Commit),
  paginated: true,
  errors: [],
});

export const getCommit = route({
  ...readable,
  id: "getCommit",
  method: "get",
  path: "/repos/:owner/:repo/commits/*sha",
  summary: "One commit, with the files that it changed",
  description: "Only commits reachable from a branch or tag are returned; short ids are not accepted.",
  params: z.strictObject({
    ...RepositoryParams.shape,
    sha: restOfPath("Full commit id, or a branch or tag."),
  }),
  response: CommitWithFiles,
  errors: [],
});

export const CompareQuery = z.strictObject({
  head_repo: fullName
    .optional()
    .describe(
      "`OWNER/NAME`: the repository with the head, if it is another one. A fork of this one, what it was forked from, or another fork of the same; takes reading there, as here.",
    ),
  conflicts: z
    .enum(["true", "false"])
    .prefault("false")
    .describe("`true` says too where both could not be merged; that takes longer."),
});
export type CompareQuery = z.output<typeof CompareQuery>;

export const compareCommits = route({
  ...readable,
  id: "compareCommits",
  method: "get",
  path: "/repos/:owner/:repo/compare/*basehead",
  summary: "Compare a base with a head",
  description:
    "With `head_repo` the head is in another repository of the same forks, as before a branch of it is proposed here. Both are only read: neither gets anything of the other. `commits`, `head_commit` and `files` then are those of the head's repository, where `listChangedFiles` gives the patches from `merge_base_commit` to `head_commit`. `not_found` where one of both cannot be read.",
  params: z.strictObject({
    ...RepositoryParams.shape,
    basehead: restOfPath("`BASE...HEAD`, each a branch, tag or full commit id."),
  }),
  query: CompareQuery,
  response: Comparison,
  errors: [],
});

export const maxContextLines = 100;

const ChangesParams = z.strictObject({
  ...RepositoryParams.shape,
  basehead: restOfPath(
    "`BASE...HEAD`: what the head changed since the two diverged. Or one commit: what it changed against its first parent. Each is a branch, tag or full commit id.",
  ),
});

const whitespace = z
  .enum(["show", "ignore"])
  .prefault("show")
  .describe(
    "`ignore` compares lines without their spaces and tabs. Files that then do not differ stay in the list.",
  );

export const ChangesQuery = z.strictObject({
  ...PageQuery.shape,
  whitespace,
  context: wholeNumber({ min: 0, max: maxContextLines })
    .prefault(3)
    .describe("Unchanged lines around each change; default 3."),
});
export type ChangesQuery = z.output<typeof ChangesQuery>;

export const PatchQuery = z.strictObject({
  path: z.string().min(1).max(4096).describe("Of the file, as `path` in `listChangedFiles`."),
  whitespace,
  context: z
    .string()
    .regex(/^(?:all|100|[1-9]?[0-9])$/, `must be a number up to ${maxContextLines}, or all`)
    .prefault("3")
    .describe("Unchanged lines around each change, 0 to 100, or `all` for the whole file; default 3."),
});
export type PatchQuery = z.output<typeof PatchQuery>;

export const listChangedFiles = route({
  ...readable,
  id: "listChangedFiles",
  method: "get",
  path: "/repos/:owner/:repo/changes/*basehead",
  summary: "Files that a commit or a comparison changes, with patches",
  description:
    "In the order of their paths. The list ends at 10,000 files; the header `X-Files-Truncated: true` then says that there are more, and `X-Total-Count` counts those listed. A patch over 400 kB or 3,000 lines is left out (`patch_omitted`), as are those that would make a page larger than 2 MiB; take them from `patch_url`.",
  params: ChangesParams,
  query: ChangesQuery,
  response: z.array(FileDiff),
  paginated: true,
  errors: [],
});

export const getPatch = route({
  ...readable,
  id: "getPatch",
  method: "get",
  path: "/repos/:owner/:repo/patches/*basehead",
  summary: "What a commit or a comparison changes in one file",
  description:
    "As an item of `listChangedFiles`, with a patch of up to 10 MiB. Where it is longer, or one side of the file is, `patch_omitted` is `too_large`, and `raw_url` and `previous_raw_url` give both sides. Returns `not_found` for a path that is not in that list.",
  params: ChangesParams,
  query: PatchQuery,
  response: FileDiff,
  errors: [],
});

export const getBlame = route({
  ...readable,
  id: "getBlame",
  method: "get",
  path: "/repos/:owner/:repo/blame/:ref/*path",
  summary: "Which commit brought each line of a file",
  description: "For text files of up to 1 MiB. Send a slash in `ref` as `%2F`.",
  params: z.strictObject({
    ...RepositoryParams.shape,
    ref: z.string().describe(`${point}.`),
    path: restOfPath("Path of the file."),
  }),
  response: Blame,
  errors: ["validation_failed"],
});
