/** Operations on code owners. */
import { z } from "zod";
import { route } from "../core/route.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { CodeOwnersCheck, CodeOwnersErrors, CodeOwnersText, PathOwners } from "./resource.ts";

const readable = {
  tag: "code-owners",
  method: "get",
  access: "repo_read",
  scope: "repo:read",
  status: 200,
  params: RepositoryParams,
} as const;

const ref = z.string().optional().describe("Branch, tag or full commit id; default: the default branch.");

export const CodeOwnersErrorsQuery = z.strictObject({ ref });
export type CodeOwnersErrorsQuery = z.output<typeof CodeOwnersErrorsQuery>;

export const listCodeOwnersErrors = route({
  ...readable,
  id: "listCodeOwnersErrors",
  path: "/repos/:owner/:repo/codeowners/errors",
  summary: "What is wrong with the CODEOWNERS file",
  description:
    "The file is the first of `.forgeline/CODEOWNERS`, `CODEOWNERS` and `docs/CODEOWNERS`; `not_found` where there is none. Owners must " +
    "have write access. Teams are looked up only for members of the organization, and a secret team is unknown to those who do not see it.",
  query: CodeOwnersErrorsQuery,
  response: CodeOwnersErrors,
  errors: [],
});

export const PathOwnersQuery = z.strictObject({
  ref,
  path: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe("A path inside the repository; it does not have to exist."),
});
export type PathOwnersQuery = z.output<typeof PathOwnersQuery>;

export const getPathOwners = route({
  ...readable,
  id: "getPathOwners",
  path: "/repos/:owner/:repo/codeowners/owners",
  summary: "Who owns a path, and by which line of the CODEOWNERS file",
  description:
    "Without a CODEOWNERS file `file` is null, and nobody owns anything. Lines with errors do not count. Returns `validation_failed` for a file whose patterns take too long to compare.",
  query: PathOwnersQuery,
  response: PathOwners,
  errors: ["validation_failed"],
});

export const checkCodeOwners = route({
  id: "checkCodeOwners",
  method: "post",
  path: "/repos/:owner/:repo/codeowners/check",
  tag: "code-owners",
  summary: "Check the text of a CODEOWNERS file",
  description: "As `listCodeOwnersErrors`, before the file is committed. Changes nothing.",
  access: "repo_write",
  scope: "repo:read",
  archived: "allowed",
  params: RepositoryParams,
  body: CodeOwnersText,
  // The text, with what JSON escapes in it.
  bodyLimitBytes: 7 * 1024 * 1024,
  status: 200,
  response: CodeOwnersCheck,
  errors: [],
});
