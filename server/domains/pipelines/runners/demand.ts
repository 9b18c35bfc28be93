/** What waits for runners, for programs that start and end them. */
import type { RunnerDemand } from "@forgeline/schemas/runners/demand.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { OrganizationRef } from "../../policy/domain.ts";
import { requireGroupToRead } from "../runner-groups/require-group.ts";
import { listDemand } from "./demand.store.ts";

export interface RunnerDemandService {
  /** Null: of the whole instance. With the id of one of its groups: for that. Throws `not_found` for a group of others. */
  demand(organization: OrganizationRef | null, group?: string): Promise<RunnerDemand>;
}

export function createRunnerDemand(db: Database): RunnerDemandService {
  return {
    async demand(organization, group) {
      const organizationId = organization?.id ?? null;
      if (group !== undefined) await db.transaction((tx) => requireGroupToRead(tx, group, organizationId));
      const rows = await listDemand(db, organizationId, group ?? null);
      const sets = rows[0]?.sets ?? 0;
      return {
        label_sets: rows.map(({ labels, queued, waitedSeconds, running, idle }) => ({
          labels,
          queued,
          oldest_wait_seconds: waitedSeconds,
          running,
          idle,
        })),
        more: sets - rows.length,
      };
    },
  };
}
