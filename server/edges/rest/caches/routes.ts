/** Binds the operations on caches of repositories. */
import { deleteCache, deleteCaches, listCaches, listRunCaches } from "@forgeline/schemas/caches/routes.ts";
import type { CacheService } from "../../../domains/pipelines/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerCacheRoutes(app: RouteBinder, { caches }: { caches: CacheService }): void {
  app.bindRepository(listCaches, async ({ repository, query }) => {
    const { items, total } = await caches.list(repository, query);
    return { body: items, total };
  });
  app.bindRepository(deleteCaches, ({ actor, repository, query }) =>
    caches.removeAll(actor, repository, query.key_prefix ?? ""),
  );
  app.bindRepository(deleteCache, ({ actor, repository, params }) =>
    caches.remove(actor, repository, params.id),
  );
  app.bindRepository(listRunCaches, async ({ repository, params, query }) => {
    const { items, total } = await caches.ofRun(repository, params.id, query);
    return { body: items, total };
  });
}
