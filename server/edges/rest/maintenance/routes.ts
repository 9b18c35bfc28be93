/** Binds the operations on the maintenance of repositories. */
import {
  getMaintenance,
  listMaintenance,
  requestMaintenance,
} from "@forgeline/schemas/maintenance/routes.ts";
import type { RouteBinder } from "../route-binder.ts";
import { presentMaintenance, type MaintenanceService } from "../../../domains/upkeep/domain.ts";

export function registerMaintenanceRoutes(
  app: RouteBinder,
  { maintenance }: { maintenance: MaintenanceService },
): void {
  app.bindRepository(getMaintenance, async ({ repository }) => ({
    body: presentMaintenance(await maintenance.get(repository)),
  }));
  app.bindRepository(requestMaintenance, async ({ actor, repository, body }) => ({
    body: presentMaintenance(await maintenance.request(actor, repository, body)),
  }));
  app.bind(listMaintenance, async ({ query }) => {
    const { rows, total } = await maintenance.list(query);
    return { body: rows.map(presentMaintenance), total };
  });
}
