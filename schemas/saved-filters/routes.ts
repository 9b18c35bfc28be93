/** Operations on one's saved filters. */
import { z } from "zod";
import { idOf } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { fullName } from "../notifications/resource.ts";
import {
  maxSavedFilters,
  SavedFilter,
  SavedFilterCreate,
  SavedFilterKind,
  SavedFilterUpdate,
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
