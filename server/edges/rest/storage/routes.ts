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
import type { RepositoryUses, StorageService } from "../../../domains/hosting/domain.ts";

export function registerStorageRoutes(
  app: RouteBinder,
  { storageUse }: { storageUse: StorageService },
): void {
  registerForAdministrators(app, storageUse);
  registerForOwners(app, storageUse);
  app.bindRepository(getRepositoryStorage, async ({ repository }) => ({
    body: await storageUse.ofRepository(repository),
  }));
}

function registerForAdministrators(app: RouteBinder, use: StorageService): void {
  app.bind(getStorageUse, async () => ({ body: await use.ofInstance() }));
  app.bind(listOwnerStorageUse, async ({ query }) => {
    const { rows, total } = await use.listOwners(query);
    const body = rows.map(({ owner_kind: kind, ...row }) => ({
      ...row,
      owner_type: kind === "org" ? ("organization" as const) : ("user" as const),
      total_bytes: row.git_bytes + row.log_bytes + row.lfs_bytes,
    }));
    return { body, total };
  });
  app.bind(listRepositoryStorageUse, async ({ query }) => listed(await use.listRepositories(query)));
}

function registerForOwners(app: RouteBinder, use: StorageService): void {
  app.bind(getOwnStorage, async ({ actor }) => ({ body: await use.ofOwner(userIdOf(actor)) }));
  app.bind(listOwnRepositoryStorage, async ({ actor, query }) =>
    listed(await use.listOwned(userIdOf(actor), query)),
  );
  app.bindOrganization(getOrganizationStorage, async ({ organization }) => ({
    body: await use.ofOwner(organization.id),
  }));
  app.bindOrganization(listOrganizationRepositoryStorage, async ({ organization, query }) =>
    listed(await use.listOwned(organization.id, query)),
  );
}

function listed({ rows, total }: RepositoryUses) {
  const body = rows.map((row) => ({ ...row, measured_at: row.measured_at?.toISOString() ?? null }));
  return { body, total };
}
