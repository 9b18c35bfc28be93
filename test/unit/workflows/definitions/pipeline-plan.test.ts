/** Random graphs, results, losses of jobs and of shared workspaces, cancels and clocks against what must hold of every run. */
import { describe, expect, it } from "vitest";
import type { AttemptFact, RunGraph } from "@forgeline/schemas/pipelines/workflow.ts";
import { decide, type Decision } from "@forgeline/workflows/definitions/pipeline-plan.ts";
import {
  applyCancel,
  applyFact,
  applyForced,
  applyStarted,
  applyStopped,
  newRunState,
  takeEarly,
  type RunState,
} from "@forgeline/workflows/definitions/run-state.ts";
import { seeded } from "../../../support/log-frames.ts";
import {
  loseWorkspace,
  needsLost,
  randomWorkspace,
  type Workspace,
} from "../../../support/lost-workspace.ts";
import { size } from "../../../support/size.ts";

type Random = () => number;
const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

function randomGraph(random: Random): RunGraph {
  const stageNames = ["s0", "s1", "s2", "s3"].slice(0, 1 + Math.floor(random() * 4));
  const stages = stageNames.map((name, index) => ({
    id: name,
    name,
    needs: random() < 0.2 ? stageNames.slice(0, index).filter(() => random() < 0.5) : null,
    timeoutMs: random() < 0.1 ? 500 : null,
    afterOrder: random() < 0.1,
  }));
  const jobs: RunGraph["jobs"] = [];
  for (const stage of stageNames) {
    for (let n = 0; n < 1 + random() * 3; n += 1) {
      const key = `${stage}j${n}`;
      const earlier = [...new Set(jobs.map((job) => job.key))]
        .filter(() => random() < 0.4)
        .map((job) => ({ job, optional: random() < 0.3 }));
      const job: RunGraph["jobs"][number] = {
        id: key,
        key,
        stage,
        needs: random() < 0.5 ? earlier : null,
        retry: {
          max: Math.floor(random() * 3),
          on: ["any"],
          delayMs: pick(random, [0, 50]),
          factor: 2,
          maxDelayMs: 100,
        },
        rerunIfLost: random() < 0.8,
        allowFailure: random() < 0.2,
        timeoutMs: 400,
        queueTimeoutMs: 300,
        always: random() < 0.2,
        alwaysSteps: random() < 0.2,
        attempts: 0,
        kept:
          random() < 0.1
            ? { status: pick(random, ["success", "failed", "skipped"]), reason: null, allowed: false }
            : null,
      };
      jobs.push(...(random() < 0.3 ? withMatrix(random, job) : [job]));
    }
  }
  const limits = { graceMs: 20, marginMs: 20, alwaysMs: 100 };
  return { pipelineId: "p", timeoutMs: random() < 0.1 ? 600 : 100_000, limits, stages, jobs };
}

/** A matrix that is known, or one whose combinations are learned when the job can start. */
function withMatrix(random: Random, job: RunGraph["jobs"][number]): RunGraph["jobs"] {
  const own = { maxParallel: pick(random, [null, 1, 2]), failFast: random() < 0.5 };
  const isOpen = random() < 0.5;
  if (isOpen) return [{ ...job, kept: null, combination: { ...own, values: null, isOpen } }];
  return combinationsOf(random, job.id).map(({ jobId, values }) => ({
    ...job,
    id: jobId,
    combination: { ...own, values, isOpen },
  }));
}

function combinationsOf(random: Random, id: string) {
  const count = 1 + Math.floor(random() * 4);
  return Array.from({ length: count }, (_, index) => ({
    jobId: index === 0 ? id : `${id}-${index}`,
    values: { v: String(index) },
  }));
}

/** A job that has ended keeps its one outcome, whatever is lost afterwards. */
function expectEndsKept(state: RunState, ends: Map<string, string>): void {
  for (const [id, { phase, status }] of Object.entries(state.jobs)) {
    if (phase !== "final") continue;
    if (ends.has(id)) expect(status, `end of ${id}`).toBe(ends.get(id));
    ends.set(id, status);
  }
}

