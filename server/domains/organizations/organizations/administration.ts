/** What administrators of the instance do with organizations. */
import type { ListOrganizationsQuery } from "@forgeline/schemas/administration/routes.ts";
import type { Database } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import { recordAudit } from "../../operation/domain.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { listOrganizations, setPlan } from "./admin.store.ts";
import { findOrganization, type OrganizationRow } from "./organizations.store.ts";

export interface OrganizationAdministration {
  list(query: ListOrganizationsQuery): Promise<{ rows: OrganizationRow[]; total: number }>;
  /** Throws `not_found`. */
  setPlan(actor: Actor, name: string, plan: OrganizationRow["plan"]): Promise<OrganizationRow>;
}

export function createOrganizationAdministration(deps: { db: Database }): OrganizationAdministration {
  return {
    list: (query) => listOrganizations(deps.db, query),
    setPlan: (actor, name, plan) =>
      deps.db.transaction(async (tx) => {
        const changed = await setPlan(tx, name, plan);
        const row = changed && (await findOrganization(tx, changed.id));
        if (!row) throw new AppError("not_found");
        await recordAudit(tx, actor, {
          action: "admin.plan_change",
          target: { type: "organization", id: row.id, name: row.name },
          details: { old_plan: changed.old_plan, plan },
        });
        return row;
      }),
  };
}
