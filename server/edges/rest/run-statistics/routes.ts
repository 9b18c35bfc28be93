/** Binds the operations on statistics of runs. Before those on runs: `statistics` is no id of one. */
import {
  getInstancePipelineStatistics,
  getJobStatistics,
  getOrganizationPipelineStatistics,
  getPipelineStatistics,
  listInstanceRunnerTime,
  listOrganizationRunnerTime,
} from "@forgeline/schemas/run-statistics/routes.ts";
import type { RunStatistics } from "../../../domains/pipelines/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerRunStatisticsRoutes(
  app: RouteBinder,
  { runStatistics }: { runStatistics: RunStatistics },
): void {
  app.bindRepository(getPipelineStatistics, async ({ repository, query }) => ({
    body: await runStatistics.ofRepository(repository, query),
  }));
  app.bindRepository(getJobStatistics, async ({ repository, query }) => ({
    body: await runStatistics.jobs(repository, query),
  }));
  app.bindOrganization(getOrganizationPipelineStatistics, async ({ organization, query }) => ({
    body: await runStatistics.ofOrganization(organization, query.days),
  }));
  app.bindOrganization(listOrganizationRunnerTime, async ({ organization, query }) => {
    const { items, total } = await runStatistics.listOfOrganization(organization, query);
    return { body: items, total };
  });
  app.bind(getInstancePipelineStatistics, async ({ query }) => ({
    body: await runStatistics.ofInstance(query.days),
  }));
  app.bind(listInstanceRunnerTime, async ({ query }) => {
    const { items, total } = await runStatistics.listOfInstance(query);
    return { body: items, total };
  });
}
