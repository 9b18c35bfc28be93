/** Binds the operations on groups of runners. */
import * as contracts from "@forgeline/schemas/runner-groups/routes.ts";
import type { RunnerGroupService } from "../../../domains/pipelines/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerRunnerGroupRoutes(
  app: RouteBinder,
  { runnerGroups }: { runnerGroups: RunnerGroupService },
): void {
  app.bind(contracts.listRunnerGroups, async ({ query }) => {
    const { items, total } = await runnerGroups.list(null, query);
    return { body: items, total };
  });
  app.bindOrganization(contracts.listOrganizationRunnerGroups, async ({ organization, query }) => {
    const { items, total } = await runnerGroups.list(organization, query);
    return { body: items, total };
  });
  app.bind(contracts.createRunnerGroup, async ({ actor, body }) => {
    const created = await runnerGroups.create(actor, null, body);
    return { body: created, location: created.url };
  });
  app.bindOrganization(contracts.createOrganizationRunnerGroup, async ({ actor, organization, body }) => {
    const created = await runnerGroups.create(actor, organization, body);
    return { body: created, location: created.url };
  });
  app.bind(contracts.getRunnerGroup, async ({ actor, params }) => ({
    body: await runnerGroups.get(actor, params.id),
  }));
  app.bind(contracts.updateRunnerGroup, async ({ actor, params, body }) => ({
    body: await runnerGroups.update(actor, params.id, body),
  }));
  app.bind(contracts.setRunnerGroupAccess, async ({ actor, params, body }) => ({
    body: await runnerGroups.setAccess(actor, params.id, body),
  }));
  app.bind(contracts.deleteRunnerGroup, ({ actor, params }) => runnerGroups.remove(actor, params.id));
}
