/**
 * Judges statuses and histories. The rule: whatever failed, each job ends as it would have without faults. The only
 * exceptions are jobs that share a workspace which was lost with its runner, and what needs them. An attempt may end as lost
 * only if a fault kept its runner away for longer than a lease, and then another attempt follows.
 */
import type {
  PipelineEventRecord,
  Pipeline,
  RunAttempt,
  RunJob,
} from "@forgeline/schemas/pipelines/resource.ts";
import { finalStatuses, isFinal } from "@forgeline/schemas/pipelines/status.ts";
import type { PlayedRound } from "./play.ts";
import { plannedFor, type PlannedJob } from "./planned-jobs.ts";

export interface Finding {
  /** One of the properties that are counted. */
  property: string;
  problem: string;
}

/** What was looked at, by property, and what was wrong. */
export interface Evidence {
  looked: Map<string, number>;
  findings: Finding[];
}

export function note(evidence: Evidence, property: string, problem: string | null): void {
  evidence.looked.set(property, (evidence.looked.get(property) ?? 0) + 1);
  if (problem !== null) evidence.findings.push({ property, problem });
}

const statusesRight = "jobs with a wrong status";
const attemptsRight = "attempts with a wrong end";
const historyRight = "statuses that do not follow from what was before or below";

export const labelOf = ({ key, matrix }: Pick<RunJob, "key" | "matrix">) =>
  matrix ? `${key}(${matrix["n"]})` : key;
export const jobsOf = (run: Pipeline) => run.stages.flatMap(({ jobs }) => jobs);
const shown = ({ status, reason }: { status: string; reason: string | null }) =>
  `${status} ${reason ?? ""}`.trim();

export interface JudgedRun {
  run: Pipeline;
  events: readonly PipelineEventRecord[];
  planned: readonly PlannedJob[];
}

export function judgeRunOf(evidence: Evidence, round: PlayedRound, judged: JudgedRun): void {
  const { run, events, planned } = judged;
  for (const stage of run.stages)
    for (const job of stage.jobs)
      judgeJob(evidence, round, {
        job,
        plan: plannedFor(planned, job.key),
        hasLost: stage.placement?.lost === true,
      });
  judgeCounts(evidence, run, planned);
  judgeAggregates(evidence, run);
  judgeHistory(evidence, run, events);
}

function judgeCounts(evidence: Evidence, run: Pipeline, planned: readonly PlannedJob[]): void {
  for (const { key, values } of planned) {
    const found = jobsOf(run)
      .filter((job) => job.key === key)
      .map(({ matrix }) => matrix?.["n"] ?? "");
    const wanted = [...(values ?? [""])].sort().join();
    const is = found.sort().join();
    note(evidence, statusesRight, is === wanted ? null : `${key} has the combinations ${is}, not ${wanted}`);
  }
}

interface JobToJudge {
  job: RunJob;
  plan: PlannedJob;
  /** The placement of its stage was lost. */
  hasLost: boolean;
}

function judgeJob(evidence: Evidence, round: PlayedRound, { job, plan, hasLost }: JobToJudge): void {
  const status = shown(job);
  const mayBeLost = plan.isShared === true && hasLost && round.struck.some(({ mayLose }) => mayLose !== null);
  const allowed = [
    ...endsOf(round, job, plan),
    ...(mayBeLost ? ["error runner_lost", "skipped need_failed"] : []),
  ];
  const isRight = allowed.some((end) => (end.includes(" ") ? status.startsWith(end) : status === end));
  const problem = `${labelOf(job)} is ${status} (${job.message ?? ""}), not ${allowed.join(" or ")}`;
  note(evidence, statusesRight, isRight ? null : problem);
  for (const attempt of job.attempts) judgeAttempt(evidence, round, { job, plan, hasLost }, attempt);
}

/** Where the scenario itself decided, or the values of the matrix do, one end is left. */
function endsOf({ decided }: PlayedRound, { key, matrix }: RunJob, plan: PlannedJob): readonly string[] {
  if (key === "asked") return [decided.get("asked") === "reject" ? "failed approval_rejected" : "success"];
  if (key === "after-asked") return [decided.get("asked") === "reject" ? "skipped need_failed" : "success"];
  if (key === "quick") return plan.ends.filter((end) => end.startsWith("failed") === (matrix?.["n"] === "3"));
  return plan.ends;
}

