/** Binds the searches of logs. */
import {
  getFirstLogError,
  searchPipelineLogs,
  searchRepositoryLogs,
} from "@forgeline/schemas/logs/routes.ts";
import type { LogSearch } from "../../../domains/pipelines/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerLogSearchRoutes(app: RouteBinder, { logSearch }: { logSearch: LogSearch }): void {
  app.bindRepository(searchPipelineLogs, async ({ params, query, repository, actor, disconnected }) => ({
    body: await logSearch.inRun({ actor, repository, signal: disconnected() }, params.id, query),
  }));
  app.bindRepository(searchRepositoryLogs, async ({ query, repository, actor, disconnected }) => ({
    body: await logSearch.inRepository({ actor, repository, signal: disconnected() }, query),
  }));
  app.bindRepository(getFirstLogError, async ({ params, query, repository, actor, disconnected }) => ({
    body: await logSearch.firstError({ actor, repository, signal: disconnected() }, params.id, query.job),
  }));
}
