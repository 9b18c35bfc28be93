/** Binds the operations on the maintenance of repositories. */
import type { Maintenance } from "@forgeline/schemas/maintenance/resource.ts";
import {
  getMaintenance,
  listMaintenance,
  requestMaintenance,
} from "@forgeline/schemas/maintenance/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import type { MaintenanceService, MaintenanceRow } from "../../../domains/upkeep/domain.ts";

export function registerMaintenanceRoutes(
  app: RouteBinder,
  { maintenance }: { maintenance: MaintenanceService },
): void {
  app.bindRepository(getMaintenance, async ({ repository }) => ({
    body: present(await maintenance.get(repository)),
  }));
  app.bindRepository(requestMaintenance, async ({ actor, repository, body }) => ({
    body: present(await maintenance.request(actor, repository, body)),
  }));
  app.bind(listMaintenance, async ({ query }) => {
    const { rows, total } = await maintenance.list(query);
    return { body: rows.map(present), total };
  });
}

function present(row: MaintenanceRow): Maintenance {
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
