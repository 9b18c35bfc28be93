/** Binds the operations on conflicts of merge requests. */
import { getConflict, listConflicts, resolveConflicts } from "@forgeline/schemas/conflicts/routes.ts";
import type { ConflictService } from "../../../domains/collaboration/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerConflictRoutes(
  app: RouteBinder,
  { conflicts }: { conflicts: ConflictService },
): void {
  app.bindRepository(listConflicts, async ({ actor, params, ...granted }) => ({
    body: await conflicts.list(actor, granted, params.number),
  }));
  app.bindRepository(getConflict, async ({ actor, params, ...granted }) => ({
    body: await conflicts.get(actor, granted, { number: params.number, path: params.path }),
  }));
  app.bindRepository(resolveConflicts, async ({ actor, params, body, ...granted }) => ({
    body: await conflicts.resolve(actor, granted, { ...body, number: params.number }),
  }));
}
