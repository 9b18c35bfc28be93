/** Binds the schedules of the instance's upkeep. */
import {
  getUpkeepSchedule,
  listUpkeepSchedules,
  runUpkeepSchedule,
  updateUpkeepSchedule,
} from "@forgeline/schemas/upkeep-schedules/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { UpkeepSchedules } from "../../../domains/upkeep/domain.ts";

export function registerUpkeepScheduleRoutes(
  app: RouteBinder,
  { upkeepSchedules }: { upkeepSchedules: UpkeepSchedules },
): void {
  app.bind(listUpkeepSchedules, async () => ({ body: { schedules: await upkeepSchedules.list() } }));
  app.bind(getUpkeepSchedule, async ({ params }) => ({ body: await upkeepSchedules.get(params.schedule) }));
  app.bind(updateUpkeepSchedule, async ({ actor, params, body }) => ({
    body: await upkeepSchedules.setPaused(actor, params.schedule, body.paused),
  }));
  app.bind(runUpkeepSchedule, async ({ actor, params }) => ({
    body: await upkeepSchedules.run(actor, params.schedule),
  }));
}
