/** What holds for the traces of runs that have ended, read from a collector: one tree each, as REST shows the run, with links to what is there. */
import { expect } from "vitest";
import type { z } from "zod";
import type { Pipeline } from "@forgeline/schemas/pipelines/resource.ts";
import { spanIdOf, traceIdOf } from "@forgeline/server/domains/pipelines/runs/trace-ids.ts";
import type { CollectedSpan } from "./collector.ts";

export type TracedRun = z.infer<typeof Pipeline>;

/** Traces by their id, each span once: what was sent again is the same. */
export function tracesOf(spans: readonly CollectedSpan[]): Map<string, CollectedSpan[]> {
  const traces = new Map<string, CollectedSpan[]>();
  for (const span of spans) {
    const trace = traces.get(span.traceId) ?? [];
    traces.set(span.traceId, trace);
    const known = trace.find(({ spanId }) => spanId === span.spanId);
    if (known) expect(span).toEqual(known);
    else trace.push(span);
  }
  return traces;
}

export const attributesOf = (of: Pick<CollectedSpan, "attributes">): Record<string, string | undefined> =>
  Object.fromEntries(of.attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

/** Of all runs that have ended: no trace is missing, and none is of anything else. */
export function expectTraces(traces: Map<string, CollectedSpan[]>, runs: readonly TracedRun[]): void {
  const sequences = runs.flatMap((run) =>
    Array.from({ length: run.sequence }, (_, i) => traceIdOf(run.id, i + 1)),
  );
  expect([...traces.keys()].toSorted()).toEqual(sequences.toSorted());
  for (const run of runs) {
    // Only of a run that was not run again does REST show when each stage ended.
    if (run.sequence === 1) expectTrace(traces.get(traceIdOf(run.id, 1)) ?? [], run);
    for (let sequence = 1; sequence <= run.sequence; sequence += 1)
      expectTree(traces.get(traceIdOf(run.id, sequence)) ?? [], spanIdOf(run.id, sequence));
  }
  expectLinks(traces);
}

/** The kind of node of which each kind is part. */
const above: Record<string, string | undefined> = { stage: "run", job: "stage", step: "job" };
const kindOf = (span: CollectedSpan) => attributesOf(span)["forgeline.node"] ?? "run";

function expectTree(spans: readonly CollectedSpan[], rootId: string): void {
  expect(spans.filter(({ parentSpanId }) => !parentSpanId).map(({ spanId }) => spanId)).toEqual([rootId]);
  for (const span of spans.filter(({ parentSpanId }) => parentSpanId)) {
    const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
    expect(parent && kindOf(parent), `parent of ${span.name}`).toBe(above[kindOf(span)]);
    expect(outside(span, parent), `time of ${span.name} (${rootId})`).toEqual([]);
  }
}

/** Milliseconds by which it begins before its parent, or ends after that or before it began. */
function outside(span: CollectedSpan, parent: CollectedSpan | undefined): number[] {
  const [from, until] = timesOf(span);
  const [first, last] = timesOf(parent ?? span);
  return [first - from, until - last, from - until].filter((ms) => ms > 0);
}
const timesOf = (span: CollectedSpan) =>
  [Number(span.startTimeUnixNano) / 1e6, Number(span.endTimeUnixNano) / 1e6] as const;

interface Node {
  id: string;
  status: string;
  started_at: string | null;
  finished_at: string | null;
}
const nanos = (time: string | null) => `${Date.parse(time ?? "")}000000`;
const codes: Record<string, number | undefined> = { success: 1, failed: 2, error: 2 };

const shown = (name: string, spanId: string, parent: string, { status, started_at, finished_at }: Node) => ({
  name,
  spanId,
  parent,
  code: codes[status],
  times: [nanos(started_at), nanos(finished_at)],
});

/** Each node that ran is a span with the name, parent, status and times that REST shows. */
function expectTrace(spans: readonly CollectedSpan[], run: TracedRun): void {
  const rootId = spanIdOf(run.id, 1);
  const stages = run.stages.flatMap((stage) => stageOf(stage, rootId));
  const root = shown(run.name || run.pipeline, rootId, "", {
    ...run,
    started_at: run.started_at ?? run.created_at,
  });
  // A job may have started on its runner before we heard of it.
  const [start = ""] = [
    ...root.times.slice(0, 1),
    ...stages.map(({ times: [first = ""] }) => first),
  ].toSorted();
  const wanted = [{ ...root, times: [start, root.times[1]] }, ...stages];
  const found = spans.map((span) => ({
    name: span.name,
    spanId: span.spanId,
    parent: span.parentSpanId ?? "",
    code: span.status?.code,
    times: [span.startTimeUnixNano, span.endTimeUnixNano],
  }));
  expect(found.toSorted(bySpan), run.web_url).toEqual(wanted.toSorted(bySpan));
}

const bySpan = (a: { spanId: string }, b: { spanId: string }) => (a.spanId < b.spanId ? -1 : 1);
const hasRun = ({ started_at, finished_at }: Node) => started_at !== null && finished_at !== null;

function stageOf(stage: TracedRun["stages"][number], rootId: string) {
  const stageId = spanIdOf(stage.id, 1);
  const attempts = stage.jobs.flatMap((job) => job.attempts.filter(hasRun).map((one) => ({ job, one })));
  if (attempts.length === 0) return [];
  const inside = attempts.flatMap(({ job, one }) => [
    shown(job.name, spanIdOf(one.id), stageId, one),
    ...one.steps.filter(hasRun).map((step) => shown(step.name, spanIdOf(step.id), spanIdOf(one.id), step)),
  ]);
  const times = attempts.map(({ one }) => [
    Date.parse(one.started_at ?? ""),
    Date.parse(one.finished_at ?? ""),
  ]);
  const from = Math.min(...times.map(([start = 0]) => start));
  const until = Math.max(...times.map(([, end = 0]) => end));
  const own = shown(stage.title ?? stage.name, stageId, rootId, stage);
  return [{ ...own, times: [`${from}000000`, `${until}000000`] }, ...inside];
}

const back: Record<string, string | undefined> = { started_by: "started", started: "started_by" };

/** What a span links to is there, and where a job has started a run, that links back. */
function expectLinks(traces: Map<string, CollectedSpan[]>): void {
  for (const span of [...traces.values()].flat())
    for (const link of span.links ?? []) {
      const kind = attributesOf(link)["forgeline.link"] ?? "";
      if (kind === "webhook_delivery") continue;
      const other = traces.get(link.traceId)?.find(({ spanId }) => spanId === link.spanId);
      expect(other, `${kind} of ${span.name}`).toBeDefined();
      if (back[kind] === undefined) continue;
      const answer = other?.links?.find(({ spanId }) => spanId === span.spanId);
      expect(answer && attributesOf(answer)["forgeline.link"], `${kind} of ${span.name}`).toBe(back[kind]);
    }
}
