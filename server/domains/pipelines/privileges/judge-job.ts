/**
 * Whether jobs may be privileged: judged when their file is compiled for a run, again before a job is queued, since a plan can be run
 * again much later, and once more when a runner takes it.
 */
import type { PrivilegedJobs } from "@forgeline/compiler/check-privileged.ts";
import type { CompileInput } from "@forgeline/compiler/compile.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { mayBePrivileged, trustOf, type SourceTrust } from "../runs/source-trust.ts";
import type { JobSecrets, SecretRefusal } from "../secrets/job-secrets.ts";
import * as store from "./privileges.store.ts";

/** For the compiler. Without an event, as for a run that somebody of the repository starts. */
export async function jobRightsOf(
  db: Queryable,
  repositoryId: string,
  event: Pick<PipelineEvent, "name" | "mergeRequest"> | undefined,
): Promise<Required<Pick<CompileInput, "privileged" | "permissionsMax">>> {
  const trust = event === undefined ? "own" : trustOf(event);
  const rights = await store.findJobRights(db, repositoryId);
  return {
    privileged: ruleOf({ trust, isAllowed: rights?.isPrivileged ?? false }),
    permissionsMax: rights?.permissionsMax ?? "read",
  };
}

function ruleOf({ trust, isAllowed }: { trust: SourceTrust; isAllowed: boolean }): PrivilegedJobs {
  if (!mayBePrivileged(trust)) return "untrusted";
  return isAllowed ? "allowed" : "not_allowed";
}

/** null: the job may run as its file says. */
export async function refusalOfPrivileged(
  db: Queryable,
  { pipelineId, job }: { pipelineId: string; job: Pick<PlanJob, "privileged"> },
): Promise<SecretRefusal | null> {
  if (!job.privileged) return null;
  const facts = await store.findRunFacts(db, pipelineId);
  const rule = facts === undefined ? "not_allowed" : ruleOf(facts);
  if (rule === "allowed") return null;
  const message =
    rule === "untrusted"
      ? "The job is privileged, and its run brings commits from another repository."
      : "The job is privileged, and no administrator of this instance allows that to the repository any more.";
  return { reason: "config", message };
}

/** A runner that takes a privileged job is told to refuse it where it may not be any more. */
export function withPrivileges(secrets: JobSecrets): JobSecrets {
  return {
    async give(tx, owner) {
      const refusal = await refusalOfPrivileged(tx, owner);
      return refusal === null ? secrets.give(tx, owner) : { refusal };
    },
    giveAgain: (db, owner) => secrets.giveAgain(db, owner),
  };
}
