/** Operations on rules for branches. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { largeBodyBytes, route } from "../core/route.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { BranchProtection, BranchProtectionCreate, BranchProtectionUpdate } from "./resource.ts";

const common = { tag: "branch-protections", access: "repo_admin", scope: "repo:admin" } as const;
const ProtectionParams = z.strictObject({ ...RepositoryParams.shape, id: idOf("prot") });

export const listBranchProtections = route({
  ...common,
  archived: "allowed",
  id: "listBranchProtections",
  method: "get",
  path: "/repos/:owner/:repo/branch-protections",
  summary: "Branch protection rules, by pattern",
  params: RepositoryParams,
  query: PageQuery,
  status: 200,
  response: z.array(BranchProtection),
  paginated: true,
  errors: [],
});

export const getBranchProtection = route({
  ...common,
  archived: "allowed",
  id: "getBranchProtection",
  method: "get",
  path: "/repos/:owner/:repo/branch-protections/:id",
  summary: "One branch protection rule",
  params: ProtectionParams,
  status: 200,
  response: BranchProtection,
  errors: [],
});

export const createBranchProtection = route({
  ...common,
  id: "createBranchProtection",
  method: "post",
  path: "/repos/:owner/:repo/branch-protections",
  summary: "Create a branch protection rule",
  description:
    "Counts from the next push on, over Git and over REST, for everybody: no level is above the rules. Where several rules match a branch, all must allow. A repository has at most 100; a pattern can be used once: 409.",
  params: RepositoryParams,
  body: BranchProtectionCreate,
  bodyLimitBytes: largeBodyBytes,
  status: 201,
  response: BranchProtection,
  errors: ["conflict", "repository_archived"],
});

export const updateBranchProtection = route({
  ...common,
  id: "updateBranchProtection",
  method: "patch",
  path: "/repos/:owner/:repo/branch-protections/:id",
  summary: "Change a branch protection rule",
  description:
    "Lists replace the existing ones, except for secret teams that the caller cannot see: those stay.",
  params: ProtectionParams,
  body: BranchProtectionUpdate,
  bodyLimitBytes: largeBodyBytes,
  status: 200,
  response: BranchProtection,
  errors: ["conflict", "repository_archived"],
});

export const deleteBranchProtection = route({
  ...common,
  id: "deleteBranchProtection",
  method: "delete",
  path: "/repos/:owner/:repo/branch-protections/:id",
  summary: "Delete a branch protection rule",
  params: ProtectionParams,
  status: 204,
  errors: ["repository_archived"],
});
