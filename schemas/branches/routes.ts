/** Operations on branches and tags. */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { restOfPath } from "../core/path.ts";
import { largeBodyBytes, route } from "../core/route.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { Branch, BranchCreate, Tag, TagCreate } from "./resource.ts";

const readable = { access: "repo_read", scope: "repo:read", status: 200, errors: [] } as const;
const writable = {
  access: "repo_write",
  scope: "repo:write",
  jobs: "allowed",
  errors: ["conflict", "repository_archived"],
} as const;
const BranchParams = z.strictObject({
  ...RepositoryParams.shape,
  branch: restOfPath("Name; slashes literal or as `%2F`."),
});
const TagParams = z.strictObject({
  ...RepositoryParams.shape,
  name: restOfPath("Name; slashes literal or as `%2F`."),
});

export const listBranches = route({
  ...readable,
  id: "listBranches",
  method: "get",
  path: "/repos/:owner/:repo/branches",
  tag: "branches",
  summary: "Branches, by name",
  params: RepositoryParams,
  query: PageQuery.extend({
    name: z.string().min(1).max(1000).optional().describe("Only the branch of this name, if there is one."),
  }),
  response: z.array(Branch),
  paginated: true,
});

export const getBranch = route({
  ...readable,
  id: "getBranch",
  method: "get",
  path: "/repos/:owner/:repo/branches/*branch",
  tag: "branches",
  summary: "One branch",
  params: BranchParams,
  response: Branch,
});

export const listTags = route({
  ...readable,
  id: "listTags",
  method: "get",
  path: "/repos/:owner/:repo/tags",
  tag: "branches",
  summary: "Tags of commits, by name",
  params: RepositoryParams,
  query: PageQuery,
  response: z.array(Tag),
  paginated: true,
});

export const getTag = route({
  ...readable,
  id: "getTag",
  method: "get",
  path: "/repos/:owner/:repo/tags/*name",
  tag: "branches",
  summary: "One tag",
  params: TagParams,
  response: Tag,
});

export const createBranch = route({
  ...writable,
  id: "createBranch",
  method: "post",
  path: "/repos/:owner/:repo/branches",
  tag: "branches",
  summary: "Create a branch",
  description: "Works like a push: branch protection rules apply, and pipelines start.",
  params: RepositoryParams,
  body: BranchCreate,
  status: 201,
  response: Branch,
});

export const deleteBranch = route({
  ...writable,
  id: "deleteBranch",
  method: "delete",
  path: "/repos/:owner/:repo/branches/*branch",
  tag: "branches",
  summary: "Delete a branch",
  description: "The default branch cannot be deleted, and a branch protection rule can forbid deletion.",
  params: BranchParams,
  status: 204,
});

export const createTag = route({
  ...writable,
  id: "createTag",
  method: "post",
  path: "/repos/:owner/:repo/tags",
  tag: "branches",
  summary: "Create a tag",
  description: "Works like a push: tag protection rules apply, and tag pipelines start.",
  params: RepositoryParams,
  body: TagCreate,
  bodyLimitBytes: largeBodyBytes,
  status: 201,
  response: Tag,
});

export const deleteTag = route({
  ...writable,
  id: "deleteTag",
  method: "delete",
  path: "/repos/:owner/:repo/tags/*name",
  tag: "branches",
  summary: "Delete a tag",
  description: "Refused where a rule protects the tag.",
  params: TagParams,
  status: 204,
});
