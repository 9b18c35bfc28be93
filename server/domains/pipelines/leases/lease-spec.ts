/** Builds the spec that a runner gets with a lease from database rows. Pure. */
import type { LeaseSpec, LeaseStream } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { SignedJob } from "@forgeline/schemas/runner-protocol/signed-job.ts";
import type { LeaseSecrets } from "@forgeline/schemas/runner-protocol/lease-secrets.ts";
import type { EventMergeRequest, PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { MatrixValues, PlanJob } from "@forgeline/schemas/pipeline-file/plan.ts";
import { eventAt } from "@forgeline/compiler/environment-variables.ts";
import type { PlanEnvironment } from "@forgeline/schemas/pipeline-file/plan-environment.ts";
import { topEnvironment } from "@forgeline/compiler/plan-language.ts";
import { traceParentOf } from "../runs/trace-ids.ts";
import { neededJobs, type NeededRow } from "../runs/needed-jobs.ts";
import { runAddress } from "../runs/run-address.ts";

const kib = 1024;
const mib = 1024 * kib;

/** `pipelines.md` section 3; `stepLogBytes` is the operator's, or what administrators have set. */
export function leaseLimits(stepLogBytes: number): LeaseSpec["limits"] {
  const kept = Math.floor(stepLogBytes / 4);
  return { lineBytes: 64 * kib, stepLogBytes, headBytes: kept, tailBytes: kept, outputBytes: 1 * mib };
}

/** One joined row: an attempt with its job, run and repository. */
export interface LeaseMaterial {
  attemptId: string;
  epoch: number;
  /** Of the token that it was given; null before. */
  tokenHash: Buffer | null;
  attempt: number;
  jobId: string;
  job: PlanJob;
  stageName: string;
  pipelineId: string;
  pipelineNumber: number;
  pipelineName: string;
  pipelineSequence: number;
  repositoryId: string;
  owner: string;
  repository: string;
  defaultBranch: string;
  env: Record<string, string>;
  event: PipelineEvent;
  ref: string;
  sha: string;
  matrix: MatrixValues | null;
  /** Null where no key signs jobs of the repository. */
  signed: SignedJob | null;
  holdsSlot: boolean;
  keepOpen: boolean;
  /** Somebody has run it again with debug output. */
  debug: boolean;
  /** If it works in the workspace of its stage. */
  placementId: string | null;
  /** Nothing has been done in that workspace yet. */
  isNewWorkspace: boolean;
  /** Of a matrix, in its order. */
  needed: (NeededRow & { outputs: Record<string, string> })[];
  /** As administrators have set it for the organization or the instance; null: they have not. */
  stepLogMib: number | null;
}

/** Where people, runners and jobs in containers reach this instance; no trailing slashes. */
export interface InstanceAddresses {
  /** For runners and people, for example `https://localhost:8443`. */
  webUrl: string;
  /** The same for programs inside job containers, for example `https://host.docker.internal:8443`. */
  jobUrl: string;
}

export function buildLeaseSpec(
  material: LeaseMaterial,
  given: {
    addresses: InstanceAddresses;
    token: string;
    secrets: LeaseSecrets;
    streams: LeaseStream[];
    /** Where administrators have set nothing else. */
    stepLogBytes: number;
    keepOpenMs: number;
    /** Whether traces of runs are sent. */
    traced?: boolean;
  },
): LeaseSpec {
  const execution = executionOf(material, given.addresses);
  return {
    ...execution,
    epoch: material.epoch,
    holdsSlot: material.holdsSlot,
    debug: material.debug,
    keepOpenMs: material.keepOpen ? given.keepOpenMs : null,
    sharedWorkspace:
      material.placementId === null ? null : { id: material.placementId, isNew: material.isNewWorkspace },
    ciEnv: {
      ...execution.ciEnv,
      ...(given.traced
        ? { TRACEPARENT: traceParentOf({ ...material, sequence: material.pipelineSequence }) }
        : {}),
      CI_JOB_TOKEN: given.token,
    },
    token: given.token,
    ...given.secrets,
    ...(material.signed ? { signed: material.signed } : {}),
    streams: given.streams,
    limits: leaseLimits(material.stepLogMib === null ? given.stepLogBytes : material.stepLogMib * mib),
  };
}

/** What decides what the job executes; all that is signed. */
export function executionOf(stored: LeaseMaterial, addresses: InstanceAddresses) {
  const event = eventAt(stored.event, stored.job.environment?.name ?? null);
  const material = { ...stored, event };
  const project = `${material.owner}/${material.repository}`;
  return {
    attemptId: material.attemptId,
    jobId: material.jobId,
    pipelineId: material.pipelineId,
    pipelineNumber: material.pipelineNumber,
    repositoryId: material.repositoryId,
    attempt: material.attempt,
    job: material.job,
    env: renderEnv(material, addresses.webUrl),
    event,
    needs: neededJobs(material.job.needs, material.needed, ({ outputs }) => outputs),
    matrix: material.matrix,
    pipelineName: material.pipelineName,
    ciEnv: ciEnvironment(material, addresses),
    clone: {
      url: `${addresses.webUrl}/${project}.git`,
      ref: material.ref,
      sha: material.sha,
    },
  };
}

/** `startJobs` has evaluated the same before it queued the job, so this does not fail. */
function renderEnv(material: LeaseMaterial, webUrl: string): Record<string, string> {
  const url = runAddress(webUrl, `${material.owner}/${material.repository}`, material.pipelineNumber);
  const { pipelineId: id, pipelineNumber: number, pipelineName: name } = material;
  return topEnvironment(material.env, material.event, { id, number, name, url });
}

/** The `CI_*` list of `pipelines.md` section 2, save what only the runner knows (workspace, output files). */
function ciEnvironment(
  material: LeaseMaterial,
  { webUrl, jobUrl }: InstanceAddresses,
): Record<string, string> {
  const { event } = material;
  const project = `${material.owner}/${material.repository}`;
  // Jobs send them to people, who reach the instance where the job may not.
  const page = runAddress(webUrl, project, material.pipelineNumber);
  return {
    CI: "true",
    CI_PROJECT: project,
    CI_REPO_URL: `${jobUrl}/${project}.git`,
    CI_PIPELINE_ID: material.pipelineId,
    CI_PIPELINE_NUMBER: String(material.pipelineNumber),
    CI_PIPELINE_URL: page,
    CI_EVENT: event.name,
    CI_REF: material.ref,
    CI_BRANCH: event.branch ?? "",
    CI_TAG: event.tag ?? "",
    CI_DEFAULT_BRANCH: material.defaultBranch,
    CI_COMMIT_SHA: material.sha,
    CI_COMMIT_SHORT_SHA: material.sha.slice(0, 8),
    CI_COMMIT_MESSAGE: event.commitMessage,
    CI_COMMIT_AUTHOR: event.commitAuthor,
    CI_BEFORE_SHA: event.beforeSha ?? "",
    CI_ACTOR: event.actor,
    ...(event.mergeRequest ? mergeRequestEnvironment(event.mergeRequest, event.sha) : {}),
    ...(event.schedule ? { CI_SCHEDULE: event.schedule.name } : {}),
    CI_STAGE: material.stageName,
    CI_JOB: material.job.key,
    CI_JOB_ID: material.jobId,
    CI_JOB_URL: `${page}?job=${material.jobId}`,
    ...(material.job.environment ? environmentOf(material.job.environment) : {}),
    CI_ATTEMPT: String(material.attempt),
    CI_API_URL: `${jobUrl}/api/v1`,
    ...matrixEnvironment(material.matrix),
  };
}

function mergeRequestEnvironment(found: EventMergeRequest, sha: string): Record<string, string> {
  return {
    CI_MR_NUMBER: String(found.number),
    CI_MR_SOURCE: found.source_branch,
    CI_MR_TARGET: found.target_branch,
    CI_MR_HEAD_SHA: found.head_sha ?? sha,
    CI_MR_TARGET_SHA: found.target_sha ?? "",
    CI_MR_MERGE_SHA: found.merge_sha ?? "",
  };
}

function environmentOf({ name, url }: PlanEnvironment): Record<string, string> {
  return { CI_ENVIRONMENT: name, ...(url === null ? {} : { CI_ENVIRONMENT_URL: url }) };
}

function matrixEnvironment(matrix: MatrixValues | null): Record<string, string> {
  return Object.fromEntries(
    Object.entries(matrix ?? {}).map(([name, value]) => [`CI_MATRIX_${name.toUpperCase()}`, value]),
  );
}
