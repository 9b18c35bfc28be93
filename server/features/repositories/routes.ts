/** Binds the operations about repositories. */
import {
  archiveRepository,
  createRepository,
  deleteRepository,
  getRepository,
  listUserRepositories,
  restoreRepository,
  setRepositoryTopics,
  unarchiveRepository,
  updateRepository,
} from "@forgeline/schemas/repositories/routes.ts";
import type { RouteBinder } from "../../http/route-binder.ts";
import type { Addresses } from "../../platform/addresses.ts";
import type { RepositoryRows } from "./access.ts";
import type { RepositoryDeletion } from "./deletion.ts";
import { presentRepository } from "./present.ts";
import type { RepositorySettings } from "./settings.ts";
import type { RepositoryService } from "./service.ts";

export function registerRepositoryRoutes(
  app: RouteBinder,
  deps: {
    repositories: RepositoryService;
    repositorySettings: RepositorySettings;
    repositoryDeletion: RepositoryDeletion;
    repositoryAccess: RepositoryRows;
    addresses: Addresses;
  },
): void {
  const { repositories, addresses } = deps;
  app.bind(createRepository, async ({ actor, body }) => {
    const row = await repositories.create(actor, body);
    const shown = presentRepository(row, "admin", addresses);
    return { body: shown, location: shown.url };
  });
  app.bindRepository(getRepository, async ({ repository, level, revalidate }) => {
    const row = deps.repositoryAccess.rowOf(repository) ?? (await repositories.get(repository.id));
    revalidate(JSON.stringify([row, level]));
    return { body: presentRepository(row, level, addresses) };
  });
  app.bind(listUserRepositories, async ({ actor, query }) => {
    const { rows, total } = await repositories.listOwn(actor, query);
    return { body: rows.map((row) => presentRepository(row, row.level, addresses)), total };
  });
  const { repositorySettings: settings } = deps;
  app.bindRepository(updateRepository, async ({ repository, actor, body, level }) => ({
    body: presentRepository(await settings.update(actor, { repository, level }, body), level, addresses),
  }));
  app.bindRepository(setRepositoryTopics, async ({ repository, actor, body, level }) => ({
    body: presentRepository(await settings.setTopics(actor, repository, body.topics), level, addresses),
  }));
  app.bindRepository(archiveRepository, async ({ repository, actor, level }) => ({
    body: presentRepository(await settings.setArchived(actor, repository, true), level, addresses),
  }));
  app.bindRepository(unarchiveRepository, async ({ repository, actor, level }) => ({
    body: presentRepository(await settings.setArchived(actor, repository, false), level, addresses),
  }));
  app.bindRepository(deleteRepository, ({ repository, actor }) =>
    deps.repositoryDeletion.remove(actor, repository),
  );
  app.bindRepository(restoreRepository, async ({ repository, actor, level }) => ({
    body: presentRepository(await deps.repositoryDeletion.restore(actor, repository), level, addresses),
  }));
}
