/** Rows of runs as REST records. Pure. */
import type {
  Pipeline,
  PipelineSummary,
  RunAttempt,
  RunJob,
  RunStage,
} from "@forgeline/schemas/pipelines/resource.ts";
import { permissionsOf } from "@forgeline/compiler/build-permissions.ts";
import { isFinal } from "@forgeline/schemas/pipelines/status.ts";
import type { ChildRun, ParentRun } from "@forgeline/schemas/pipelines/relatives.ts";
import type { ConcurrencyWait } from "@forgeline/schemas/concurrency/resource.ts";
import { waitSentence } from "../concurrency/present.ts";
import type { RepositorySnapshot } from "../../hosting/domain.ts";
import type { RelativeRow } from "./children.store.ts";
import { jobScopes } from "../leases/job-scopes.ts";
import { presentPlacement } from "../placements/present.ts";
import type { QueueReason } from "./queue-reasons.ts";
import type { RunSnapshot } from "./run-events.ts";
import type { AttemptRow, JobRow, RunRow, StepRow, SummaryRow } from "./runs.store.ts";
import { runAddress } from "./run-address.ts";

export interface View {
  /** `https://HOST/api/v1` and `https://HOST`. */
  baseUrl: string;
  webUrl: string;
  nowMs: number;
}

type Time = Date | string | null;

function iso(time: Time): string | null {
  return time === null ? null : new Date(time).toISOString();
}

function span(node: { started_at: Time; finished_at: Time }, nowMs: number) {
  const started = node.started_at === null ? null : new Date(node.started_at).getTime();
  const finished = node.finished_at === null ? nowMs : new Date(node.finished_at).getTime();
  return {
    started_at: iso(node.started_at),
    finished_at: iso(node.finished_at),
    duration: started === null ? null : Math.max(0, Math.floor((finished - started) / 1000)),
  };
}

function told(node: { status: RunStage["status"]; reason: string | null; message: string | null }) {
  const { status, reason, message } = node;
  return { status, reason, message };
}

export function presentSummary(row: SummaryRow, view: View): PipelineSummary {
  return presentFacts(row, view);
}

/** A row, or one that was kept as JSON. */
type RunFacts = Omit<
  SummaryRow,
  "created_at" | "updated_at" | "started_at" | "finished_at" | "merge_request_number"
> &
  // Earlier events do not say it.
  Partial<Pick<SummaryRow, "merge_request_number">> &
  Record<"created_at" | "updated_at", Date | string> &
  Record<"started_at" | "finished_at", Time>;

