/** The trace of one sequence of a run: run, stages, attempts of jobs, steps. Pure. */
import type { RunAttempt, RunJob, RunStage } from "@forgeline/schemas/pipelines/resource.ts";
import { spanIdOf, traceIdOf, type RunSnapshot, type TracedRun } from "../../pipelines/domain.ts";
import { linksToOrigin, linksToStarted, linkToDelivery } from "./links.ts";
import type { Attributes, Span } from "./span.ts";
import type { DeliveryRow } from "./traces.store.ts";

export interface TraceMaterial extends TracedRun {
  /** As it was when this sequence ended. */
  snapshot: RunSnapshot;
  deliveries: readonly DeliveryRow[];
}

/** The words of OpenTelemetry's conventions for CI/CD. */
const results: Readonly<Record<string, string>> = {
  success: "success",
  failed: "failure",
  error: "error",
  cancelled: "cancellation",
  skipped: "skip",
};

interface Told {
  status: string;
  reason: string | null;
  message: string | null;
}

const outcomeOf = ({ status, message, reason }: Told) => ({
  ok: status === "success" ? true : status === "failed" || status === "error" ? false : null,
  message: message ?? reason ?? "",
});
const reasonOf = ({ reason }: Told): Attributes => (reason === null ? {} : { "forgeline.reason": reason });
const ms = (time: string) => new Date(time).getTime();

/** The spans, the root first. */
export function buildSpans(material: TraceMaterial): Span[] {
  const { run, snapshot } = material;
  const traceId = traceIdOf(snapshot.id, snapshot.sequence);
  const rootId = spanIdOf(snapshot.id, snapshot.sequence);
  const stages = run.stages.flatMap((stage) => stageSpans(stage, { traceId, rootId, material }));
  const firstMs = Math.min(...stages.map(({ startMs }) => startMs));
  return [rootSpan(material, { traceId, rootId, firstMs }), ...stages];
}

