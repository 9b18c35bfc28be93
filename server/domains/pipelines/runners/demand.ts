/** What waits for runners, for programs that start and end them. */
import type { RunnerDemand } from "@forgeline/schemas/runners/demand.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { OrganizationRef } from "../../policy/domain.ts";
import { listDemand } from "./demand.store.ts";

export interface RunnerDemandService {
  /** Null: of the whole instance. */
  demand(organization: OrganizationRef | null): Promise<RunnerDemand>;
}

export function createRunnerDemand(db: Database): RunnerDemandService {
  return {
    async demand(organization) {
      const rows = await listDemand(db, organization?.id ?? null);
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
