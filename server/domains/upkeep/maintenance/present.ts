/** The maintenance of repositories as the REST interface shows it. */
import type { Maintenance } from "@forgeline/schemas/maintenance/resource.ts";
import type { MaintenanceRow } from "./maintenance.store.ts";

export function presentMaintenance(row: MaintenanceRow): Maintenance {
  const time = (date: Date | null) => date?.toISOString() ?? null;
  return {
    ...row,
    requested_at: time(row.requested_at),
    maintained_at: time(row.maintained_at),
    repacked_at: time(row.repacked_at),
    pruned_at: time(row.pruned_at),
    checked_at: time(row.checked_at),
  };
}
