/** A run as REST shows it, reduced to what an expectation names, so that one `toEqual` compares them. */
import type { z } from "zod";
import type { PipelineEventRecord, Pipeline, RunJob } from "@forgeline/schemas/pipelines/resource.ts";
import type { JobExpectation, RunExpectation } from "./scenario.ts";

type Run = z.infer<typeof Pipeline>;
type WantedJob = z.infer<typeof JobExpectation>;

/** One line of `GET …/logs` as ndjson. */
export interface LogLine {
  job_id: string;
  attempt: number;
  step: string;
  text: string;
}

export interface Found {
  run: Run;
  lines: readonly LogLine[];
  events: readonly PipelineEventRecord[];
}

/** `failed exit:1` */
export function describeOutcome(node: { status: string; reason: string | null }): string {
  return node.reason === null ? node.status : `${node.status} ${node.reason}`;
}

/** `{ wanted, found }` in the same shape; what a pattern matches is shown as the pattern. */
export function compareRun(
  wanted: RunExpectation,
  { run, lines, events }: Found,
  values: Record<string, string>,
) {
  const fill = (value: unknown): unknown => filled(value, values);
  const jobs = run.stages.flatMap((stage) => stage.jobs);
  const found: Record<string, unknown> = {
    ...run,
    is: describeOutcome(run),
    error: run.error?.diagnostics.map((diagnostic) => diagnostic.code) ?? null,
    stages: Object.fromEntries(run.stages.map((stage) => [stage.name, describeOutcome(stage)])),
    stage_warnings: Object.fromEntries(run.stages.map((stage) => [stage.name, stage.warnings])),
    jobs: Object.fromEntries(
      Object.entries(wanted.jobs ?? {}).map(([key, want]) => {
        // Combinations of a matrix have one key, and names of their own.
        const job = jobs.find((candidate) => candidate.name === key || candidate.key === key);
        if (!job) return [key, "absent"];
        return [key, typeof want === "string" ? describeOutcome(job) : reduceJob(want, job, lines)];
      }),
    ),
    after: Object.fromEntries(
      Object.entries(wanted.after ?? {}).map(([key, before]) => [key, startedAfter(jobs, key, before)]),
    ),
    history: Object.fromEntries(
      Object.keys(wanted.history ?? {}).map((key) => [key, historyOf(events, jobs, key)]),
    ),
  };
  const filledWanted = fill(wanted) as Record<string, unknown>;
  const reduced = Object.fromEntries(Object.keys(wanted).map((key) => [key, found[key]]));
  return { wanted: filledWanted, found: patterned(filledWanted, reduced) };
}

function reduceJob(want: WantedJob, job: RunJob, lines: readonly LogLine[]): Record<string, unknown> {
  const newest = job.attempts.at(-1);
  const own = lines.filter((line) => line.job_id === job.id && line.attempt === newest?.attempt);
  const stream = (name: string) => own.filter((line) => line.step === name).map((line) => line.text);
  const found: Record<string, unknown> = {
    ...job,
    is: describeOutcome(job),
    unreachable: newest?.unreachable,
    attempts: job.attempts.map(describeOutcome),
    steps: newest?.steps.map(describeOutcome) ?? [],
    parallel: newest?.steps.map((step) => step.parallel) ?? [],
    step_messages: newest?.steps.map((step) => step.message) ?? [],
    warnings: newest?.warnings,
    log: Object.fromEntries(Object.keys(want.log ?? {}).map((name) => [name, stream(name)])),
    log_has: Object.fromEntries(
      Object.entries(want.log_has ?? {}).map(([name, text]) => {
        const texts = stream(name);
        return [name, texts.find((line) => matches(text, line)) === undefined ? texts.join("\n") : text];
      }),
    ),
  };
  return Object.fromEntries(Object.keys(want).map((key) => [key, found[key]]));
}

/** Those of `before` that were over when the job's first attempt was queued. */
function startedAfter(jobs: readonly RunJob[], key: string, before: readonly string[]): string[] {
  const queuedAt = jobs.find((job) => job.key === key)?.attempts[0]?.queued_at ?? "";
  return before.filter((other) => {
    const finishedAt = jobs.find((job) => job.key === other)?.finished_at;
    return finishedAt !== null && finishedAt !== undefined && finishedAt <= queuedAt;
  });
}

function historyOf(events: readonly PipelineEventRecord[], jobs: readonly RunJob[], key: string): string[] {
  const id = jobs.find((job) => job.key === key)?.id;
  return events.filter((event) => event.node_id === id).map((event) => event.new_status);
}

function filled(value: unknown, values: Record<string, string>): unknown {
  if (typeof value === "string")
    return value.replace(/<([a-z_]+)>/g, (all, name: string) => values[name] ?? all);
  if (Array.isArray(value)) return value.map((item) => filled(item, values));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, values)]));
}

export function matches(pattern: string, text: string): boolean {
  const isPattern = pattern.length > 2 && pattern.startsWith("/") && pattern.endsWith("/");
  return isPattern ? new RegExp(pattern.slice(1, -1), "s").test(text) : pattern === text;
}

/** Where the wanted value is a pattern that the found one matches, the pattern is put in its place. */
function patterned(wanted: unknown, found: unknown): unknown {
  if (typeof wanted === "string") return typeof found === "string" && matches(wanted, found) ? wanted : found;
  if (Array.isArray(wanted) && Array.isArray(found))
    return found.map((item, i) => patterned((wanted as unknown[])[i], item));
  if (!isRecord(wanted) || !isRecord(found)) return found;
  return Object.fromEntries(Object.entries(found).map(([key, item]) => [key, patterned(wanted[key], item)]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
