/** Operations on concurrency groups of repositories and organizations. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { OrganizationParams } from "../organizations/routes.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { ConcurrencyGroup } from "./resource.ts";

export const listConcurrencyGroups = route({
  tag: "pipelines",
  access: "repo_read",
  scope: "pipeline:read",
  id: "listConcurrencyGroups",
  method: "get",
  path: "/repos/:owner/:repo/concurrency",
  summary: "Concurrency groups that runs of a repository use now, by name",
  description: "With who holds a slot and who waits. Groups that nobody uses are not there.",
  params: RepositoryParams,
  query: PageQuery,
  status: 200,
  response: z.array(ConcurrencyGroup),
  paginated: true,
  errors: [],
});

export const listOrganizationConcurrencyGroups = route({
  tag: "organizations",
  access: "org_owner",
  scope: "org:admin",
  id: "listOrganizationConcurrencyGroups",
  method: "get",
  path: "/orgs/:org/concurrency",
  summary: "Concurrency groups with `scope: org` that are in use, by name",
  params: OrganizationParams,
  query: PageQuery,
  status: 200,
  response: z.array(ConcurrencyGroup),
  paginated: true,
  errors: [],
});

export const releaseOrganizationConcurrencySlot = route({
  tag: "organizations",
  access: "org_owner",
  scope: "org:admin",
  id: "releaseOrganizationConcurrencySlot",
  method: "delete",
  path: "/orgs/:org/concurrency/:id",
  summary: "Release a slot of a group with `scope: org` that is held or expected to be asked for",
  description:
    "Also one of a run whose repository belongs to somebody else by now. What happens is the same as when a slot of a repository is released.",
  params: OrganizationParams.extend({ id: idOf("slot") }),
  status: 204,
  errors: ["conflict"],
});

export const releaseConcurrencySlot = route({
  tag: "pipelines",
  access: "repo_maintain",
  scope: "pipeline:write",
  archived: "allowed",
  id: "releaseConcurrencySlot",
  method: "delete",
  path: "/repos/:owner/:repo/concurrency/:id",
  summary: "Release a slot that a run of the repository holds or is expected to ask for",
  description:
    "The next one in the queue gets it at once, also while a job of the holder still runs: end that first where both must not run together. An expected run loses its place and asks again at the end of the queue. Returns 409 for a slot that waits: cancel its run instead.",
  params: RepositoryParams.extend({ id: idOf("slot") }),
  status: 204,
  errors: ["conflict"],
});
