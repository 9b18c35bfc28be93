/** Secrets of jobs that a plan shows: what a run would be refused, told before there is one. */
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { JobRefusal, PreviewedJob } from "@forgeline/compiler/preview-start.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { trustOf, type SourceTrust } from "../runs/source-trust.ts";
import * as store from "./job-secrets.store.ts";
import { refusalOf, refusalOfIdTokens, type RunFacts, type SecretLimits } from "./judge-secret.ts";
import { neededSecrets } from "./needed-secrets.ts";

export interface PlannedRun {
  repositoryId: string;
  event: PipelineEvent;
  jobs: readonly PlanJob[];
  /** Absent: as of a run that the event starts by itself. */
  trust?: SourceTrust;
}

/** Whether it needs something that a run may be refused. */
export function needsCredentials(job: PlanJob): boolean {
  return job.idTokens !== undefined || neededSecrets(job).some(({ optional }) => !optional);
}

/**
 * Answers why a job would end without a secret that it cannot do without; null: it has them. Whoever starts the run is taken to be
 * allowed to. Reads the secrets once, for all jobs.
 */
export async function plannedRefusals(
  db: Queryable,
  { repositoryId, event, jobs, trust = trustOf(event) }: PlannedRun,
): Promise<(job: PreviewedJob) => JobRefusal | null> {
  const names = [...new Set(jobs.flatMap((job) => neededSecrets(job).map(({ name }) => name)))];
  const secrets = names.length === 0 ? [] : await store.findPlannedSecrets(db, repositoryId, names);
  const { name, branch, tag } = event;
  // Of any secret: where there is none, nothing is limited.
  const repository = secrets[0]?.repository ?? "";
  const confirmed = new Set(secrets[0]?.confirmed);
  const elsewhere = placesOf(secrets);
  const ofRun = { elsewhere, trust, isAllowed: true, event: name, branch, tag, repository };
  return ({ job, environment, hasImages }) => {
    const isConfirmed = environment !== null && confirmed.has(environment.toLowerCase());
    const facts = { ...ofRun, stage: job.stage, environment, isConfirmed };
    const ofTokens = job.idTokens ? refusalOfIdTokens(facts) : null;
    if (ofTokens !== null) return { ends: "error", reason: "id_token_refused", message: ofTokens };
    // What the images are called may depend on outputs; then their limits are left to the run.
    const limitsOf = (wanted: string): SecretLimits | undefined => {
      const row = secrets.find((one) => one.name === wanted && isNear(one, environment));
      if (!row) return undefined;
      const { event_names: events, stage_globs: stages, images } = row;
      return { ...row, events, stages, images: hasImages ? images : [] };
    };
    return firstRefusal(job, facts, limitsOf);
  };
}

function firstRefusal(
  job: PlanJob,
  facts: RunFacts,
  limitsOf: (name: string) => SecretLimits | undefined,
): JobRefusal | null {
  for (const one of neededSecrets(job)) {
    const message = one.optional ? null : refusalOf(limitsOf(one.name), one, facts);
    if (message !== null) return { ends: "error", reason: `secret_missing:${one.name}`, message };
  }
  return null;
}

/** Environments that have one, by its name. */
function placesOf(secrets: readonly store.PlannedRow[]): ReadonlyMap<string, readonly string[]> {
  const ofPlaces = secrets.flatMap(({ name, environment }) =>
    environment === null ? [] : [{ name, environment }],
  );
  const byName = Map.groupBy(ofPlaces, ({ name }) => name);
  return new Map([...byName].map(([name, rows]) => [name, rows.map((row) => row.environment).toSorted()]));
}

/** They are in order, the nearest first; of environments only that of the job counts. */
function isNear(row: store.PlannedRow, environment: string | null): boolean {
  return row.environment === null || row.environment.toLowerCase() === environment?.toLowerCase();
}
