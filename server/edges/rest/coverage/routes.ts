/** Binds the operations on coverage that jobs report. */
import { listCoverage, listRunCoverage } from "@forgeline/schemas/coverage/routes.ts";
import type { CoverageService } from "../../../domains/pipelines/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerCoverageRoutes(app: RouteBinder, { coverage }: { coverage: CoverageService }): void {
  app.bindRepository(listRunCoverage, async ({ repository, params, query }) => {
    const { items, total } = await coverage.ofRun(repository, params.id, query);
    return { body: items, total };
  });
  app.bindRepository(listCoverage, async ({ repository, query }) => {
    const { items, total } = await coverage.list(repository, query);
    return { body: items, total };
  });
}
