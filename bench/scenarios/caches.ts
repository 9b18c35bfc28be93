/**
 * A cache saved and restored, against `tar` from and to the local disk. What a job without a cache takes at the same places is
 * not counted. A job ends before its cache is sent: how long others wait is a figure of its own, and restoring begins after that. What was
 * written before is on the disk when something is timed, so that a slow disk that is still busy with it slows neither.
 */
import { execFile } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { makeFiles } from "../pipeline-files.ts";
import type { Bench, Scenario, ScenarioResult } from "../scenario.ts";
import { median, nowMs } from "../statistics.ts";
import { attemptTimes } from "../trace.ts";
import { speedFigure } from "./speed-figure.ts";

const askAgainMs = 50;
const patienceMs = 10 * 60_000;
const program = promisify(execFile);

interface Sample {
  /** From the job's end until the cache is saved; 0 where it was before, or there is none. */
  sentMs: number;
  /** From the lease to the first step. */
  beforeMs: number;
  /** From the step's end to the job's. */
  afterMs: number;
}

async function once(
  { client, repository, database }: Bench,
  pipeline: string,
  round: number,
): Promise<Sample> {
  const inputs = pipeline === "plain" ? {} : { inputs: { round: String(round) } };
  const { id } = await client.call<{ id: string }>("POST", `${repository.path}/pipelines`, {
    pipeline,
    ...inputs,
  });
  const { status } = await client.watch(`${repository.path}/pipelines/${id}`, {}).ended;
  if (status !== "success") throw new Error(`${pipeline} ended as ${status}`);
  const [job] = await attemptTimes(database, id);
  if (!job) throw new Error("the run has no job");
  const savedMs = pipeline === "save" ? await savedAtMs(database, id) : job.doneMs;
  return {
    sentMs: Math.max(0, savedMs - job.doneMs),
    beforeMs: job.stepMs - job.leasedMs,
    afterMs: job.doneMs - job.stepEndedMs,
  };
}

async function savedAtMs(database: Bench["database"], pipelineId: string): Promise<number> {
  const sinceMs = nowMs();
  for (;;) {
    const { rows } = await database.query<{ ms: number }>(
      `select extract(epoch from c.saved_at)::float8 * 1000 as ms
       from caches c join cache_uses u on u.saved_id = c.id where u.pipeline_id = $1`,
      [pipelineId],
    );
    if (rows[0]) return rows[0].ms;
    if (nowMs() - sinceMs > patienceMs) throw new Error("the cache was not saved");
    await delay(askAgainMs);
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const beganMs = nowMs();
  await work();
  return nowMs() - beganMs;
}

/** Milliseconds of `tar` for files like those of the job. */
async function tarTimes({ directory, size }: Bench): Promise<{ packMs: number; unpackMs: number }> {
  const [source, target] = [join(directory, "tar-source"), join(directory, "tar-target")];
  const archive = join(directory, "deps.tar");
  await Promise.all([mkdir(source), mkdir(target)]);
  await program("sh", ["-c", makeFiles(size)], { cwd: source });
  const packMs = await timed(() => program("tar", ["-cf", archive, "-C", source, "deps"]));
  const unpackMs = await timed(() => program("tar", ["-xf", archive, "-C", target]));
  await Promise.all([source, target, archive].map((path) => rm(path, { recursive: true })));
  return { packMs, unpackMs };
}

async function run(bench: Bench): Promise<ScenarioResult> {
  const rounds = Math.min(bench.size.rounds, 3);
  const samples: { pack: number; unpack: number; save: number; sent: number; restore: number }[] = [];
  for (let round = 0; round < rounds + bench.size.warmUps; round += 1) {
    const tar = await tarTimes(bench);
    const plain = await once(bench, "plain", round);
    const saved = await once(bench, "save", round);
    await program("sync");
    const restored = await once(bench, "restore", round);
    await program("sync");
    if (round < bench.size.warmUps) continue;
    const save = saved.afterMs - plain.afterMs;
    const restore = restored.beforeMs - plain.beforeMs;
    samples.push({ pack: tar.packMs, unpack: tar.unpackMs, save, sent: saved.sentMs, restore });
  }
  const of = (name: keyof (typeof samples)[number]) => median(samples.map((sample) => sample[name]));
  return {
    figures: [
      speedFigure("saved, against `tar -c` to the local disk", {
        ours: of("save"),
        tar: of("pack"),
        atLeast: 0.6,
      }),
      speedFigure("restored, against `tar -x` from it", {
        ours: of("restore"),
        tar: of("unpack"),
        atLeast: 0.7,
      }),
      { what: "job done → others can restore it", value: `${of("sent").toFixed(0)} ms` },
    ],
    parts: [],
  };
}

export const cachesScenario: Scenario = {
  number: 26,
  title: ({ cachedFiles }) =>
    `A cache of ${cachedFiles} files of 1 MiB that do not compress, saved and restored`,
  run,
};
