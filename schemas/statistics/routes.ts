/** Operations on what is computed of repositories in the background. */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { givenDate } from "../core/time.ts";
import { wholeNumber } from "../core/whole-number.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { DependencyGraph, Ecosystem } from "./dependencies.ts";
import { CommitStatistics, Contributor, LanguageStatistics } from "./resource.ts";

const readable = {
  tag: "statistics",
  access: "repo_read",
  scope: "repo:read",
  method: "get",
  status: 200,
  params: RepositoryParams,
  errors: [],
} as const;

const inBackground =
  "Of the default branch, computed in the background within seconds after each push; what is asked for is read, never computed.";

const window = {
  weeks: wholeNumber({ min: 1, max: 520 })
    .prefault(52)
    .describe("How many weeks, the one of `until` included."),
  until: givenDate.optional().describe("A day in the last week that is shown; default: today, UTC."),
};
export const WindowQuery = z.strictObject(window);
export type WindowQuery = z.output<typeof WindowQuery>;

export const getCommitStatistics = route({
  ...readable,
  id: "getCommitStatistics",
  path: "/repos/:owner/:repo/stats/commits",
  summary: "Commits by week",
  description: inBackground,
  query: WindowQuery,
  response: CommitStatistics,
});

export const ContributorQuery = z.strictObject({ ...PageQuery.shape, ...window });
export type ContributorQuery = z.output<typeof ContributorQuery>;

export const listContributors = route({
  ...readable,
  id: "listContributors",
  path: "/repos/:owner/:repo/stats/contributors",
  summary: "Contributors with commits and lines, those with most commits first",
  description: `${inBackground} Sums are of the whole history, \`weeks\` of those that were asked for. Empty until it has been computed once; \`state\` of \`stats/commits\` tells.`,
  query: ContributorQuery,
  response: z.array(Contributor),
  paginated: true,
});

export const getLanguageStatistics = route({
  ...readable,
  id: "getLanguageStatistics",
  path: "/repos/:owner/:repo/stats/languages",
  summary: "Languages by bytes",
  description: `${inBackground} By the rules of GitHub's Linguist: code and markup, without what is vendored, generated or documentation; \`.gitattributes\` can say otherwise.`,
  response: LanguageStatistics,
});

/** No NUL, which the database does not hold. */
const text = (longest: number) =>
  z
    .string()
    .max(longest)
    // oxlint-disable-next-line no-control-regex -- \p{Cc} in the OpenAPI document is unknown to other languages
    .regex(/^[^\u0000]*$/);

export const DependencyGraphQuery = z.strictObject({
  ...PageQuery.shape,
  manifest: text(4096).optional().describe("Only what this file names."),
  ecosystem: Ecosystem.optional(),
  name: text(300).optional().describe("Only dependencies of this name."),
  direct: z
    .enum(["true", "false"])
    .transform((value) => value === "true")
    .optional()
    .describe("Only what the project asks for itself, or only the rest."),
});
export type DependencyGraphQuery = z.output<typeof DependencyGraphQuery>;

export const getDependencyGraph = route({
  ...readable,
  id: "getDependencyGraph",
  path: "/repos/:owner/:repo/dependency-graph",
  summary: "Dependencies of a repository, from its manifests and lock files",
  description: `${inBackground} \`page\` and \`per_page\` are about \`nodes\`. Of npm, PyPI, Cargo, Go and Maven; a file that cannot be read reports why and does not affect the others.`,
  query: DependencyGraphQuery,
  response: DependencyGraph,
});
