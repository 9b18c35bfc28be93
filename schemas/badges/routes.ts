/** Badges: small pictures that say how a repository stands, for READMEs and pages elsewhere. */
import { z } from "zod";
import { ownerName, repositoryName } from "../core/ids.ts";
import { route } from "../core/route.ts";

export const BadgeQuery = z.strictObject({
  branch: z.string().min(1).max(255).optional().describe("Default: the default branch."),
  pipeline: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe("Only runs of this file, such as `deploy` for `.forgeline/deploy.yml`. Default: all of them."),
});
export type BadgeQuery = z.infer<typeof BadgeQuery>;

export const getPipelineBadge = route({
  id: "getPipelineBadge",
  method: "get",
  path: "/repos/:owner/:repo/badges/pipeline.svg",
  tag: "badges",
  summary: "The status of a branch as a picture",
  description:
    "Of the newest commit of the branch that has runs, other than skipped ones: the status of its newest run of each pipeline " +
    "file, put together as a run's status is from its stages. A branch without runs, or that does not exist, says `no runs`. Pages " +
    "of other hosts may show the picture. Who may not read the runs gets the answer for a repository that does not exist.",
  access: "repo_read",
  scope: "pipeline:read",
  // It is asked for by pages, often through the address of one proxy for all readers.
  rateCategory: "web",
  params: z.strictObject({ owner: ownerName, repo: repositoryName }),
  query: BadgeQuery,
  status: 200,
  alternatives: ["image/svg+xml"],
  errors: [],
});

export const CoverageBadgeQuery = BadgeQuery.pick({ branch: true });
export type CoverageBadgeQuery = z.infer<typeof CoverageBadgeQuery>;

export const getCoverageBadge = route({
  id: "getCoverageBadge",
  method: "get",
  path: "/repos/:owner/:repo/badges/coverage.svg",
  tag: "badges",
  summary: "The coverage of a branch as a picture",
  description:
    "Of the newest run of the branch whose jobs report coverage. Without one, or for a branch that does not exist, it says `unknown`. " +
    "It is shown to whom the badge of the status is shown.",
  access: "repo_read",
  scope: "pipeline:read",
  rateCategory: "web",
  params: z.strictObject({ owner: ownerName, repo: repositoryName }),
  query: CoverageBadgeQuery,
  status: 200,
  alternatives: ["image/svg+xml"],
  errors: [],
});
