/** All activities, out of the services that they call: a workflow that needs a further service adds its key here. */
import type { StatisticsComputation } from "@forgeline/server/domains/hosting/domain.ts";
import type { RunService } from "@forgeline/server/domains/pipelines/domain.ts";
import type { MaintenanceService } from "@forgeline/server/domains/upkeep/domain.ts";
import { createMaintenanceActivities } from "./maintenance.ts";
import { createPipelineActivities } from "./pipelines.ts";
import { createStatisticsActivities } from "./statistics.ts";

export interface WorkflowServices {
  runs: RunService;
  maintenance: MaintenanceService;
  statistics: StatisticsComputation;
}

export function createActivities(services: WorkflowServices) {
  return {
    ...createPipelineActivities(services.runs),
    ...createMaintenanceActivities(services.maintenance),
    ...createStatisticsActivities(services.statistics),
  };
}
