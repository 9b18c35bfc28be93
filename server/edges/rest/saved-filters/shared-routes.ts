/** Binds the operations on filters that a repository shares. */
import {
  createSharedFilter,
  deleteSharedFilter,
  getSharedFilter,
  listSharedFilters,
  updateSharedFilter,
} from "@forgeline/schemas/saved-filters/routes.ts";
import type { SharedFilterService } from "../../../domains/collaboration/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerSharedFilterRoutes(
  app: RouteBinder,
  { sharedFilters }: { sharedFilters: SharedFilterService },
): void {
  app.bindRepository(listSharedFilters, async ({ query, repository }) => {
    const { items, total } = await sharedFilters.list(repository, query);
    return { body: items, total };
  });
  app.bindRepository(getSharedFilter, async ({ params, repository }) => ({
    body: await sharedFilters.get(repository, params.id),
  }));
  app.bindRepository(createSharedFilter, async ({ actor, body, repository }) => {
    const filter = await sharedFilters.create(actor, repository, body);
    return { body: filter, location: filter.url };
  });
  app.bindRepository(updateSharedFilter, async ({ actor, params, body, repository }) => ({
    body: await sharedFilters.update(actor, repository, { ...body, id: params.id }),
  }));
  app.bindRepository(deleteSharedFilter, ({ actor, params, repository }) =>
    sharedFilters.remove(actor, repository, params.id),
  );
}
