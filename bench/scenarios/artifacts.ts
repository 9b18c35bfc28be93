/**
 * An artifact of many files brought by one job and fetched by the next, against `tar` and `cp` on the local disk. What a job without
 * artifacts takes at the same places is not counted.
 */
import { execFile } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { makeSmallFiles } from "../pipeline-files.ts";
import type { Bench, Scenario, ScenarioResult } from "../scenario.ts";
import { countOf } from "../size.ts";
import { median, nowMs } from "../statistics.ts";
import { attemptTimes, type AttemptTimes } from "../trace.ts";
import { speedFigure } from "./speed-figure.ts";

const program = promisify(execFile);

async function jobsOf({ client, repository, database }: Bench, pipeline: string): Promise<AttemptTimes[]> {
  const run = await client.call<{ id: string }>("POST", `${repository.path}/pipelines`, { pipeline });
  const { status } = await client.watch(`${repository.path}/pipelines/${run.id}`, {}).ended;
  if (status !== "success") throw new Error(`${pipeline} ended as ${status}`);
  return attemptTimes(database, run.id);
}

const beforeMs = (job?: AttemptTimes) => (job ? job.stepMs - job.leasedMs : Number.NaN);
const afterMs = (job?: AttemptTimes) => (job ? job.doneMs - job.stepEndedMs : Number.NaN);

/** Milliseconds for files like those of the job: into an archive that is copied, and out of a copy of it. */
async function tarTimes({ directory, size }: Bench): Promise<{ bringMs: number; fetchMs: number }> {
  const at = join(directory, "tar-of-artifact");
  await mkdir(join(at, "target"), { recursive: true });
  await program("sh", ["-c", makeSmallFiles(size)], { cwd: at });
  const timed = async (script: string) => {
    const beganMs = nowMs();
    await program("sh", ["-c", script], { cwd: at });
    return nowMs() - beganMs;
  };
  const bringMs = await timed("tar -cf one.tar dist && cp one.tar two.tar");
  const fetchMs = await timed("cp two.tar three.tar && tar -xf three.tar -C target");
  await rm(at, { recursive: true });
  return { bringMs, fetchMs };
}

async function run(bench: Bench): Promise<ScenarioResult> {
  const rounds = Math.min(bench.size.rounds, 3);
  const samples: { bringMs: number; fetchMs: number; bring: number; fetch: number }[] = [];
  for (let round = 0; round < rounds + bench.size.warmUps; round += 1) {
    const tar = await tarTimes(bench);
    const [plain] = await jobsOf(bench, "plain");
    const [bringing, fetching] = await jobsOf(bench, "artifact");
    if (round < bench.size.warmUps) continue;
    const bring = afterMs(bringing) - afterMs(plain);
    samples.push({ ...tar, bring, fetch: beforeMs(fetching) - beforeMs(plain) });
  }
  const of = (name: keyof (typeof samples)[number]) => median(samples.map((sample) => sample[name]));
  return {
    figures: [
      speedFigure("brought, against `tar -c` and `cp`", {
        ours: of("bring"),
        tar: of("bringMs"),
        atLeast: 0.5,
      }),
      speedFigure("fetched, against `cp` and `tar -x`", {
        ours: of("fetch"),
        tar: of("fetchMs"),
        atLeast: 0.5,
      }),
    ],
    parts: [],
  };
}

export const artifactsScenario: Scenario = {
  number: 27,
  title: ({ artifactFiles }) =>
    `An artifact of ${countOf(artifactFiles)} files of 100 KiB, brought and fetched`,
  run,
};
