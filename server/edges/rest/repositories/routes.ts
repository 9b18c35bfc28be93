/** Binds the operations about repositories. */
import {
  archiveRepository,
  createFork,
  createRepository,
  deleteRepository,
  getRepository,
  listForks,
  listUserRepositories,
  restoreRepository,
  setRepositoryTopics,
  unarchiveRepository,
  updateRepository,
} from "@forgeline/schemas/repositories/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import {
  type RepositoryRows,
  type RepositoryDeletion,
  type ForkService,
  createRepositoryShow,
  type RepositorySettings,
  type RepositoryService,
} from "../../../domains/hosting/domain.ts";

export interface RepositoryRouteDeps {
  repositories: RepositoryService;
  repositorySettings: RepositorySettings;
  forks: ForkService;
  repositoryDeletion: RepositoryDeletion;
  repositoryAccess: RepositoryRows;
  addresses: Addresses;
}

export function registerRepositoryRoutes(app: RouteBinder, deps: RepositoryRouteDeps): void {
  const { repositories } = deps;
  const show = createRepositoryShow(deps);
  app.bind(createRepository, async ({ actor, body }) => {
    const shown = await show.one(actor, await repositories.create(actor, body), "admin");
    return { body: shown, location: shown.url };
  });
  app.bindRepository(getRepository, async ({ actor, repository, level, revalidate }) => {
    const row = deps.repositoryAccess.rowOf(repository) ?? (await repositories.get(repository.id));
    // Of a fork the upstream's name is shown, too, which changes on its own.
    if (row.upstream_id === null) revalidate(JSON.stringify([row, level]));
    return { body: await show.one(actor, row, level) };
  });
  app.bind(listUserRepositories, async ({ actor, query }) => {
    const { rows, total } = await repositories.listOwn(actor, query);
    return { body: await show.all(actor, rows), total };
  });
  app.bindRepository(listForks, async ({ actor, repository, query }) => {
    const { rows, total } = await deps.forks.list(actor, repository, query);
    return { body: await show.all(actor, rows), total };
  });
  app.bindRepository(createFork, async ({ actor, repository, body }) => {
    const shown = await show.one(actor, await deps.forks.create(actor, repository, body), "admin");
    return { body: shown, location: shown.url };
  });
  registerChanges(app, deps);
}

function registerChanges(app: RouteBinder, deps: RepositoryRouteDeps): void {
  const { repositorySettings: settings } = deps;
  const show = createRepositoryShow(deps);
  app.bindRepository(updateRepository, async ({ repository, actor, body, level }) => ({
    body: await show.one(actor, await settings.update(actor, { repository, level }, body), level),
  }));
  app.bindRepository(setRepositoryTopics, async ({ repository, actor, body, level }) => ({
    body: await show.one(actor, await settings.setTopics(actor, repository, body.topics), level),
  }));
  app.bindRepository(archiveRepository, async ({ repository, actor, level }) => ({
    body: await show.one(actor, await settings.setArchived(actor, repository, true), level),
  }));
  app.bindRepository(unarchiveRepository, async ({ repository, actor, level }) => ({
    body: await show.one(actor, await settings.setArchived(actor, repository, false), level),
  }));
  app.bindRepository(deleteRepository, ({ repository, actor }) =>
    deps.repositoryDeletion.remove(actor, repository),
  );
  app.bindRepository(restoreRepository, async ({ repository, actor, level }) => ({
    body: await show.one(actor, await deps.repositoryDeletion.restore(actor, repository), level),
  }));
}
