/**
 * Plays a plan to its end without a container: the decisions are those of `forgeline exec` (which are the server's), conditions and
 * templates of steps are judged by the runner's functions, and what would run succeeds at once, with the outputs that it declares.
 */
import { createCourse } from "@forgeline/cli/exec/course.ts";
import { leaseOf } from "@forgeline/cli/exec/lease.ts";
import { newNode, newRun, type LocalJob, type LocalRun } from "@forgeline/cli/exec/local-run.ts";
import { createRunRecord, type RunRecord } from "@forgeline/cli/exec/run-record.ts";
import type { ReadyAttempt } from "@forgeline/cli/exec/start-jobs.ts";
import { stepEnvironment } from "@forgeline/compiler/job-env.ts";
import { renderTemplate } from "@forgeline/compiler/template.ts";
import { evaluateWhen } from "@forgeline/compiler/when.ts";
import { jobOutputs } from "@forgeline/runner/job/read-outputs.ts";
import { decidingStep } from "@forgeline/runner/job/run-steps.ts";
import { stepContexts } from "@forgeline/runner/job/step-contexts.ts";
import type { PipelineEvent } from "@forgeline/schemas/pipeline-file/event.ts";
import type { Plan, PlanJob, PlanStep } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { LeaseSpec, StepResult } from "@forgeline/schemas/runner-protocol/lease.ts";
import { neededSecrets } from "@forgeline/server/domains/pipelines/secrets/needed-secrets.ts";

export interface Play {
  plan: Plan;
  event: PipelineEvent;
  /** Values of outputs by name; any other is `one`. */
  outputs: Readonly<Record<string, string>>;
  /** The first step of this job fails. */
  failing?: string;
}

export interface Played {
  run: LocalRun;
  /** Keys of jobs and names of steps that were carried out. */
  reached: Set<string>;
}

/** Resolves when the run has its final status. */
export async function play({ plan, event, outputs, failing }: Play): Promise<Played> {
  const able = { ...plan, jobs: plan.jobs.map((job) => asServed(job, failing !== undefined)) };
  const secrets = Object.fromEntries(
    plan.jobs.flatMap((job) => neededSecrets(job).map(({ name }) => [name, "x:x"])),
  );
  const run = newRun(able, event, {
    approved: true,
    debug: false,
    openNetwork: true,
    privileged: true,
    secrets,
  });
  const record = createRunRecord(run, () => {});
  const course = createCourse(record);
  const reached = new Set<string>();
  const executor = { plan, outputs, failing, record, reached };
  await course.follow({
    begin(ready) {
      const { row, attempt } = ready;
      const { result, values } = execute(executor, ready);
      Object.assign(row, { outputs: values });
      const fact = { jobId: row.id, attempt, epoch: 1, exitCode: result.exitCode, begun: true };
      course.tell({ ...fact, kind: "started", status: "running", reason: null });
      course.tell({ ...fact, kind: "done", status: result.status, reason: result.reason });
    },
    stop: () => "over",
    force: () => "over",
    cleaned: async () => {},
  });
  return { run, reached };
}

/**
 * What only a server can do, it has done: the run started by the job ended well (really: the scenario `trigger`), the tokens are there,
 * and some runner has the labels (the scenario `labels`).
 */
function asServed({ trigger: _trigger, idTokens: _tokens, ...job }: PlanJob, isFailing: boolean): PlanJob {
  // Nobody waits for another try here.
  const image = { ...job.image, name: job.image.name || "none" };
  return { ...job, image, runnerLabels: [], ...(isFailing ? { retry: { ...job.retry, max: 0 } } : {}) };
}

interface Executor extends Pick<Play, "plan" | "outputs"> {
  failing: string | undefined;
  record: RunRecord;
  reached: Set<string>;
}

function execute({ plan, outputs, failing, record, reached }: Executor, ready: ReadyAttempt) {
  const { row, job } = ready;
  startAttempt(record, ready);
  reached.add(row.key);
  const spec = leaseOf({ run: record.run, repository: nowhere, nextChannel: () => 0 }, "att", ready);
  const state: Job = { spec, record: { steps: [], stepOutputs: {}, warnings: [] } };
  for (const step of job.steps) {
    const fails = row.key === failing && step === job.steps[0];
    const status = runStep(state, step, fails);
    if (status !== "skipped") reached.add(stepName(row.key, step));
    state.record.steps.push({ ...blank, position: step.position, status });
    if (step.id) state.record.stepOutputs[step.id] = everyOutput(spec, outputs);
  }
  const deciding = decidingStep(state as unknown as Parameters<typeof decidingStep>[0]);
  const planned = plan.jobs.find(({ key }) => key === row.key);
  const ofTrigger = (planned?.trigger?.outputs ?? []).map((name) => [name, outputs[name] ?? "one"]);
  const values = {
    ...jobOutputs(state as unknown as Parameters<typeof jobOutputs>[0]),
    ...(Object.fromEntries(ofTrigger) as Record<string, string>),
  };
  const failed = { status: "failed", reason: "exit:1", exitCode: 1 } as const;
  return { result: deciding ? failed : ({ status: "success", reason: null, exitCode: 0 } as const), values };
}

interface Job {
  spec: LeaseSpec;
  record: { steps: StepResult[]; stepOutputs: Record<string, Record<string, string>>; warnings: string[] };
}

const blank = { reason: null, message: null, exitCode: 0, startedAtMs: 1, finishedAtMs: 1 };
const nowhere = { remoteUrl: "" } as Parameters<typeof leaseOf>[0]["repository"];

export const stepName = (key: string, { position, name }: PlanStep) => `${key}/${position} ${name}`;

/** Everything that the runner fills in before it starts a step, without the start. */
function runStep({ spec, record }: Job, step: PlanStep, fails: boolean): StepResult["status"] {
  const job = { spec, record } as unknown as Parameters<typeof stepContexts>[0];
  const contexts = stepContexts(job, step);
  const before = decidingStep(job as Parameters<typeof decidingStep>[0], step.parallel ?? step.position);
  const outcome = before ? "failure" : "success";
  if (!evaluateWhen(step.when, { event: spec.event, contexts, outcome }).run) return "skipped";
  renderTemplate(step.name, contexts);
  if (step.image) renderTemplate(step.image.name, contexts);
  stepEnvironment({ ci: {}, top: {}, job: {}, step, contexts });
  return fails ? "failed" : "success";
}

/** A step does not say in the file what it writes, so each has all that the job may ask for. */
function everyOutput(spec: LeaseSpec, values: Play["outputs"]): Record<string, string> {
  const asked = JSON.stringify(spec.job).matchAll(/steps\.[\w-]+\.outputs\.(\w+)/g);
  return Object.fromEntries([...asked].map(([, name = ""]) => [name, values[name] ?? "one"]));
}

function startAttempt(record: RunRecord, { row, attempt }: { row: LocalJob; attempt: number }): void {
  const own = { exitCode: null, warnings: [], queuedAtMs: Date.now(), steps: [] };
  row.attempts.push({ ...newNode("att"), status: "success", attempt, ...own });
  record.moveJob(row, "queue");
  record.moveJob(row, "start");
}