function judgeAttempt(evidence: Evidence, round: PlayedRound, judged: JobToJudge, attempt: RunAttempt): void {
  const { job, plan, hasLost } = judged;
  const what = `${labelOf(job)} attempt ${attempt.attempt}`;
  const isLast = attempt === job.attempts.at(-1);
  const status = shown(attempt);
  const isLost = attempt.status === "error" && ["runner_lost", "infra"].includes(attempt.reason ?? "");
  // One that had to be tried again may find that what it needs is gone with the workspace.
  const isRefused = plan.isShared === true && hasLost && job.status === "error";
  const ends = [
    ...(isLast ? lastEndsOf(job) : []),
    ...(!isLast || isRefused ? firstEndsOf(plan, attempt) : []),
  ];
  if (isLost && (!isLast || job.status === "cancelled"))
    return note(evidence, attemptsRight, whyNotLost(round, what, attempt));
  const isRight = ends.includes(status) || ends.includes(attempt.status);
  note(evidence, attemptsRight, isRight ? null : `${what} ended as ${status} (${attempt.message ?? ""})`);
}

/** Who was stopped may have ended by itself before it heard of that. */
const lastEndsOf = (job: RunJob) => [
  shown(job),
  ...(job.status === "cancelled" ? ["success", "cancelled"] : []),
];
const firstEndsOf = ({ failsFirst }: PlannedJob, { attempt }: RunAttempt) =>
  failsFirst !== undefined && attempt === 1 ? [`failed exit:${failsFirst}`] : [];

/** Null where a fault of the round explains that the attempt was lost. */
function whyNotLost({ struck }: PlayedRound, what: string, attempt: RunAttempt): string | null {
  const name = attempt.runner?.name;
  // One that no runner had yet loses its place with the shared workspace.
  const isExplained = struck.some(
    ({ mayLose }) => mayLose !== null && (name === undefined || name === mayLose),
  );
  return isExplained
    ? null
    : `${what} was lost (${attempt.message ?? ""}) although nothing kept ${name ?? "its runner"} away`;
}

const byWeight = ["error", "failed", "cancelled", "success", "skipped"];
const worstOf = (all: readonly { status: string }[]) =>
  byWeight.find((status) => all.some((one) => one.status === status));

function judgeAggregates(evidence: Evidence, run: Pipeline): void {
  for (const stage of run.stages) {
    const worst = worstOf(stage.jobs.map((job) => (job.allowed_failure ? { status: "success" } : job)));
    note(
      evidence,
      historyRight,
      stage.status === worst ? null : `stage ${stage.name} is ${stage.status}, its jobs say ${worst}`,
    );
  }
  const worst = worstOf(run.stages);
  note(
    evidence,
    historyRight,
    run.status === worst ? null : `the run is ${run.status}, its stages say ${worst}`,
  );
}

/** Each node's transitions follow from one another, end at what is shown, and have one end. */
function judgeHistory(evidence: Evidence, run: Pipeline, events: readonly PipelineEventRecord[]): void {
  const nodes = new Map<string, { status: string; what: string }>([
    [run.id, { status: run.status, what: "the run" }],
  ]);
  for (const stage of run.stages) nodes.set(stage.id, { status: stage.status, what: `stage ${stage.name}` });
  for (const job of jobsOf(run)) {
    nodes.set(job.id, { status: job.status, what: labelOf(job) });
    for (const one of job.attempts)
      nodes.set(one.id, { status: one.status, what: `${labelOf(job)} attempt ${one.attempt}` });
  }
  for (const [id, { status, what }] of nodes) {
    const own = events.filter((event) => event.node_id === id);
    const broken = own.find((event, index) => index > 0 && event.old_status !== own[index - 1]?.new_status);
    const ends = own.filter(({ new_status }) => isFinal(new_status)).length;
    const told = own.map(({ new_status }) => new_status).join(", ");
    const isWhole = broken === undefined && ends === 1 && own.at(-1)?.new_status === status;
    note(evidence, historyRight, isWhole ? null : `${what} is ${status}, its history says ${told}`);
  }
  for (const job of jobsOf(run))
    if (!(finalStatuses as readonly string[]).includes(job.status))
      note(evidence, statusesRight, `${labelOf(job)} has not ended`);
}
