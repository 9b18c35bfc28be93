/** Upkeep of repositories, put together for the container. */
import type { Config } from "../../../config/config.ts";
import type { Temporal } from "../../../platform/temporal.ts";
import { createMaintenanceSchedule } from "./schedule.ts";
import { createMaintenanceService, type MaintenanceDeps } from "./service.ts";

export function createMaintenance(
  deps: Omit<MaintenanceDeps, "beginRound"> & { config: Config; temporal: Temporal },
) {
  const { taskQueue } = deps.config.temporal;
  const everyMinutes = deps.config.maintenanceMinutes;
  const maintenanceSchedule = createMaintenanceSchedule(deps.temporal, { taskQueue, everyMinutes });
  const { beginRound } = maintenanceSchedule;
  return { maintenanceSchedule, maintenance: createMaintenanceService({ ...deps, beginRound }) };
}
