/** Binds the operations on the sync of a fork with its upstream. */
import {
  deleteForkSchedule,
  getForkSync,
  listForkSyncs,
  setForkSchedule,
  syncFork,
} from "@forgeline/schemas/fork-syncs/routes.ts";
import type { ForkSyncService } from "../../../domains/automation/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerForkSyncRoutes(
  app: RouteBinder,
  { forkSyncService: forks }: { forkSyncService: ForkSyncService },
): void {
  app.bindRepository(getForkSync, async ({ actor, repository, query }) => ({
    body: await forks.standing(actor, repository, query.branch),
  }));
  app.bindRepository(syncFork, async ({ actor, repository, body }) => {
    const { sync, isOpen } = await forks.sync(actor, repository, body);
    return { body: sync, accepted: isOpen };
  });
  app.bindRepository(listForkSyncs, async ({ repository, query }) => {
    const { items, total } = await forks.history(repository, query);
    return { body: items, total };
  });
  app.bindRepository(setForkSchedule, async ({ actor, repository, body }) => ({
    body: await forks.setSchedule(actor, repository, body),
  }));
  app.bindRepository(deleteForkSchedule, ({ actor, repository }) => forks.removeSchedule(actor, repository));
}
