/** Protection of environments that a plan shows: what a run would be refused, and what would hold it, told before there is one. */
import type { ServerFacts } from "@forgeline/compiler/preview-start.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { trustOf } from "../runs/source-trust.ts";
import { listProtections } from "./environments.store.ts";
import { refusalOf } from "./protection.ts";

/**
 * Reads the protections once, for all jobs. That an environment refuses what is older is left out: the run that is planned would be the
 * newest.
 */
export async function plannedEnvironments(
  db: Queryable,
  { repositoryId, event, jobs }: { repositoryId: string; event: PipelineEvent; jobs: readonly PlanJob[] },
): Promise<Pick<ServerFacts, "refusal" | "gateAt">> {
  const rows = jobs.some(({ environment }) => environment) ? await listProtections(db, repositoryId) : [];
  const byName = new Map(rows.map((row) => [row.name.toLowerCase(), row]));
  const find = (name: string) => byName.get(name.toLowerCase());
  const trust = trustOf(event);
  return {
    refusal({ environment }) {
      if (environment === null) return null;
      const at = find(environment) ?? { name: environment, branches: [], tags: [] };
      const message = refusalOf(at, event, trust);
      return message === null ? null : { ends: "failed", reason: `environment_refused:${at.name}`, message };
    },
    gateAt(environment) {
      const { approval_count: approvals, wait_minutes } = find(environment) ?? noGate;
      return approvals > 0 || wait_minutes > 0 ? { approvals, wait_minutes } : null;
    },
  };
}

const noGate = { approval_count: 0, wait_minutes: 0 };
