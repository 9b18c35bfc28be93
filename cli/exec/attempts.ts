/** The attempts of a local run: those that wait for a place, those that run, and what each has to say. */
import type { JobStop, JobStopped } from "@forgeline/schemas/pipelines/run-activities.ts";
import type { AttemptFact } from "@forgeline/schemas/pipelines/workflow.ts";
import type { JobResult, LeaseSpec } from "@forgeline/schemas/runner-protocol/lease.ts";
import { isFinal } from "@forgeline/schemas/pipelines/status.ts";
import { reasonSentence } from "@forgeline/server/domains/pipelines/runs/reasons.ts";
import type { RunningJob } from "@forgeline/runner/job/running-job.ts";
import { graceMs } from "./graph.ts";
import { labelOf, newNode, type LocalAttempt } from "./local-run.ts";
import type { AttemptReports, LocalServer, LocalStream } from "./local-server.ts";
import { setStatus, type RunRecord } from "./run-record.ts";
import type { ReadyAttempt } from "./start-jobs.ts";

export interface AttemptsDeps {
  record: RunRecord;
  server: Pick<LocalServer, "expect">;
  /** How many run at the same time at most. */
  atOnce: number;
  leaseOf: (attemptId: string, ready: ReadyAttempt) => LeaseSpec;
  createJob: (spec: LeaseSpec) => RunningJob;
  /** Something is known that the decisions have to learn. */
  onFact: (fact: AttemptFact) => void;
}

export interface Attempts {
  begin(ready: ReadyAttempt): void;
  stop(stop: JobStop): JobStopped["result"];
  /** Ends it here, whatever its containers do; they are removed. */
  force(stop: JobStop): JobStopped["result"];
  /** Resolves when everything that attempts made is removed. */
  cleaned(): Promise<void>;
}

interface Entry {
  ready: ReadyAttempt;
  attempt: LocalAttempt;
  /** null until it has a place. */
  running: RunningJob | null;
}

export function createAttempts(deps: AttemptsDeps): Attempts {
  const { record, atOnce } = deps;
  const open: Entry[] = [];
  const cleaning = new Set<Promise<void>>();

  function begin(ready: ReadyAttempt): void {
    const { row, job } = ready;
    const steps = job.steps.map(({ position, name, parallel }, index) => ({
      ...newNode("step"),
      position,
      name: ready.stepNames[index] ?? name,
      parallel,
      exitCode: null,
    }));
    const own = { exitCode: null, warnings: [], queuedAtMs: Date.now(), steps };
    const attempt: LocalAttempt = { ...newNode("att"), status: "queued", attempt: ready.attempt, ...own };
    row.attempts.push(attempt);
    record.moveJob(row, "queue");
    open.push({ ready, attempt, running: null });
    fillPlaces();
  }

  function fillPlaces(): void {
    for (const entry of open) {
      if (open.filter(({ running }) => running !== null).length >= atOnce) return;
      if (entry.running === null) run(entry);
    }
  }

  function run(entry: Entry): void {
    const { ready, attempt } = entry;
    const spec = deps.leaseOf(attempt.id, ready);
    const streams = streamsOf(spec, ready, attempt);
    deps.server.expect(spec, streams, reportsOf(entry, streams));
    const job = deps.createJob(spec);
    entry.running = job;
    const ran = job.run().finally(() => cleaning.delete(ran));
    cleaning.add(ran);
  }

  function reportsOf(entry: Entry, streams: readonly LocalStream[]): AttemptReports {
    const { row } = entry.ready;
    const { attempt } = entry;
    const stepAt = (position: number) => attempt.steps.find((step) => step.position === position);
    return {
      started(timeMs) {
        if (isFinal(attempt.status)) return;
        Object.assign(attempt, { status: "running", startedAtMs: timeMs });
        record.moveJob(row, "start");
        row.startedAtMs ??= timeMs;
        record.settle();
        deps.onFact(factOf(entry, { kind: "started", status: "running" }));
      },
      stepStarted({ position, name, timeMs }) {
        const step = stepAt(position);
        // Its name was a template until now.
        for (const stream of streams) if (stream.step === position) stream.name = name;
        if (step) record.setStep(row, step, { status: "running", name, startedAtMs: timeMs });
      },
      stepEnded({ position, startedAtMs, finishedAtMs, ...end }) {
        const step = stepAt(position);
        if (step) record.setStep(row, step, { ...end, startedAtMs, finishedAtMs });
      },
      done: (result) => finish(entry, result),
    };
  }

  function finish(entry: Entry, result: JobResult): void {
    const { attempt } = entry;
    const { row } = entry.ready;
    leave(entry);
    if (isFinal(attempt.status)) return;
    for (const { position, ...end } of result.steps) {
      const step = attempt.steps.find((candidate) => candidate.position === position);
      if (step && !isFinal(step.status)) record.setStep(row, step, end);
    }
    const { status, reason, message, exitCode, warnings, outputs } = result;
    setStatus(attempt, { status, reason, message });
    Object.assign(attempt, { exitCode, warnings });
    row.outputs = outputs;
    deps.onFact(factOf(entry, { kind: "done", status, reason, exitCode }));
  }

  function leave(entry: Entry): void {
    const index = open.indexOf(entry);
    if (index >= 0) open.splice(index, 1);
    fillPlaces();
  }

  function end(entry: Entry, { status, reason }: JobStop): void {
    const why = { status, reason, message: reasonSentence(reason) };
    for (const step of entry.attempt.steps)
      if (!isFinal(step.status)) record.setStep(entry.ready.row, step, why);
    setStatus(entry.attempt, why);
    leave(entry);
  }

  const find = ({ jobId, attempt }: JobStop) =>
    open.find(({ ready }) => ready.row.id === jobId && ready.attempt === attempt);

  return {
    begin,
    stop(stop) {
      const entry = find(stop);
      if (!entry) return "over";
      if (entry.running === null) {
        end(entry, stop);
        return "ended";
      }
      if (stop.queuedOnly) return "left";
      const { status, reason, force } = stop;
      const message = reasonSentence(reason) ?? reason;
      entry.running.stop({ status, reason, message, graceMs, force });
      record.moveJob(entry.ready.row, "stop", { reason, message });
      return "stopping";
    },
    force(stop) {
      const entry = find(stop);
      if (!entry) return "over";
      entry.running?.revoke();
      end(entry, stop);
      return "ended";
    },
    async cleaned() {
      await Promise.allSettled(cleaning);
    },
  };
}

function factOf(
  { ready, attempt }: Entry,
  said: Pick<AttemptFact, "kind" | "status"> & Partial<Pick<AttemptFact, "reason" | "exitCode">>,
): AttemptFact {
  const begun = attempt.steps.some(({ startedAtMs }) => startedAtMs !== null);
  return {
    jobId: ready.row.id,
    attempt: ready.attempt,
    epoch: 1,
    reason: null,
    exitCode: null,
    begun,
    ...said,
  };
}

function streamsOf(spec: LeaseSpec, { row }: ReadyAttempt, attempt: LocalAttempt): LocalStream[] {
  return spec.streams.map(({ id, kind, step, service }) => ({
    id,
    kind,
    stage: row.stage,
    job: row.key,
    jobLabel: labelOf(row),
    jobId: row.id,
    attempt: attempt.attempt,
    step,
    name:
      (step === null ? service : attempt.steps.find(({ position }) => position === step)?.name) ?? "setup",
  }));
}
