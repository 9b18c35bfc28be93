/** Binds the operations on suggested changes. */
import { applySuggestions, listSuggestions } from "@forgeline/schemas/suggestions/routes.ts";
import type { SuggestionService } from "../../../domains/collaboration/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerSuggestionRoutes(
  app: RouteBinder,
  { suggestions }: { suggestions: SuggestionService },
): void {
  app.bindRepository(listSuggestions, async ({ actor, params, query, ...granted }) => {
    const { items, total } = await suggestions.list(actor, granted, { ...query, number: params.number });
    return { body: items, total };
  });
  app.bindRepository(applySuggestions, async ({ actor, params, body, ...granted }) => ({
    body: await suggestions.apply(actor, granted, { ...body, number: params.number }),
  }));
}
