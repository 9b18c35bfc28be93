/** What a new run will lack as things stand: told when it is created, and not after an hour of build. */
import { previewStarted } from "@forgeline/compiler/plan-preview.ts";
import { noServer } from "@forgeline/compiler/preview-start.ts";
import type { Foreseen } from "@forgeline/schemas/pipelines/foreseen.ts";
import type { PlanNode } from "@forgeline/schemas/pipelines/plan.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { needsCredentials, plannedRefusals } from "../secrets/plan-secrets.ts";
import type { NewRun } from "./create-run.ts";

/** A run is read often, and who knows the first ones knows what to do. */
const maxForeseen = 10;

/** Of jobs that its event will not skip. Asks the database once, and only if a job needs secrets. */
export async function foresee(db: Queryable, run: Omit<NewRun, "origin">): Promise<Foreseen[]> {
  if (run.content.kind !== "plan" || !run.content.plan.jobs.some(needsCredentials)) return [];
  const { repositoryId, event, parent, content } = run;
  const { plan } = content;
  const ofParent = parent ? { trust: parent.trust } : {};
  const refusal = await plannedRefusals(db, { repositoryId, event, jobs: plan.jobs, ...ofParent });
  return summed(previewStarted(plan, { event, server: { ...noServer, refusal } }));
}

/** Each reason once: a matrix would say it again and again. */
function summed(nodes: readonly PlanNode[]): Foreseen[] {
  const found = new Map<string, Foreseen>();
  for (const { name, ends, reason, message } of nodes) {
    if (!ends || !reason || !/^(secret_missing|id_token_refused)/.test(reason)) continue;
    const key = `${reason} ${message}`;
    const known = found.get(key);
    if (known) known.more_jobs += 1;
    else found.set(key, { job: name, more_jobs: 0, reason, message: message ?? "" });
  }
  return [...found.values()].slice(0, maxForeseen);
}
