/** Operations on what the instance keeps, for its administrators, and on what is an owner's, for the owner. */
import { z } from "zod";
import { ownerName } from "../core/ids.ts";
import { PageQuery } from "../core/pagination.ts";
import { route } from "../core/route.ts";
import { OrganizationParams } from "../organizations/routes.ts";
import { RepositoryParams } from "../repositories/routes.ts";
import {
  OwnedStorage,
  OwnerStorageUse,
  RepositoryStorage,
  RepositoryStorageUse,
  StorageUse,
} from "./resource.ts";

const measured =
  "Repositories are measured in the background: seconds after a push, and within a day otherwise. Asking measures nothing.";
const administration = { tag: "administration", access: "instance_admin", scope: "org:admin" } as const;

export const getStorageUse = route({
  ...administration,
  id: "getStorageUse",
  method: "get",
  path: "/admin/storage",
  summary: "What the instance keeps, by kind",
  description: measured,
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

const ofPerson = { tag: "storage", access: "user", scope: "user:read" } as const;
const ofOrganization = {
  tag: "storage",
  access: "org_owner",
  scope: "org:admin",
  params: OrganizationParams,
} as const;

export const getOwnStorage = route({
  ...ofPerson,
  id: "getOwnStorage",
  method: "get",
  path: "/user/storage",
  summary: "What the own repositories take, and the own Git LFS storage",
  description: measured,
  status: 200,
  response: OwnedStorage,
  errors: [],
});

export const listOwnRepositoryStorage = route({
  ...ofPerson,
  id: "listOwnRepositoryStorage",
  method: "get",
  path: "/user/storage/repositories",
  summary: "What each of the own repositories takes, largest first",
  description: "Deleted ones that can be restored included.",
  query: PageQuery,
  status: 200,
  response: z.array(RepositoryStorageUse),
  paginated: true,
  errors: [],
});

export const getOrganizationStorage = route({
  ...ofOrganization,
  id: "getOrganizationStorage",
  method: "get",
  path: "/orgs/:org/storage",
  summary: "What an organization's repositories take, and its Git LFS storage",
  description: measured,
  status: 200,
  response: OwnedStorage,
  errors: [],
});

export const listOrganizationRepositoryStorage = route({
  ...ofOrganization,
  id: "listOrganizationRepositoryStorage",
  method: "get",
  path: "/orgs/:org/storage/repositories",
  summary: "What each repository of an organization takes, largest first",
  description: "Deleted ones that can be restored included.",
  query: PageQuery,
  status: 200,
  response: z.array(RepositoryStorageUse),
  paginated: true,
  errors: [],
});

export const getRepositoryStorage = route({
  id: "getRepositoryStorage",
  method: "get",
  path: "/repos/:owner/:repo/storage",
  tag: "storage",
  summary: "What a repository takes",
  description: measured,
  access: "repo_admin",
  scope: "repo:admin",
  archived: "allowed",
  params: RepositoryParams,
  status: 200,
  response: RepositoryStorage,
  errors: [],
});