/** Plays server, runners and clock; gives what was started, in order. */
function play(random: Random) {
  const graph = randomGraph(random);
  const state = newRunState(graph, 0);
  const workspace = randomWorkspace(random, graph);
  const ends = new Map<string, string>();
  const world = {
    now: 0,
    rounds: 0,
    started: [] as { id: string; attempt: number }[],
    settled: new Map<string, string>(),
    workspace,
  };
  const held = new Map<string, number>();
  let cancelAt = random() < 0.3 ? Math.floor(random() * 300) : Number.POSITIVE_INFINITY;
  for (;;) {
    world.rounds += 1;
    if (world.rounds > 3_000) throw new Error("the run does not end");
    if (world.now >= cancelAt) {
      applyCancel(state, { reason: "user:ada", force: random() < 0.3 }, world.now);
      cancelAt = Number.POSITIVE_INFINITY;
    }
    const next = decide(state, world.now);
    expectEndsKept(state, ends);
    for (const job of next.settle) world.settled.set(job.jobId, job.status);
    if (next.finished) return { graph, state, ...world };
    if (carryOut(state, next, random, world, held)) continue;
    if (held.size > 0 && random() < 0.03) loseWorkspace(state, workspace, world.now, held);
    const told = tellFacts(state, random, world.now, held);
    if (!told && next.wakeAt === null && held.size === 0 && cancelAt === Number.POSITIVE_INFINITY) {
      throw new Error("nothing to wait for and not finished");
    }
    world.now += 5 + Math.floor(random() * 40);
  }
}

function carryOut(
  state: RunState,
  next: Decision,
  random: Random,
  world: { now: number; started: { id: string; attempt: number }[]; workspace: Workspace },
  held: Map<string, number>,
): boolean {
  if (next.stop.length > 0) {
    const answers = next.stop.map((stop) => {
      const running = held.has(stop.jobId) && state.jobs[stop.jobId]?.phase === "running";
      if (running || random() < 0.3)
        return { jobId: stop.jobId, result: stop.queuedOnly ? ("left" as const) : ("stopping" as const) };
      held.delete(stop.jobId);
      return { jobId: stop.jobId, result: "ended" as const };
    });
    applyStopped(state, { asked: next.stop, answers }, world.now);
  }
  if (next.force.length > 0) {
    applyForced(
      state,
      next.force,
      next.force.map((stop) => ({ jobId: stop.jobId, result: "ended" as const })),
    );
    for (const stop of next.force) held.delete(stop.jobId);
  }
  for (const start of next.start) {
    const graph = state.graph.jobs.find((job) => job.id === start.jobId);
    expectNeedsFinal(state, graph);
    const known = state.jobs[start.jobId];
    expect(known?.phase).toMatch(/pending|delayed/);
    const skip = !start.retry && start.blocked !== null && !graph?.always;
    if (start.expand && !skip && random() < 0.9) {
      const combinations = combinationsOf(random, start.jobId);
      applyStarted(
        state,
        [{ jobId: start.jobId, status: "expanded", reason: null, combinations }],
        world.now,
      );
      continue;
    }
    if (!skip && !start.expand && graph && needsLost(state.graph, world.workspace, graph.key)) {
      applyStarted(state, [{ jobId: start.jobId, status: "error", reason: "runner_lost" }], world.now);
      continue;
    }
    if (!skip && !start.expand) {
      if (graph) world.workspace.ran.add(graph.key);
      world.started.push({ id: start.jobId, attempt: start.attempt });
      // A worker died after it had started the attempt: what another one takes in first is its end.
      if (random() < 0.1) applyFact(state, success(start.jobId, start.attempt), world.now);
      else held.set(start.jobId, start.attempt);
    }
    const status = skip || start.expand ? ("skipped" as const) : ("queued" as const);
    applyStarted(state, [{ jobId: start.jobId, status, reason: start.blocked?.reason ?? null }], world.now);
    for (const fact of takeEarly(state)) applyFact(state, fact, world.now);
  }
  expectFewActive(state);
  return next.settle.length + next.stop.length + next.force.length + next.start.length > 0;
}

