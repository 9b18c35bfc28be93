/** R4 and R5: server and runner die at each of their named points in turn; a result counts once, a step starts once. */
import type { CrashPoint as RunnerPoint } from "@forgeline/runner/crash-point.ts";
import type { CrashPoint as ServerPoint } from "@forgeline/server/platform/crash-point.ts";
import { eventually } from "../../support/eventually.ts";
import { openFaultBed, type FaultBed } from "../../support/fault-bed.ts";
import { runnerIsOnline } from "../../support/instance.ts";
import type { LinesFile } from "../../support/lines-pipeline.ts";
import { judgedRound } from "../judged-round.ts";
import type { Scenario } from "../scenario.ts";

const serverPoints: readonly ServerPoint[] = [
  "outbox.delivered-before-removed",
  "offer.stored-before-sent",
  "lease.stored-before-sent",
  "log.stored-before-ack",
  "log.ended-before-ack",
  "done.recorded-before-ack",
];
const runnerPoints: readonly RunnerPoint[] = [
  "lease.saved-before-ack",
  "job-container.created-before-started",
  "step-container.created-before-started",
  "step.recorded-before-started",
  "step.started-before-reported",
  "step.exited-before-reported",
  "artifact.uploaded-before-result",
  "cache.handed-over-before-sent",
  "result.saved-before-sent",
  "result.taken-before-forgotten",
];

/** Names the point to a fresh process, starts a run, waits for the death, and starts the process again. */
async function dieAt(bed: FaultBed, who: "server" | "runner", point: string) {
  const program = who === "server" ? bed.instance.servers[0]!.program : bed.runner().program;
  await program.kill();
  const env = { FORGELINE_CRASH_AT: point };
  if (who === "server") await bed.startServer(env);
  else program.start(env);
  if (who === "server") await runnerIsOnline(bed.instance.api, bed.runner().name);
  const files: Record<string, LinesFile> = {
    "step-container": "own-image",
    artifact: "leaving",
    cache: "caching",
  };
  const file = files[point.split(".")[0] ?? ""] ?? "single";
  const wanted = { file, count: 1000, perPause: 200 };
  await bed.repository.begin(wanted).catch(() => undefined);
  const died = await eventually(() => !program.isRunning(), { timeoutMs: 30_000 }).catch(() => false);
  if (!died) await program.kill();
  if (who === "server") await bed.startServer();
  else program.start();
  const judgement = await bed.judge(await bed.repository.newest(wanted));
  return judgedRound(judgement, {
    what: `${who} dies at ${point}`,
    missed: died ? null : "it did not die there",
  });
}

function scenario(row: string, name: string, promise: string, who: "server" | "runner"): Scenario {
  const points: readonly string[] = who === "server" ? serverPoints : runnerPoints;
  return {
    row,
    name,
    promise,
    async open() {
      const bed = await openFaultBed({
        env: { FORGELINE_HEARTBEAT_MS: "1000", FORGELINE_OFFER_MS: "2000", FORGELINE_RUNNER_POOL: "0" },
      });
      let next = 0;
      return {
        round: () => dieAt(bed, who, points[next++ % points.length]!),
        close: () => bed.close(),
      };
    },
  };
}

export const serverPointsScenario = scenario(
  "R4",
  "server-crash-points",
  "The server dies between storing and answering: each attempt ends exactly once, with its whole log",
  "server",
);
export const runnerPointsScenario = scenario(
  "R5",
  "runner-crash-points",
  "The runner dies at any point of a job: a step is started once an attempt",
  "runner",
);
