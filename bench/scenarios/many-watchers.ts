/** Many watchers of one log: does each get every byte, and how much memory does the server take? */
import { readFile, writeFile } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { rawBytes } from "@forgeline/server/domains/pipelines/logs/frame-bytes.ts";
import { lineBytes } from "../pipeline-files.ts";
import { runnerIsOnline, serverIsReady } from "../../test/support/instance.ts";
import type { Bench, Scenario, ScenarioResult } from "../scenario.ts";
import { nowMs, quantile } from "../statistics.ts";

const atMostMiB = 400;

interface Seen {
  bytes: number;
  checksum: number;
  complete: boolean;
}

function watchOnce({ client, repository }: Bench, id: string, delays: number[]) {
  const seen: Seen = { bytes: 0, checksum: 0, complete: false };
  const watch = client.watch(`${repository.path}/pipelines/${id}`, {
    frame(stream, frame, atMs) {
      if (stream.kind !== "step") return;
      seen.bytes += frame.rawLength;
      seen.checksum = crc32(rawBytes(frame), seen.checksum);
      const readMs = frame.timeRuns.at(-1)?.timeMs;
      if (readMs !== undefined) delays.push(atMs - readMs);
    },
    eof(stream, eof) {
      if (stream.kind === "step") seen.complete = eof.complete;
    },
  });
  return { seen, watch };
}

async function memoryMiB(pid: number, field: "VmRSS" | "VmHWM"): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(text)?.[1]) / 1024;
}

/** A fresh server, since what earlier scenarios left in its heap is not what watchers cost. Answers with its pid. */
async function restartServer({ instance }: Bench): Promise<number> {
  const [server] = instance.servers;
  if (!server) throw new Error("an instance has a server");
  await server.program.end("SIGTERM");
  server.program.start();
  await serverIsReady(server, instance.certificates);
  await Promise.all(instance.runners.map(({ name }) => runnerIsOnline(instance.api, name)));
  return server.program.pid();
}

async function run(bench: Bench): Promise<ScenarioResult> {
  const { watchers, watchedLines } = bench.size;
  const pid = await restartServer(bench);
  const beforeMiB = await memoryMiB(pid, "VmRSS");
  // The peak counts from here on.
  await writeFile(`/proc/${pid}/clear_refs`, "5");
  const body = { pipeline: "crowd" };
  const run = await bench.client.call<{ id: string }>("POST", `${bench.repository.path}/pipelines`, body);
  const delays: number[] = [];
  const beganMs = nowMs();
  const crowd = Array.from({ length: watchers }, () => watchOnce(bench, run.id, delays));
  await Promise.all(crowd.map(({ watch }) => watch.opened));
  const openedMs = nowMs() - beganMs;
  await Promise.all(crowd.map(({ watch }) => watch.ended));
  const peakMiB = await memoryMiB(pid, "VmHWM");
  const sums = new Set(crowd.map(({ seen }) => seen.checksum));
  const whole = crowd.filter(({ seen }) => seen.complete && seen.bytes === watchedLines * lineBytes).length;
  const allThere = whole === watchers && sums.size === 1;
  return {
    figures: [
      {
        what: `watchers that got every byte (${(watchedLines * lineBytes) / 1000} kB each)`,
        value: `${whole} of ${watchers}, ${sums.size === 1 ? "all alike" : "not all alike"}`,
        limit: { text: "all", met: allThere },
      },
      {
        what: "peak memory of the server (resident)",
        value: `${peakMiB.toFixed(0)} MiB (${beforeMiB.toFixed(0)} MiB before)`,
        limit: { text: `< ${atMostMiB} MB`, met: peakMiB * 1.048_576 < atMostMiB },
      },
    ],
    parts: [
      {
        title: `${watchers} watchers`,
        parts: [
          { what: "all connected", ms: openedMs },
          { what: "line read by the runner → at a watcher, median", ms: quantile(delays, 0.5) },
          { what: "the same, 99th percentile", ms: quantile(delays, 0.99) },
        ],
      },
    ],
  };
}

export const manyWatchersScenario: Scenario = {
  number: 6,
  title: ({ watchers }) => `${watchers} watchers of one log`,
  run,
};
