/** Three stages of `true`, each with a checkout, trigger until the run is known to be finished. */
import { bareSequence } from "../baselines/bare-docker.ts";
import { ratioFigure, type Bench, type Scenario, type ScenarioResult } from "../scenario.ts";
import { median, nowMs } from "../statistics.ts";
import { attemptTimes, partsOf, type AttemptTimes } from "../trace.ts";
import { untilAtRest } from "../warm.ts";

const first = "request → first job queued";
const last = "last job done → the watcher knows the end";
const between = "job done → next job queued (each)";
const inJob: [string, (times: AttemptTimes) => number][] = [
  ["queued → leased (each)", (times) => times.leasedMs - times.queuedMs],
  ["leased → step starts (each)", (times) => times.stepMs - times.leasedMs],
  ["step (each)", (times) => times.stepEndedMs - times.stepMs],
  ["step over → job done (each)", (times) => times.doneMs - times.stepEndedMs],
];
const names = [first, ...inJob.map(([what]) => what), between, last];

interface Sample {
  totalMs: number;
  parts: Record<string, number>;
}

async function once({ client, repository, database }: Bench, pipeline: string): Promise<Sample> {
  const beganMs = nowMs();
  const run = await client.call<{ id: string }>("POST", `${repository.path}/pipelines`, { pipeline });
  const { status, atMs } = await client.watch(`${repository.path}/pipelines/${run.id}`, {}).ended;
  if (status !== "success") throw new Error(`${pipeline} ended as ${status}`);
  const jobs = await attemptTimes(database, run.id);
  const gaps = jobs.slice(1).map((job, i) => job.queuedMs - (jobs[i]?.doneMs ?? Number.NaN));
  const parts = {
    [first]: (jobs[0]?.queuedMs ?? Number.NaN) - beganMs,
    ...Object.fromEntries(inJob.map(([what, of]) => [what, median(jobs.map(of))])),
    [between]: median(gaps),
    [last]: atMs - (jobs.at(-1)?.doneMs ?? Number.NaN),
  };
  return { totalMs: atMs - beganMs, parts };
}

async function run(bench: Bench): Promise<ScenarioResult> {
  const bare: number[] = [];
  const warm: Sample[] = [];
  const cold: Sample[] = [];
  const { rounds, warmUps } = bench.size;
  // The first fills the pool, too.
  await once(bench, "three-warm");
  for (let round = 0; round < warmUps; round++) await once(bench, "three-cold");
  for (let round = 0; round < rounds; round++) {
    await untilAtRest(bench);
    bare.push(await bareSequence(bench.docker));
    warm.push(await once(bench, "three-warm"));
    await untilAtRest(bench);
    cold.push(await once(bench, "three-cold"));
  }
  const bareMs = median(bare);
  const of = (samples: Sample[]) => median(samples.map((sample) => sample.totalMs));
  const parts = (samples: Sample[]) =>
    partsOf(
      samples.map((sample) => sample.parts),
      names,
    );
  return {
    figures: [
      ratioFigure("warm", { ours: of(warm), theirs: bareMs, atMost: 0.5 }),
      ratioFigure("cold", { ours: of(cold), theirs: bareMs, atMost: 1.1 }),
    ],
    parts: [
      { title: "warm", parts: parts(warm) },
      { title: "cold", parts: parts(cold) },
    ],
  };
}

export const threeStagesScenario: Scenario = {
  number: 2,
  title: () =>
    "Three stages of `true` with checkout, trigger → finished, against three bare containers in sequence",
  run,
};
