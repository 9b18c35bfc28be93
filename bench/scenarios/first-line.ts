/** Trigger by REST until the first log line of the first user step is at a watcher, checkout included. */
import { bareFirstByte } from "../baselines/bare-docker.ts";
import { ratioFigure, type Bench, type Scenario, type ScenarioResult } from "../scenario.ts";
import { median, nowMs } from "../statistics.ts";
import { attemptTimes, partsOf } from "../trace.ts";
import { untilAtRest } from "../warm.ts";

const moments = [
  "request → run recorded",
  "→ job queued (relay, Temporal, decision)",
  "→ leased (claim, offer, accept)",
  "→ runner begins",
  "→ step starts (environment, checkout)",
  "→ line read from its file",
  "→ at the watcher (stored before)",
];

interface Sample {
  totalMs: number;
  parts: Record<string, number>;
}

export async function firstLine(bench: Bench, pipeline: string): Promise<Sample> {
  const { client, repository, database } = bench;
  const beganMs = nowMs();
  const run = await client.call<{ id: string }>("POST", `${repository.path}/pipelines`, { pipeline });
  const seen = await firstStepLine(bench, `${repository.path}/pipelines/${run.id}`);
  const [times] = await attemptTimes(database, run.id);
  if (!times) throw new Error("the run has no attempt");
  const marks = [
    beganMs,
    times.recordedMs,
    times.queuedMs,
    times.leasedMs,
    times.begunMs,
    times.stepMs,
    seen.readMs,
    seen.atMs,
  ];
  const parts = Object.fromEntries(
    moments.map((what, i) => [what, (marks[i + 1] ?? Number.NaN) - (marks[i] ?? Number.NaN)]),
  );
  return { totalMs: seen.atMs - beganMs, parts };
}

/** Watches a run to its end; when the first line of its step was read by the runner, and when it was here. */
export async function firstStepLine(
  { client }: Bench,
  pipelinePath: string,
): Promise<{ atMs: number; readMs: number }> {
  let seen: { atMs: number; readMs: number } | undefined;
  const watch = client.watch(pipelinePath, {
    frame(stream, frame, atMs) {
      if (stream.kind === "step") seen ??= { atMs, readMs: frame.timeRuns[0]?.timeMs ?? Number.NaN };
    },
  });
  const { status } = await watch.ended;
  if (status !== "success" || !seen) throw new Error(`${pipelinePath} ended as ${status}`);
  return seen;
}

async function run(bench: Bench): Promise<ScenarioResult> {
  const bare: number[] = [];
  const warm: Sample[] = [];
  const cold: Sample[] = [];
  const { rounds, warmUps } = bench.size;
  // The first fills the pool, too.
  await firstLine(bench, "first-warm");
  for (let round = 0; round < warmUps; round++) await firstLine(bench, "first-cold");
  for (let round = 0; round < rounds; round++) {
    await untilAtRest(bench);
    bare.push(await bareFirstByte(bench.docker));
    warm.push(await firstLine(bench, "first-warm"));
    await untilAtRest(bench);
    cold.push(await firstLine(bench, "first-cold"));
  }
  const bareMs = median(bare);
  const of = (samples: Sample[]) => median(samples.map((sample) => sample.totalMs));
  const parts = (samples: Sample[]) =>
    partsOf(
      samples.map((sample) => sample.parts),
      moments,
    );
  return {
    figures: [
      ratioFigure("a waiting container fits", { ours: of(warm), theirs: bareMs, atMost: 0.5 }),
      ratioFigure("none fits", { ours: of(cold), theirs: bareMs, atMost: 1.3 }),
    ],
    parts: [
      { title: "a waiting container fits", parts: parts(warm) },
      { title: "none fits", parts: parts(cold) },
    ],
  };
}

export const firstLineScenario: Scenario = {
  number: 1,
  title: () =>
    "Trigger by REST → first log line at a watcher, against create + start + first byte of bare Docker",
  run,
};
