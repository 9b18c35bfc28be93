/** Operations on the maintenance of repositories. */
import { z } from "zod";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import { Maintenance, MaintenanceRequest, MaintenanceState } from "./resource.ts";

const ofRepository = {
  tag: "maintenance",
  access: "repo_admin",
  scope: "repo:admin",
  archived: "allowed",
  params: RepositoryParams,
} as const;

export const getMaintenance = route({
  ...ofRepository,
  id: "getMaintenance",
  method: "get",
  path: "/repos/:owner/:repo/maintenance",
  summary: "State of a repository's storage",
  status: 200,
  response: Maintenance,
  errors: [],
});

export const requestMaintenance = route({
  ...ofRepository,
  id: "requestMaintenance",
  method: "post",
  path: "/repos/:owner/:repo/maintenance",
  summary: "Repack and check a repository now",
  description:
    "Every repository is maintained automatically; use this to maintain one immediately, or to remove leaked content: rewrite or delete the branches and tags that reach it, then request this with `prune`. The work runs in the background; read the record again to see when it ends. While content is being removed, pushes to the repository are refused and can be retried.",
  body: MaintenanceRequest,
  status: 202,
  response: Maintenance,
  errors: [],
});

export const ListMaintenanceQuery = z.strictObject({
  ...PageQuery.shape,
  state: MaintenanceState.optional().describe("Only repositories in this state."),
});
export type ListMaintenanceQuery = z.output<typeof ListMaintenanceQuery>;

export const listMaintenance = route({
  id: "listMaintenance",
  method: "get",
  path: "/admin/maintenance",
  tag: "administration",
  summary: "State of all repositories' storage, least recently maintained first",
  access: "instance_admin",
  scope: "org:admin",
  query: ListMaintenanceQuery,
  status: 200,
  response: z.array(Maintenance),
  paginated: true,
  errors: [],
});
