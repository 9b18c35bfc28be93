/**
 * What the engine is told of one attempt, made as a server makes it. What only a server knows is empty: addresses, numbers, the
 * job's token. Values that a job is handed beside its file, such as secrets, belong into this spec and nowhere else: the
 * engine masks what it finds here.
 */
import type { LeaseSecrets } from "@forgeline/schemas/runner-protocol/lease-secrets.ts";
import type { LeaseSpec, LeaseStream } from "@forgeline/schemas/runner-protocol/lease.ts";
import { buildLeaseSpec, leaseLimits } from "@forgeline/server/domains/pipelines/leases/lease-spec.ts";
import { topEnvironment } from "@forgeline/compiler/plan-language.ts";
import { neededRows } from "@forgeline/server/domains/pipelines/runs/needed-jobs.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import type { PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import { runFacts, type LocalJob, type LocalRun } from "./local-run.ts";
import type { LocalRepository } from "./repository.ts";
import { secretsOf } from "./secrets.ts";
import type { ReadyAttempt } from "./start-jobs.ts";

/** As on a server whose operator has not changed it. */
const stepLogBytes = 256 * 1024 * 1024;
const nowhere = { webUrl: "", jobUrl: "" };

export interface Leasing {
  run: LocalRun;
  repository: LocalRepository;
  /** Of log streams, which share one connection. */
  nextChannel: () => number;
}

export function leaseOf(leasing: Leasing, attemptId: string, ready: ReadyAttempt): LeaseSpec {
  const { run, repository } = leasing;
  const { job } = ready;
  const { env } = run.plan;
  const spec = buildLeaseSpec(materialOf(run, attemptId, ready), {
    addresses: nowhere,
    token: "",
    secrets: givenSecrets(job, run),
    streams: streamsOf(job, leasing.nextChannel),
    stepLogBytes,
    keepOpenMs: 1,
  });
  return {
    ...spec,
    env: topEnvironment(env, run.event, runFacts(run)),
    ciEnv: {
      ...spec.ciEnv,
      CI_EXEC: "true",
      CI_REPO_URL: repository.remoteUrl,
      CI_PIPELINE_URL: "",
      CI_JOB_URL: "",
      CI_API_URL: "",
    },
    limits: leaseLimits(stepLogBytes),
  };
}

function materialOf(run: LocalRun, attemptId: string, { row, attempt, job }: ReadyAttempt) {
  const { event, plan } = run;
  return {
    attemptId,
    epoch: 1,
    tokenHash: null,
    stepLogMib: null,
    signed: null,
    attempt,
    jobId: row.id,
    job,
    stageName: row.stage,
    pipelineId: run.id,
    pipelineNumber: 0,
    pipelineName: plan.name,
    pipelineSequence: 1,
    repositoryId: "local",
    owner: event.repository.owner,
    repository: event.repository.name,
    defaultBranch: event.repository.defaultBranch,
    env: plan.env,
    event,
    ref: event.ref,
    sha: event.sha,
    matrix: row.matrix,
    // Nobody else runs here.
    holdsSlot: false,
    keepOpen: false,
    debug: run.debug,
    placementId: job.workspace === "stage" ? `${run.id}-${row.stage}` : null,
    // All of the run is on this machine, so nothing can have been lost.
    isNewWorkspace: true,
    needed: neededOf(run, job),
  };
}

function givenSecrets(job: PlanJob, { secrets }: LocalRun): LeaseSecrets {
  const values = secretsOf(job, secrets);
  return Object.keys(values).length > 0 ? { secrets: values } : {};
}

/** In the order of their matrices. */
function neededOf({ jobs }: LocalRun, { needs }: PlanJob): LocalJob[] {
  return (needs ?? []).flatMap((need) => neededRows(need, jobs));
}

function streamsOf({ steps, services }: PlanJob, nextChannel: () => number): LeaseStream[] {
  const stream = (kind: LeaseStream["kind"], more: Partial<LeaseStream> = {}): LeaseStream => ({
    id: newId("log"),
    channel: nextChannel(),
    kind,
    step: null,
    service: null,
    nextOffset: 0,
    ...more,
  });
  return [
    stream("setup"),
    ...services.map(({ key }) => stream("service", { service: key })),
    ...steps.map(({ position }) => stream("step", { step: position })),
  ];
}
