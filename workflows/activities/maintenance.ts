/** Activities of the maintenance of repositories. Each may run twice. */
import { Context } from "@temporalio/activity";
import {
  FindDueRepositories,
  MaintenanceGivenUp,
  RepositoryInput,
} from "@forgeline/schemas/maintenance/workflow.ts";
import type { MaintenanceService } from "@forgeline/server/domains/upkeep/domain.ts";
import { activity } from "./activity.ts";

export type MaintenanceActivities = ReturnType<typeof createMaintenanceActivities>;

/** Well under the time after which Temporal takes a silent worker for dead. */
const heartbeatMs = 5_000;

export function createMaintenanceActivities(maintenance: MaintenanceService) {
  return {
    findDueRepositories: activity(FindDueRepositories, ({ limit }) => maintenance.findDue(limit)),
    giveUpRepository: activity(MaintenanceGivenUp, ({ repositoryId, problem }) =>
      maintenance.giveUp(repositoryId, problem),
    ),
    maintainOneRepository: activity(RepositoryInput, async ({ repositoryId }) => {
      const context = Context.current();
      // Tells administrators what the step is about, also while it waits for its next attempt.
      const beat = () => context.heartbeat({ repositoryId });
      beat();
      const heart = setInterval(beat, heartbeatMs);
      try {
        await maintenance.maintain(repositoryId, context.cancellationSignal);
      } finally {
        clearInterval(heart);
      }
    }),
  };
}
