/** Binds the operations that tell what waits for runners. To be bound before `/runners/{id}`. */
import { getOrganizationRunnerDemand, getRunnerDemand } from "@forgeline/schemas/runners/routes.ts";
import type { RunnerDemandService } from "../../../domains/pipelines/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerRunnerDemandRoutes(
  app: RouteBinder,
  { runnerDemand }: { runnerDemand: RunnerDemandService },
): void {
  app.bind(getRunnerDemand, async ({ query }) => ({
    body: await runnerDemand.demand(null, query.group),
  }));
  app.bindOrganization(getOrganizationRunnerDemand, async ({ organization, query }) => ({
    body: await runnerDemand.demand(organization, query.group),
  }));
}
