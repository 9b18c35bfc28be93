/** Operations on what the instance keeps. */
import { z } from "zod";
import { ownerName } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { OwnerStorageUse, RepositoryStorageUse, StorageUse } from "./resource.ts";

const administration = { tag: "administration", access: "instance_admin", scope: "org:admin" } as const;

export const getStorageUse = route({
  ...administration,
  id: "getStorageUse",
  method: "get",
  path: "/admin/storage",
  summary: "What the instance keeps, by kind",
  description:
    "Repositories are measured in the background: seconds after a push, and within a day otherwise. Asking measures nothing.",
  status: 200,
  response: StorageUse,
  errors: [],
});

export const listOwnerStorageUse = route({
  ...administration,
  id: "listOwnerStorageUse",
  method: "get",
  path: "/admin/storage/owners",
  summary: "What the repositories of each owner take, largest first",
  query: PageQuery,
  status: 200,
  response: z.array(OwnerStorageUse),
  paginated: true,
  errors: [],
});

export const RepositoryStorageQuery = z.strictObject({
  ...PageQuery.shape,
  owner: ownerName.optional().describe("Only those of this user or organization."),
});
export type RepositoryStorageQuery = z.output<typeof RepositoryStorageQuery>;

export const listRepositoryStorageUse = route({
  ...administration,
  id: "listRepositoryStorageUse",
  method: "get",
  path: "/admin/storage/repositories",
  summary: "What each repository takes, largest first",
  description: "Private and deleted ones included.",
  query: RepositoryStorageQuery,
  status: 200,
  response: z.array(RepositoryStorageUse),
  paginated: true,
  errors: [],
});
