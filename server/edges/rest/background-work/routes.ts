/** Binds the operations of administrators on background work. */
import {
  cancelWork,
  getWork,
  getWorkOverview,
  listWork,
  retryWork,
} from "@forgeline/schemas/background-work/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { WorkActions, WorkService } from "../../../domains/upkeep/domain.ts";

export function registerWorkRoutes(
  app: RouteBinder,
  { work, workActions }: { work: WorkService; workActions: WorkActions },
): void {
  app.bind(listWork, async ({ query }) => ({ body: await work.list(query) }));
  app.bind(getWorkOverview, async () => ({ body: await work.overview() }));
  app.bind(getWork, async ({ params, query }) => ({ body: await work.get(params.id, query.execution) }));
  app.bind(cancelWork, async ({ actor, params, body }) => ({
    body: await workActions.cancel(actor, params.id, body.force),
  }));
  app.bind(retryWork, async ({ actor, params }) => ({ body: await workActions.retry(actor, params.id) }));
}