/** Of a matrix: all of its combinations. */
function expectNeedsFinal(state: RunState, graph: RunGraph["jobs"][number] | undefined): void {
  for (const need of graph?.needs ?? []) {
    const needed = state.graph.jobs.filter((job) => job.key === need.job);
    const open = needed.filter((job) => state.jobs[job.id]?.phase !== "final");
    expect(open, `${graph?.id} started before ${need.job}`).toEqual([]);
  }
}

function expectFewActive(state: RunState): void {
  for (const { key, combination } of state.graph.jobs) {
    if (!combination?.maxParallel) continue;
    const active = state.graph.jobs.filter(
      (job) => job.key === key && !/pending|final/.test(state.jobs[job.id]?.phase ?? ""),
    );
    expect(active.length, `${key} at the same time`).toBeLessThanOrEqual(combination.maxParallel);
  }
}

const success = (jobId: string, attempt: number): AttemptFact => ({
  kind: "done",
  jobId,
  attempt,
  epoch: 1,
  exitCode: 0,
  begun: true,
  status: "success",
  reason: null,
});

function tellFacts(state: RunState, random: Random, now: number, held: Map<string, number>): boolean {
  let told = false;
  for (const [jobId, attempt] of held) {
    if (random() < 0.4) continue;
    const base = { jobId, attempt, epoch: 1, exitCode: null, begun: random() < 0.5 };
    const kind = pick(random, ["started", "done", "done", "reclaimed"] as const);
    const failed = random() < 0.3;
    const fact: AttemptFact = {
      ...base,
      kind,
      status: kind === "started" ? "running" : kind === "reclaimed" ? "error" : failed ? "failed" : "success",
      reason: kind === "reclaimed" ? "runner_lost" : failed ? "exit:1" : null,
    };
    if (kind !== "started") held.delete(jobId);
    applyFact(state, fact, now);
    const before = JSON.stringify(state);
    if (kind !== "started" || state.jobs[jobId]?.phase === "running") applyFact(state, fact, now);
    expect(JSON.stringify(state), "the same fact twice").toBe(before);
    told = true;
  }
  return told;
}

describe("decide", () => {
  it("always ends, starts each attempt once, in order, and never before its needs", () => {
    for (let seed = 1; seed <= size(100, 400); seed += 1) {
      const run = play(seeded(seed));
      const attempts = run.started.map((start) => `${start.id}#${start.attempt}`);
      expect(new Set(attempts).size, `seed ${seed}`).toBe(attempts.length);
      for (const job of run.graph.jobs) {
        const made = run.started.filter((start) => start.id === job.id).map((start) => start.attempt);
        expect(made, `seed ${seed} ${job.id}`).toEqual(made.map((_, index) => index + 1));
        expect(made.length).toBeLessThanOrEqual(job.kept ? 0 : job.retry.max + 1);
        expect(run.state.jobs[job.id]?.phase).toBe("final");
      }
    }
  });

  it("never starts a job without needs while an earlier stage is open", () => {
    for (let seed = 1; seed <= size(50, 200); seed += 1) {
      const random = seeded(seed);
      const graph = randomGraph(random);
      for (const job of graph.jobs) Object.assign(job, { needs: null, kept: null });
      for (const stage of graph.stages) stage.needs = null;
      const state = newRunState(graph, 0);
      const first = graph.stages[0]?.name;
      const { start } = decide(state, 0);
      expect(new Set(start.map((one) => graph.jobs.find((job) => job.id === one.jobId)?.stage))).toEqual(
        new Set([first]),
      );
    }
  });
});
