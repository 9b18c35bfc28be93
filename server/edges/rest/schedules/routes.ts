/** Binds the operations on the schedules of a repository. */
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listScheduleRuns,
  listSchedules,
  runSchedule,
  updateSchedule,
} from "@forgeline/schemas/schedules/routes.ts";
import type { ScheduleService } from "../../../domains/automation/domain.ts";
import type { RouteBinder } from "../route-binder.ts";

export function registerScheduleRoutes(
  app: RouteBinder,
  { pipelineSchedules }: { pipelineSchedules: ScheduleService },
): void {
  app.bindRepository(listSchedules, async ({ repository, query }) => {
    const { items, total } = await pipelineSchedules.list(repository, query);
    return { body: items, total };
  });
  app.bindRepository(createSchedule, async ({ actor, repository, body }) => {
    const created = await pipelineSchedules.create(actor, repository, body);
    return { body: created, location: created.url };
  });
  app.bindRepository(getSchedule, async ({ repository, params }) => ({
    body: await pipelineSchedules.get(repository, params.id),
  }));
  app.bindRepository(updateSchedule, async ({ actor, repository, params, body }) => ({
    body: await pipelineSchedules.update(actor, repository, { id: params.id, wanted: body }),
  }));
  app.bindRepository(deleteSchedule, ({ actor, repository, params }) =>
    pipelineSchedules.remove(actor, repository, params.id),
  );
  app.bindRepository(runSchedule, async ({ actor, repository, params }) => {
    const pipeline = await pipelineSchedules.run(actor, repository, params.id);
    return { body: pipeline, location: pipeline.url };
  });
  app.bindRepository(listScheduleRuns, async ({ repository, params, query }) => {
    const { items, total } = await pipelineSchedules.history(repository, params.id, query);
    return { body: items, total };
  });
}
