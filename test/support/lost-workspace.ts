/** Plays a shared workspace that is lost with its runner, for tests of the decisions of a workflow. */
import type { RunGraph } from "@forgeline/schemas/pipelines/workflow.ts";
import { applyFact, type RunState } from "@forgeline/workflows/definitions/run-state.ts";

export interface Workspace {
  /** The jobs that share it: those of one stage. */
  jobs: ReadonlySet<string>;
  /** Keys of jobs that have begun in it, and of those that had when it was lost. */
  ran: Set<string>;
  lost: Set<string>;
}

/** Of a stage with `placement: together`; the workflow knows nothing of it and hears of its loss only by facts and answers. */
export function randomWorkspace(random: () => number, { stages, jobs }: RunGraph): Workspace {
  const stage = random() < 0.5 ? stages[Math.floor(random() * stages.length)]?.name : null;
  const shared = jobs.filter((job) => job.stage === stage).map(({ key }) => key);
  return { jobs: new Set(shared), ran: new Set(), lost: new Set() };
}

/** Whether the job needs, directly or not, what is gone with the workspace. */
export function needsLost(graph: RunGraph, { jobs, lost }: Workspace, key: string): boolean {
  const own = graph.jobs.find((job) => job.key === key);
  return (
    jobs.has(key) &&
    (own?.needs ?? []).some(({ job }) => lost.has(job) || needsLost(graph, { jobs, lost, ran: lost }, job))
  );
}

/** All jobs that are at it, or wait for its runner, end at once. */
export function loseWorkspace(
  state: RunState,
  workspace: Workspace,
  now: number,
  held: Map<string, number>,
): void {
  for (const [jobId, attempt] of held) {
    const { key } = state.graph.jobs.find((job) => job.id === jobId) ?? { key: "" };
    if (!workspace.jobs.has(key)) continue;
    const begun = state.jobs[jobId]?.phase === "running";
    const end = { epoch: 1, exitCode: null, status: "error", reason: "runner_lost" } as const;
    held.delete(jobId);
    applyFact(state, { kind: "reclaimed", jobId, attempt, begun, ...end }, now);
  }
  for (const key of workspace.ran) workspace.lost.add(key);
}
