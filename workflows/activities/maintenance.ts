/** Activities of the maintenance of repositories. Each may run twice. */
import {
  FindDueRepositories,
  MaintenanceGivenUp,
  RepositoryInput,
} from "@forgeline/schemas/maintenance/workflow.ts";
import type { MaintenanceService } from "@forgeline/server/domains/upkeep/domain.ts";
import { activity } from "./activity.ts";
import { whileBeating } from "./heartbeat.ts";

export type MaintenanceActivities = ReturnType<typeof createMaintenanceActivities>;

/** Well under the time after which Temporal takes a silent worker for dead. */
const heartbeatMs = 5_000;

export function createMaintenanceActivities(maintenance: MaintenanceService) {
  return {
    findDueRepositories: activity(FindDueRepositories, ({ limit }) => maintenance.findDue(limit)),
    giveUpRepository: activity(MaintenanceGivenUp, ({ repositoryId, problem }) =>
      maintenance.giveUp(repositoryId, problem),
    ),
    maintainOneRepository: activity(RepositoryInput, ({ repositoryId }) =>
      whileBeating({ everyMs: heartbeatMs, details: { repositoryId } }, (signal) =>
        maintenance.maintain(repositoryId, signal),
      ),
    ),
  };
}