function rootSpan(
  material: TraceMaterial,
  { traceId, rootId, firstMs }: { traceId: string; rootId: string; firstMs: number },
): Span {
  const { run, snapshot, deliveries } = material;
  // A job has started when its runner says, and the run when we heard of it, which is later.
  const startMs = Math.min(ms(snapshot.started_at ?? snapshot.created_at), firstMs);
  return {
    name: snapshot.name || snapshot.file,
    traceId,
    spanId: rootId,
    parentId: null,
    startMs,
    endMs: Math.max(startMs, ms(snapshot.finished_at ?? snapshot.updated_at)),
    ...outcomeOf(snapshot),
    attributes: {
      "cicd.pipeline.name": snapshot.name || snapshot.file,
      "cicd.pipeline.run.id": snapshot.id,
      "cicd.pipeline.run.url.full": run.web_url,
      "cicd.pipeline.result": results[snapshot.status] ?? snapshot.status,
      "vcs.repository.url.full": run.web_url.replace(/\/pipelines\/\d+$/, ""),
      "vcs.ref.head.name": snapshot.ref.replace(/^refs\/(heads|tags)\//, ""),
      "vcs.ref.head.type": snapshot.ref.startsWith("refs/tags/") ? "tag" : "branch",
      "vcs.ref.head.revision": snapshot.sha,
      "forgeline.repository.id": snapshot.repository_id,
      "forgeline.run.number": snapshot.number,
      "forgeline.run.sequence": snapshot.sequence,
      "forgeline.run.file": snapshot.file,
      "forgeline.trigger": snapshot.source,
      "forgeline.triggered_by": run.triggered_by.username,
      ...(snapshot.schedule_id === null ? {} : { "forgeline.schedule.id": snapshot.schedule_id }),
      ...reasonOf(snapshot),
    },
    links: [...linksToOrigin(snapshot, material), ...deliveries.map(linkToDelivery)],
  };
}

interface Place {
  traceId: string;
  rootId: string;
  material: TraceMaterial;
}

function stageSpans(stage: RunStage, { traceId, rootId, material }: Place): Span[] {
  const { snapshot } = material;
  const stageId = spanIdOf(stage.id, snapshot.sequence);
  const inside = stage.jobs.flatMap((job) =>
    job.attempts
      .filter((attempt) => belongsTo(attempt, material))
      .flatMap((attempt) => attemptSpans({ job, attempt }, { traceId, stageId, material })),
  );
  if (inside.length === 0) return [];
  // Of a stage that was run again since, only its times then are known.
  const isLast = material.run.sequence === snapshot.sequence;
  return [
    {
      name: stage.title ?? stage.name,
      traceId,
      spanId: stageId,
      parentId: rootId,
      startMs: Math.min(...inside.map(({ startMs }) => startMs)),
      endMs: Math.max(...inside.map(({ endMs }) => endMs)),
      ...(isLast ? outcomeOf(stage) : { ok: null, message: "" }),
      attributes: { "forgeline.node": "stage", "forgeline.stage": stage.name },
      links: [],
    },
    ...inside,
  ];
}

/** Whether it was made in this sequence, and has run. */
function belongsTo(attempt: RunAttempt, { snapshot, reopenings }: TraceMaterial): boolean {
  if (attempt.started_at === null || attempt.finished_at === null) return false;
  const from = reopenings[snapshot.sequence - 2]?.getTime() ?? 0;
  const until = reopenings[snapshot.sequence - 1]?.getTime() ?? Infinity;
  const at = ms(attempt.queued_at);
  return at >= from && at < until;
}

function attemptSpans(
  { job, attempt }: { job: RunJob; attempt: RunAttempt },
  { traceId, stageId, material }: Omit<Place, "rootId"> & { stageId: string },
): Span[] {
  const spanId = spanIdOf(attempt.id);
  const startMs = ms(attempt.started_at ?? attempt.queued_at);
  const { runner } = attempt;
  const span: Span = {
    name: job.name,
    traceId,
    spanId,
    parentId: stageId,
    startMs,
    endMs: Math.max(startMs, ms(attempt.finished_at ?? attempt.queued_at)),
    ...outcomeOf(attempt),
    attributes: {
      "forgeline.node": "job",
      "cicd.pipeline.task.name": job.key,
      "cicd.pipeline.task.run.id": attempt.id,
      "cicd.pipeline.task.run.result": results[attempt.status] ?? attempt.status,
      "forgeline.job.id": job.id,
      "forgeline.job.attempt": attempt.attempt,
      "forgeline.job.queue_ms": startMs - ms(attempt.queued_at),
      ...(runner === null ? {} : { "cicd.worker.id": runner.id, "cicd.worker.name": runner.name }),
      ...Object.fromEntries(
        Object.entries(job.matrix ?? {}).map(([name, value]) => [`forgeline.matrix.${name}`, value]),
      ),
      ...reasonOf(attempt),
    },
    links: linksToStarted(attempt.id, material),
  };
  return [span, ...attempt.steps.flatMap((step) => stepSpans(step, { traceId, spanId }))];
}

function stepSpans(
  step: RunAttempt["steps"][number],
  { traceId, spanId }: { traceId: string; spanId: string },
): Span[] {
  const { started_at: started, finished_at: finished } = step;
  if (started === null || finished === null) return [];
  return [
    {
      name: step.name,
      traceId,
      spanId: spanIdOf(step.id),
      parentId: spanId,
      startMs: ms(started),
      endMs: Math.max(ms(started), ms(finished)),
      ...outcomeOf(step),
      attributes: {
        "forgeline.node": "step",
        "forgeline.step.id": step.id,
        "forgeline.step.position": step.position,
        ...(step.exit_code === null ? {} : { "process.exit.code": step.exit_code }),
        ...reasonOf(step),
      },
      links: [],
    },
  ];
}
