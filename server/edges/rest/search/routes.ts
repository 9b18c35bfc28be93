/** Binds the searches in all repositories. */
import { searchIssues, searchMergeRequests } from "@forgeline/schemas/search/routes.ts";
import type { ItemSearch } from "../../../domains/collaboration/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerSearchRoutes(app: RouteBinder, { itemSearch }: { itemSearch: ItemSearch }): void {
  app.bind(searchIssues, async ({ actor, query }) => ({ body: await itemSearch.find(actor, query) }));
  app.bind(searchMergeRequests, async ({ actor, query }) => ({
    body: await itemSearch.find(actor, { ...query, type: "merge_request" }),
  }));
}
