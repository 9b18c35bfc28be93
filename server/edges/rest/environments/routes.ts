/** Binds the operations on environments and deployments. */
import {
  deleteEnvironment,
  getDeploymentStatistics,
  getEnvironment,
  listDeployments,
  listEnvironments,
  putEnvironment,
  rollBackDeployment,
} from "@forgeline/schemas/environments/routes.ts";
import type { EnvironmentService } from "../../../domains/pipelines/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerEnvironmentRoutes(
  app: RouteBinder,
  { environments }: { environments: EnvironmentService },
): void {
  app.bindRepository(listEnvironments, async ({ repository, query }) => {
    const { items, total } = await environments.list(repository, query);
    return { body: items, total };
  });
  app.bindRepository(getEnvironment, async ({ repository, params }) => ({
    body: await environments.get(repository, params.name),
  }));
  app.bindRepository(putEnvironment, async ({ actor, repository, params, body }) => {
    const { name } = params;
    const { environment, existed } = await environments.put(actor, repository, { ...body, name });
    return { body: environment, location: environment.url, existed };
  });
  app.bindRepository(deleteEnvironment, ({ actor, repository, params }) =>
    environments.remove(actor, repository, params.name),
  );
  app.bindRepository(listDeployments, async ({ repository, params, query }) => {
    const { items, total } = await environments.deployments(repository, params.name, query);
    return { body: items, total };
  });
  app.bindRepository(getDeploymentStatistics, async ({ repository, params, query }) => ({
    body: await environments.statistics(repository, { name: params.name, days: query.days }),
  }));
  app.bindRepository(rollBackDeployment, async ({ actor, repository, params }) => ({
    body: await environments.rollBack(actor, repository, { name: params.name, deployment: params.id }),
  }));
}
