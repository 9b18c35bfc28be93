/** Operations on one's saved filters, and on those that repositories share. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { fullName } from "../notifications/resource.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import {
  maxSavedFilters,
  maxSharedFilters,
  SavedFilter,
  SavedFilterCreate,
  SavedFilterKind,
  SavedFilterUpdate,
  SharedFilter,
  SharedFilterCreate,
  SharedFilterUpdate,
} from "./resource.ts";

const read = { tag: "saved-filters", access: "user", scope: "user:read" } as const;
const write = { tag: "saved-filters", access: "user", scope: "user:write" } as const;
const all = "/user/filters";
const one = `${all}/:id`;
const params = z.strictObject({ id: idOf("flt") });

export const SavedFilterQuery = z.strictObject({
  ...PageQuery.shape,
  repository: fullName.optional().describe("Only those for the lists of this repository: `OWNER/NAME`."),
  kind: SavedFilterKind.optional(),
});
export type SavedFilterQuery = z.output<typeof SavedFilterQuery>;

export const listSavedFilters = route({
  ...read,
  id: "listSavedFilters",
  method: "get",
  path: all,
  summary: "Your saved filters, by name",
  description: "Those of repositories that you can no longer read are not shown.",
  query: SavedFilterQuery,
  status: 200,
  response: z.array(SavedFilter),
  paginated: true,
  errors: [],
});

export const createSavedFilter = route({
  ...write,
  id: "createSavedFilter",
  method: "post",
  path: all,
  summary: "Save a filter",
  description: `A name can be used once for each repository and kind, whatever its case: 409; so is more than ${maxSavedFilters} filters. 422 for a query that cannot be understood, and for a repository that you cannot read.`,
  body: SavedFilterCreate,
  status: 201,
  response: SavedFilter,
  errors: ["conflict"],
});

export const getSavedFilter = route({
  ...read,
  id: "getSavedFilter",
  method: "get",
  path: one,
  summary: "One of your saved filters",
  params,
  status: 200,
  response: SavedFilter,
  errors: [],
});

export const updateSavedFilter = route({
  ...write,
  id: "updateSavedFilter",
  method: "patch",
  path: one,
  summary: "Rename a saved filter, or change its query",
  params,
  body: SavedFilterUpdate,
  status: 200,
  response: SavedFilter,
  errors: ["conflict"],
});

export const deleteSavedFilter = route({
  ...write,
  id: "deleteSavedFilter",
  method: "delete",
  path: one,
  summary: "Delete a saved filter",
  params,
  status: 204,
  errors: [],
});

const readShared = { tag: "saved-filters", access: "repo_read", scope: "issue:read" } as const;
const writeShared = { tag: "saved-filters", access: "repo_write", scope: "issue:write" } as const;
const allShared = "/repos/:owner/:repo/filters";
const oneShared = `${allShared}/:id`;
const SharedParams = z.strictObject({ ...RepositoryParams.shape, id: idOf("flt") });

export const SharedFilterQuery = z.strictObject({
  ...PageQuery.shape,
  kind: SavedFilterKind.optional(),
});
export type SharedFilterQuery = z.output<typeof SharedFilterQuery>;

export const listSharedFilters = route({
  ...readShared,
  id: "listSharedFilters",
  method: "get",
  path: allShared,
  summary: "Filters that a repository shares with its readers, by name",
  params: RepositoryParams,
  query: SharedFilterQuery,
  status: 200,
  response: z.array(SharedFilter),
  paginated: true,
  errors: [],
});

export const createSharedFilter = route({
  ...writeShared,
  id: "createSharedFilter",
  method: "post",
  path: allShared,
  summary: "Share a filter with everybody who may read the repository",
  description: `A name can be used once for each kind, whatever its case: 409; so is more than ${maxSharedFilters} filters. 422 for a query that cannot be understood.`,
  params: RepositoryParams,
  body: SharedFilterCreate,
  status: 201,
  response: SharedFilter,
  errors: ["conflict", "repository_archived"],
});

export const getSharedFilter = route({
  ...readShared,
  id: "getSharedFilter",
  method: "get",
  path: oneShared,
  summary: "One filter that a repository shares",
  params: SharedParams,
  status: 200,
  response: SharedFilter,
  errors: [],
});

export const updateSharedFilter = route({
  ...writeShared,
  id: "updateSharedFilter",
  method: "patch",
  path: oneShared,
  summary: "Rename a shared filter, or change its query",
  params: SharedParams,
  body: SharedFilterUpdate,
  status: 200,
  response: SharedFilter,
  errors: ["conflict", "repository_archived"],
});

export const deleteSharedFilter = route({
  ...writeShared,
  id: "deleteSharedFilter",
  method: "delete",
  path: oneShared,
  summary: "Delete a shared filter",
  params: SharedParams,
  status: 204,
  errors: ["repository_archived"],
});
