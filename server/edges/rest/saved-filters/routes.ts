/** Binds the operations on one's saved filters. */
import {
  createSavedFilter,
  deleteSavedFilter,
  getSavedFilter,
  listSavedFilters,
  updateSavedFilter,
} from "@forgeline/schemas/saved-filters/routes.ts";
import type { SavedFilterService } from "../../../domains/collaboration/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerSavedFilterRoutes(
  app: RouteBinder,
  { savedFilters }: { savedFilters: SavedFilterService },
): void {
  app.bind(listSavedFilters, async ({ actor, query }) => {
    const { items, total } = await savedFilters.list(actor, query);
    return { body: items, total };
  });
  app.bind(getSavedFilter, async ({ actor, params }) => ({ body: await savedFilters.get(actor, params.id) }));
  app.bind(createSavedFilter, async ({ actor, body }) => {
    const filter = await savedFilters.create(actor, body);
    return { body: filter, location: filter.url };
  });
  app.bind(updateSavedFilter, async ({ actor, params, body }) => ({
    body: await savedFilters.update(actor, params.id, body),
  }));
  app.bind(deleteSavedFilter, ({ actor, params }) => savedFilters.remove(actor, params.id));
}
