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
  presentRepository,
  type ForkService,
  type RepositoryDeletion,
  type RepositoryService,
  type RepositorySettings,
} from "../../../domains/hosting/domain.ts";

export interface RepositoryRouteDeps {
  repositories: RepositoryService;
  repositorySettings: RepositorySettings;
  forks: ForkService;
  repositoryDeletion: RepositoryDeletion;
  addresses: Addresses;
}

export function registerRepositoryRoutes(app: RouteBinder, deps: RepositoryRouteDeps): void {
  const { repositories, addresses } = deps;
  app.bind(createRepository, async ({ actor, body }) => {
    const shown = presentRepository(await repositories.create(actor, body), addresses);
    return { body: shown, location: shown.url };
  });
  app.bindRepository(getRepository, async ({ actor, repository, level, revalidate }) => ({
    body: presentRepository(await repositories.view(actor, { repository, level }, revalidate), addresses),
  }));
  app.bind(listUserRepositories, async ({ actor, query }) => {
    const { views, total } = await repositories.listOwn(actor, query);
    return { body: views.map((view) => presentRepository(view, addresses)), total };
  });
  app.bindRepository(listForks, async ({ actor, repository, query }) => {
    const { views, total } = await deps.forks.list(actor, repository, query);
    return { body: views.map((view) => presentRepository(view, addresses)), total };
  });
  app.bindRepository(createFork, async ({ actor, repository, body }) => {
    const shown = presentRepository(await deps.forks.create(actor, repository, body), addresses);
    return { body: shown, location: shown.url };
  });
  registerChanges(app, deps);
}

function registerChanges(app: RouteBinder, deps: RepositoryRouteDeps): void {
  const { repositorySettings: settings, repositoryDeletion: deletion, addresses } = deps;
  app.bindRepository(updateRepository, async ({ repository, actor, body, level }) => ({
    body: presentRepository(await settings.update(actor, { repository, level }, body), addresses),
  }));
  app.bindRepository(setRepositoryTopics, async ({ repository, actor, body, level }) => ({
    body: presentRepository(await settings.setTopics(actor, { repository, level }, body.topics), addresses),
  }));
  app.bindRepository(archiveRepository, async ({ repository, actor, level }) => ({
    body: presentRepository(await settings.setArchived(actor, { repository, level }, true), addresses),
  }));
  app.bindRepository(unarchiveRepository, async ({ repository, actor, level }) => ({
    body: presentRepository(await settings.setArchived(actor, { repository, level }, false), addresses),
  }));
  app.bindRepository(deleteRepository, ({ repository, actor }) => deletion.remove(actor, repository));
  app.bindRepository(restoreRepository, async ({ repository, actor, level }) => ({
    body: presentRepository(await deletion.restore(actor, { repository, level }), addresses),
  }));
}
