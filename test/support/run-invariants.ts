/** What holds for every finished run, whatever its file says: reasons, aggregates, times, history. */
import { expect } from "vitest";
import type { z } from "zod";
import type { PipelineEventRecord, Pipeline } from "@forgeline/schemas/pipelines/resource.ts";
import { finalStatuses } from "@forgeline/schemas/pipelines/status.ts";

type Run = z.infer<typeof Pipeline>;
interface Node {
  id: string;
  status: string;
  reason: string | null;
  message: string | null;
  started_at: string | null;
  finished_at: string | null;
  duration: number | null;
}

function nodesOf(run: Run): Node[] {
  return [
    run,
    ...run.stages.flatMap((stage) => [
      stage,
      ...stage.jobs.flatMap((job) => [
        job,
        ...job.attempts.flatMap((attempt) => [attempt, ...attempt.steps]),
      ]),
    ]),
  ];
}

export function expectInvariants(run: Run, events: readonly PipelineEventRecord[]): void {
  for (const node of nodesOf(run)) {
    expect(finalStatuses, node.id).toContain(node.status);
    if (node.status === "success") expect(node.reason, `reason of ${node.id}`).toBeNull();
    else expect(node.reason && node.message, `reason and sentence of ${node.id}`).toBeTruthy();
    expectTimes(node);
  }
  for (const stage of run.stages) {
    const worst = ["error", "failed", "cancelled", "success", "skipped"].find((status) =>
      stage.jobs.some((job) => (job.allowed_failure ? "success" : job.status) === status),
    );
    if (stage.jobs.length > 0) expect(stage.status, `aggregate of ${stage.name}`).toBe(worst);
  }
  if (run.stages.length > 0) {
    expect(run.warnings).toBe(run.stages.reduce((sum, stage) => sum + stage.warnings, 0));
  }
  expectHistory(run, events);
}

function expectTimes({ id, started_at, finished_at, duration }: Node): void {
  if (started_at === null) return expect(duration, `duration of ${id}`).toBeNull();
  expect(finished_at, `end of ${id}`).not.toBeNull();
  const ms = Date.parse(finished_at ?? "") - Date.parse(started_at);
  expect(ms, `span of ${id}`).toBeGreaterThanOrEqual(0);
  expect(duration, `duration of ${id}`).toBe(Math.floor(ms / 1000));
}

/** Each node's rows follow from one another, begin at its birth and end at what the record shows. */
function expectHistory(run: Run, events: readonly PipelineEventRecord[]): void {
  expect(events[0]).toMatchObject({ node: "pipeline", node_id: run.id, old_status: null });
  const ids = events.map((event) => event.id);
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
  const last = new Map<string, string>();
  for (const event of events) {
    const before = last.get(event.node_id);
    if (before !== undefined) expect(event.old_status, `history of ${event.node_id}`).toBe(before);
    last.set(event.node_id, event.new_status);
  }
  for (const node of nodesOf(run)) {
    if (node.id.startsWith("step_") && !last.has(node.id)) continue;
    expect(last.get(node.id), `last transition of ${node.id}`).toBe(node.status);
  }
}
