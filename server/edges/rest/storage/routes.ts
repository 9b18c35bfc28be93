/** Binds what administrators see of storage, and what owners see of theirs. */
import {
  getOrganizationStorage,
  getOwnStorage,
  getRepositoryStorage,
  getStorageUse,
  listOrganizationRepositoryStorage,
  listOwnerStorageUse,
  listOwnRepositoryStorage,
  listRepositoryStorageUse,
} from "@forgeline/schemas/storage/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import { userIdOf } from "../../../platform/access/actor.ts";
import {
  storageOfInstance,
  storageOfOwner,
  storageOfRepository,
  type StorageDeps,
  listOwnedRepositories,
  listOwners,
  listRepositories,
  type RepositoryUses,
} from "../../../domains/hosting/domain.ts";

export function registerStorageRoutes(app: RouteBinder, deps: StorageDeps): void {
  registerForAdministrators(app, deps);
  registerForOwners(app, deps);
  app.bindRepository(getRepositoryStorage, async ({ repository }) => ({
    body: await storageOfRepository(deps, repository),
  }));
}

function registerForAdministrators(app: RouteBinder, { db }: StorageDeps): void {
  app.bind(getStorageUse, async () => ({ body: await storageOfInstance(db) }));
  app.bind(listOwnerStorageUse, async ({ query }) => {
    const { rows, total } = await listOwners(db, query);
    const body = rows.map(({ owner_kind: kind, ...row }) => ({
      ...row,
      owner_type: kind === "org" ? ("organization" as const) : ("user" as const),
      total_bytes: row.git_bytes + row.log_bytes + row.lfs_bytes,
    }));
    return { body, total };
  });
  app.bind(listRepositoryStorageUse, async ({ query }) => listed(await listRepositories(db, query)));
}

function registerForOwners(app: RouteBinder, deps: StorageDeps): void {
  app.bind(getOwnStorage, async ({ actor }) => ({ body: await storageOfOwner(deps, userIdOf(actor)) }));
  app.bind(listOwnRepositoryStorage, async ({ actor, query }) =>
    listed(await listOwnedRepositories(deps.db, userIdOf(actor), query)),
  );
  app.bindOrganization(getOrganizationStorage, async ({ organization }) => ({
    body: await storageOfOwner(deps, organization.id),
  }));
  app.bindOrganization(listOrganizationRepositoryStorage, async ({ organization, query }) =>
    listed(await listOwnedRepositories(deps.db, organization.id, query)),
  );
}

function listed({ rows, total }: RepositoryUses) {
  const body = rows.map((row) => ({ ...row, measured_at: row.measured_at?.toISOString() ?? null }));
  return { body, total };
}
