/** Operations on commits: the history, one commit, two compared, and who wrote which line. */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { restOfPath } from "../core/path.ts";
import { route } from "../core/route.ts";
import { givenTime } from "../core/time.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { Blame, Commit, CommitWithFiles, Comparison } from "./resource.ts";

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

export const compareCommits = route({
  ...readable,
  id: "compareCommits",
  method: "get",
  path: "/repos/:owner/:repo/compare/*basehead",
  summary: "Compare a base with a head",
  params: z.strictObject({
    ...RepositoryParams.shape,
    basehead: restOfPath("`BASE...HEAD`, each a branch, tag or full commit id."),
  }),
  response: Comparison,
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