function presentFacts(row: RunFacts, view: View): PipelineSummary {
  const { owner, name } = row.event.repository;
  return {
    id: row.id,
    number: row.number,
    ...told(row),
    warnings: row.warnings,
    pipeline: row.file,
    name: row.name,
    source: row.source,
    ref: row.ref,
    sha: row.sha,
    merge_request: typeof row.merge_request_number === "number" ? { number: row.merge_request_number } : null,
    commit: { sha: row.sha, message: row.event.commitMessage, author: row.event.commitAuthor },
    triggered_by: presentTrigger(row),
    schedule: row.event.schedule ? { id: row.schedule_id, name: row.event.schedule.name } : null,
    sequence: row.sequence,
    queued_at: new Date(row.created_at).toISOString(),
    ...span(row, view.nowMs),
    url: `${view.baseUrl}/repos/${owner}/${name}/pipelines/${row.id}`,
    web_url: runAddress(view.webUrl, `${owner}/${name}`, row.number),
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}

function presentTrigger(row: RunFacts): PipelineSummary["triggered_by"] {
  if (row.user_id !== null && row.username !== null)
    return { type: "user", id: row.user_id, username: row.username };
  const { actor } = row.event;
  return row.source === "schedule"
    ? { type: "schedule", id: row.schedule_id, username: actor }
    : { type: "mirror", id: null, username: actor };
}

type RunSnapshotPlace = Pick<RepositorySnapshot, "owner" | "name" | "default_branch">;

/** `nowMs` of the view: when the event happened. */
export function presentEventRun(
  snapshot: RunSnapshot,
  repository: RunSnapshotPlace,
  view: View,
): PipelineSummary {
  const { commit_message: commitMessage, commit_author: commitAuthor, schedule_name: schedule } = snapshot;
  const { owner, name, default_branch: defaultBranch } = repository;
  const event = {
    repository: { owner, name, defaultBranch },
    commitMessage: commitMessage ?? "",
    commitAuthor: commitAuthor ?? "",
    actor: snapshot.actor ?? "",
    ...(schedule ? { schedule: { name: schedule } } : {}),
  };
  return presentFacts({ ...snapshot, event }, view);
}

/** Why parts of a run wait. */
export interface Waits {
  /** By id of the attempt. */
  attempts: ReadonlyMap<string, QueueReason>;
  /** Slots of concurrency groups, by id of the job. */
  slots: ReadonlyMap<string, ConcurrencyWait>;
}

export function presentRun(
  row: RunRow,
  queued: Waits,
  view: View,
): Omit<Pipeline, "approvals" | "fork_approval" | "parent" | "children"> {
  const jobs = presentJobs(row, queued, view);
  const stages = row.stages.map((stage): RunStage => {
    const own = jobs.filter((job) => job.stage === stage.name);
    return {
      id: stage.id,
      name: stage.name,
      title: stage.title,
      ...told(withQueueReason(stage, own)),
      warnings: stage.warnings,
      placement: presentPlacement(stage),
      ...span(stage, view.nowMs),
      jobs: own,
    };
  });
  const broken = row.status === "error" && row.reason === "config" && row.stages.length === 0;
  return {
    ...presentSummary(row, view),
    ...told(withQueueReason(row, stages)),
    stages,
    error: broken ? { message: row.message ?? "", diagnostics: row.diagnostics } : null,
    variables: row.variables,
    inputs: row.inputs,
    templates: row.templates,
    foreseen: row.foreseen ?? [],
  };
}

/** A queued stage or run shows the reason of its first queued part; one that waits, that of a part that waits for a slot. */
function withQueueReason<T extends Parameters<typeof told>[0]>(
  node: T,
  parts: readonly Parameters<typeof told>[0][],
) {
  if (node.status !== "queued" && node.status !== "waiting") return node;
  const isSlot = (reason: string | null) => reason?.startsWith("concurrency:") ?? false;
  const first = parts.find(
    ({ status, reason }) => status === node.status && (status === "queued" || isSlot(reason)),
  );
  return {
    status: node.status,
    reason: first?.reason ?? node.reason,
    message: first?.message ?? node.message,
  };
}

export function presentJobs(row: RunRow, queued: Waits, view: View): RunJob[] {
  const stageNames = new Map(row.stages.map((stage) => [stage.id, stage.name]));
  return row.jobs.map((job: JobRow): RunJob => {
    const attempts = row.attempts
      .filter((attempt) => attempt.job_id === job.id)
      .map((attempt) => presentAttempt(attempt, { steps: row.steps, queued, view }));
    const slot = queued.slots.get(job.id) ?? null;
    const keptUntil = keptUntilOf(row, job);
    return {
      id: job.id,
      key: job.key,
      name: job.name,
      stage: stageNames.get(job.stage_id) ?? "",
      matrix: job.matrix,
      ...told(slot ? withSlot(job, slot) : withKeeping(withQueueReason(job, attempts.slice(-1)), keptUntil)),
      allowed_failure: job.failure_allowed,
      needs: row.needs[job.key] ?? [],
      outputs: job.outputs ?? {},
      outputs_omitted: job.outputs === null,
      ...span(job, view.nowMs),
      concurrency: slot,
      network: row.rights[job.key]?.network ?? null,
      privileged: row.rights[job.key]?.privileged ?? false,
      ...presentPermissions(row, job),
      keep_open: job.keep_open,
      debug: job.debug,
      kept_until: keptUntil,
      attempts,
    };
  });
}

function presentPermissions(row: RunRow, { key }: JobRow): Pick<RunJob, "permissions" | "permissions_limit"> {
  const job = { permissions: row.permissions[key] };
  const { limit } = jobScopes(job, {
    trust: row.trust,
    hasPerson: row.user_id !== null,
    permissionsMax: row.permissions_max,
  });
  return { permissions: [...permissionsOf(job)], permissions_limit: limit };
}

/** Of the attempt that a runner has. */
function keptUntilOf(row: RunRow, job: JobRow): string | null {
  const kept = row.attempts.find((attempt) => attempt.job_id === job.id && attempt.kept_until !== null);
  return iso(kept?.kept_until ?? null);
}

function withKeeping<T extends Parameters<typeof told>[0]>(job: T, keptUntil: string | null) {
  if (keptUntil === null) return job;
  const until = keptUntil.slice(11, 16);
  return {
    ...job,
    message: `The job has failed. Its container is kept open for a shell until ${until} UTC.`,
  };
}

function withSlot(job: JobRow, slot: ConcurrencyWait) {
  return { ...job, message: waitSentence(slot) };
}

function presentAttempt(
  row: AttemptRow,
  { steps, queued, view }: { steps: readonly StepRow[]; queued: Waits; view: View },
): RunAttempt {
  const why = row.status === "queued" ? queued.attempts.get(row.id) : undefined;
  const queuedMs = new Date(row.queued_at).getTime();
  const left = row.started_at ?? (isFinal(row.status) ? row.finished_at : null);
  return {
    id: row.id,
    attempt: row.attempt,
    ...told({ ...row, ...(why && { reason: why.reason, message: why.message }) }),
    exit_code: row.exit_code,
    runner: row.runner_id === null ? null : { id: row.runner_id, name: row.runner_name ?? "" },
    unreachable: row.unreachable,
    ends_when_lost: row.ends_when_lost,
    log_complete: row.log_complete,
    warnings: row.warnings,
    warnings_omitted: row.warnings_omitted,
    queued_at: new Date(queuedMs).toISOString(),
    priority: row.priority,
    queue: why === undefined ? null : { position: why.position },
    queue_time: left === null ? null : Math.max(0, Math.floor((new Date(left).getTime() - queuedMs) / 1000)),
    ...span(row, view.nowMs),
    steps: steps
      .filter((step) => step.attempt_id === row.id)
      .map((step) => ({
        id: step.id,
        position: step.position,
        name: step.name,
        parallel: step.parallel_group,
        ...told(step),
        exit_code: step.exit_code,
        ...span(step, view.nowMs),
      })),
  };
}

/** Those that the viewer may see. */
export function presentRelatives(
  rows: readonly RelativeRow[],
  { baseUrl, webUrl }: { baseUrl: string; webUrl: string },
): { parent: ParentRun | null; children: ChildRun[] } {
  const shown = ({ owner, name, id, number, jobId }: RelativeRow) => ({
    repository: `${owner}/${name}`,
    id,
    number,
    job: jobId ?? "",
    url: `${baseUrl}/repos/${owner}/${name}/pipelines/${id}`,
    web_url: runAddress(webUrl, `${owner}/${name}`, number),
  });
  const parent = rows.find(({ isParent }) => isParent);
  const children = rows.filter(({ isParent }) => !isParent);
  return {
    parent: parent ? shown(parent) : null,
    children: children.map((row) => ({
      ...shown(row),
      pipeline: row.file,
      status: row.status,
      attempt: row.attempt ?? 1,
    })),
  };
}
