/** A job beside one that takes all it can get, on a runner with the limits that hold where nothing is set; and how the agent fares. */
import type { LogFrame } from "@forgeline/schemas/logs/frame.ts";
import { rawBytes } from "@forgeline/server/domains/pipelines/logs/frame-bytes.ts";
import { defaultIntervals } from "@forgeline/server/domains/pipelines/runners/settings.ts";
import { ratioFigure, type Bench, type Scenario, type ScenarioResult } from "../scenario.ts";
import { median, quantile } from "../statistics.ts";

const runnerName = "crowded";
const lookMs = 200;

/** Starts a pipeline; its output comes with the end. */
async function start({ client, repository }: Bench, pipeline: string) {
  const run = await client.call<{ id: string }>("POST", `${repository.path}/pipelines`, { pipeline });
  const path = `${repository.path}/pipelines/${run.id}`;
  const parts: Buffer[] = [];
  const opened = Promise.withResolvers<void>();
  const watch = client.watch(path, {
    frame({ step }, frame: LogFrame) {
      if (step !== 0) return;
      parts.push(rawBytes(frame));
      opened.resolve();
    },
  });
  const ended = watch.ended.then(({ status }) => ({ status, text: Buffer.concat(parts).toString() }));
  return { path, printed: opened.promise, ended };
}

/** How long each round of the neighbour's work took, milliseconds. */
async function neighbour(bench: Bench): Promise<number[]> {
  const { status, text } = await (await start(bench, "neighbour")).ended;
  if (status !== "success") throw new Error(`the neighbour ended as ${status}`);
  const times = [...text.matchAll(/^([\d.]+)$/gm)].map(([, seconds]) => Number(seconds) * 1000);
  return times.slice(1).map((at, i) => at - (times[i] ?? Number.NaN));
}

/** The longest that the runner has kept silent while `work` went on. */
async function longestSilence<T>({ database }: Bench, work: Promise<T>): Promise<{ result: T; ms: number }> {
  let over = false;
  let ms = 0;
  const result = work.finally(() => {
    over = true;
  });
  while (!over) {
    const { rows } = await database.query<{ ms: number }>(
      "select (extract(epoch from now() - last_seen_at) * 1000)::float8 as ms from runners where name = $1",
      [runnerName],
    );
    ms = Math.max(ms, rows[0]?.ms ?? Number.NaN);
    await new Promise((resolve) => setTimeout(resolve, lookMs));
  }
  return { result: await result, ms };
}

async function run(bench: Bench): Promise<ScenarioResult> {
  await bench.instance.addRunner(runnerName, { labels: ["speed=crowded"], capacity: 2 });
  const alone = await neighbour(bench);
  const hungry = await start(bench, "hungry");
  await hungry.printed;
  const { result: beside, ms } = await longestSilence(bench, neighbour(bench));
  await bench.client.call("POST", `${hungry.path}/cancel`, { force: true });
  const { status } = await hungry.ended;
  if (status !== "cancelled") throw new Error(`the hungry job ended by itself, as ${status}`);
  const lateMs = Math.max(0, ms - defaultIntervals.heartbeatMs);
  return {
    figures: [
      ratioFigure("a round of work, p99", {
        ours: quantile(beside, 0.99),
        theirs: quantile(alone, 0.99),
        atMost: 1.5,
      }),
      ratioFigure("a round of work, median", { ours: median(beside), theirs: median(alone), atMost: 1.5 }),
      {
        what: "the agent's latest heartbeat",
        value: `${(lateMs / 1000).toFixed(1)} s late`,
        limit: { text: "≤ 5 s", met: lateMs <= 5_000 },
      },
    ],
    parts: [],
  };
}

export const hungryNeighbourScenario: Scenario = {
  number: 14,
  title: () =>
    "A job beside one that takes all the processor, memory, disk and processes it gets, against the same job alone",
  isLong: true,
  run,
};
