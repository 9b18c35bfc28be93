/** Operations on rules for tags. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { largeBodyBytes, route } from "../core/route.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { TagProtection, TagProtectionCreate, TagProtectionUpdate } from "./resource.ts";

const common = { tag: "tag-protections", access: "repo_admin", scope: "repo:admin" } as const;
const ProtectionParams = z.strictObject({ ...RepositoryParams.shape, id: idOf("prot") });

export const listTagProtections = route({
  ...common,
  archived: "allowed",
  id: "listTagProtections",
  method: "get",
  path: "/repos/:owner/:repo/tag-protections",
  summary: "Tag protection rules, by pattern",
  params: RepositoryParams,
  query: PageQuery,
  status: 200,
  response: z.array(TagProtection),
  paginated: true,
  errors: [],
});

export const getTagProtection = route({
  ...common,
  archived: "allowed",
  id: "getTagProtection",
  method: "get",
  path: "/repos/:owner/:repo/tag-protections/:id",
  summary: "One tag protection rule",
  params: ProtectionParams,
  status: 200,
  response: TagProtection,
  errors: [],
});

export const createTagProtection = route({
  ...common,
  id: "createTagProtection",
  method: "post",
  path: "/repos/:owner/:repo/tag-protections",
  summary: "Create a tag protection rule",
  description:
    "Counts from the next push on, over Git and over REST, for everybody. While the rule is there, nobody moves or deletes such a tag. Where several rules match a tag, all must allow. A repository has at most 100; a pattern can be used once: 409.",
  params: RepositoryParams,
  body: TagProtectionCreate,
  bodyLimitBytes: largeBodyBytes,
  status: 201,
  response: TagProtection,
  errors: ["conflict", "repository_archived"],
});

export const updateTagProtection = route({
  ...common,
  id: "updateTagProtection",
  method: "patch",
  path: "/repos/:owner/:repo/tag-protections/:id",
  summary: "Change a tag protection rule",
  description:
    "Lists replace the existing ones, except for secret teams that the caller cannot see: those stay.",
  params: ProtectionParams,
  body: TagProtectionUpdate,
  bodyLimitBytes: largeBodyBytes,
  status: 200,
  response: TagProtection,
  errors: ["conflict", "repository_archived"],
});

export const deleteTagProtection = route({
  ...common,
  id: "deleteTagProtection",
  method: "delete",
  path: "/repos/:owner/:repo/tag-protections/:id",
  summary: "Delete a tag protection rule",
  params: ProtectionParams,
  status: 204,
  errors: ["repository_archived"],
});
