/** Binds the operations on storage, for administrators and owners. */
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
  presentOwnerUse,
  presentRepositoryUse,
  type StorageService,
} from "../../../domains/hosting/domain.ts";

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
    return { body: rows.map(presentOwnerUse), total };
  });
  app.bind(listRepositoryStorageUse, async ({ query }) => {
    const { rows, total } = await use.listRepositories(query);
    return { body: rows.map(presentRepositoryUse), total };
  });
}

function registerForOwners(app: RouteBinder, use: StorageService): void {
  app.bind(getOwnStorage, async ({ actor }) => ({ body: await use.ofOwner(userIdOf(actor)) }));
  app.bind(listOwnRepositoryStorage, async ({ actor, query }) => {
    const { rows, total } = await use.listOwned(userIdOf(actor), query);
    return { body: rows.map(presentRepositoryUse), total };
  });
  app.bindOrganization(getOrganizationStorage, async ({ organization }) => ({
    body: await use.ofOwner(organization.id),
  }));
  app.bindOrganization(listOrganizationRepositoryStorage, async ({ organization, query }) => {
    const { rows, total } = await use.listOwned(organization.id, query);
    return { body: rows.map(presentRepositoryUse), total };
  });
}
