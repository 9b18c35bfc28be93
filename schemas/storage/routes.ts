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
  "Repositories are measured in the background: seconds after a push, and within a day otherwise. A request does not trigger a measurement.";
const administration = { tag: "administration", access: "instance_admin", scope: "org:admin" } as const;

export const getStorageUse = route({
  ...administration,
  id: "getStorageUse",
  method: "get",
  path: "/admin/storage",
  summary: "Storage used by the instance, by kind",
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
  summary: "Storage used by the repositories of each owner, largest first",
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
  summary: "Storage used by each repository, largest first",
  description: "Including private and deleted ones.",
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
  summary: "Storage used by your repositories, and your Git LFS storage",
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
  summary: "Storage used by each of your repositories, largest first",
  description: "Including deleted ones that can be restored.",
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
  summary: "Storage used by an organization's repositories, and its Git LFS storage",
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
  summary: "Storage used by each repository of an organization, largest first",
  description: "Including deleted ones that can be restored.",
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
  summary: "Storage used by a repository",
  description: measured,
  access: "repo_admin",
  scope: "repo:admin",
  archived: "allowed",
  params: RepositoryParams,
  status: 200,
  response: RepositoryStorage,
  errors: [],
});
