/** A long log from a container until all are durable and at a watcher, against `docker logs -f`. */
import { createHash } from "node:crypto";
import { bareLogRate } from "../baselines/bare-docker.ts";
import { lineBytes, makeLines } from "../pipeline-files.ts";
import type { Bench, Scenario, ScenarioResult } from "../scenario.ts";
import { countOf } from "../size.ts";
import { median } from "../statistics.ts";
import { rawBytes } from "@forgeline/server/domains/pipelines/logs/frame-bytes.ts";
import { untilAtRest } from "../warm.ts";

const atLeast = 3;

interface Sample {
  /** Lines a second from the start of the step until everything was durable and here. */
  rate: number;
  parts: { firstMs: number; flowMs: number; durableMs: number };
}

async function once({ client, repository, database, size }: Bench): Promise<Sample> {
  const run = await client.call<{ id: string }>("POST", `${repository.path}/pipelines`, {
    pipeline: "lines",
  });
  const seen = { bytes: 0, firstMs: 0, lastMs: 0, eofMs: 0, complete: false };
  const hash = createHash("sha256");
  const watch = client.watch(`${repository.path}/pipelines/${run.id}`, {
    frame(stream, frame, atMs) {
      if (stream.step !== 1) return;
      seen.firstMs ||= atMs;
      seen.lastMs = atMs;
      seen.bytes += frame.rawLength;
      hash.update(rawBytes(frame));
    },
    eof(stream, eof, atMs) {
      if (stream.step === 1) Object.assign(seen, { eofMs: atMs, complete: eof.complete });
    },
  });
  await watch.ended;
  if (!seen.complete || seen.bytes !== size.lines * lineBytes)
    throw new Error(`the log has ${seen.bytes} bytes instead of ${size.lines * lineBytes}`);
  const { rows } = await database.query<{ startedMs: number; sha256: string }>(
    `select extract(epoch from s.started_at)::float8 * 1000 as "startedMs", l.sha256
     from steps s join log_streams l on l.attempt_id = s.attempt_id and l.step = s.position
     where s.pipeline_id = $1 and s.position = 1`,
    [run.id],
  );
  const [row] = rows;
  if (!row || row.sha256 !== hash.digest("hex"))
    throw new Error("the watcher got other bytes than were stored");
  return {
    rate: (size.lines / (seen.eofMs - row.startedMs)) * 1000,
    parts: {
      firstMs: seen.firstMs - row.startedMs,
      flowMs: seen.lastMs - seen.firstMs,
      durableMs: seen.eofMs - seen.lastMs,
    },
  };
}

async function run(bench: Bench): Promise<ScenarioResult> {
  const bare: number[] = [];
  const ours: Sample[] = [];
  const { lines, lineRounds } = bench.size;
  const script = { make: makeLines(bench.size), show: "cat lines", lines };
  for (let round = 0; round < lineRounds; round++) {
    bare.push(await bareLogRate(bench.docker, script));
    await untilAtRest(bench);
    ours.push(await once(bench));
  }
  const rate = median(ours.map((sample) => sample.rate));
  const ratio = rate / median(bare);
  const part = (of: (parts: Sample["parts"]) => number) => median(ours.map((sample) => of(sample.parts)));
  return {
    figures: [
      {
        what: "lines a second, durable and at the watcher",
        value: `${ratio.toFixed(1)} × (${Math.round(rate)} against ${Math.round(median(bare))} lines/s)`,
        limit: { text: `≥ ${atLeast} ×`, met: ratio >= atLeast },
      },
    ],
    parts: [
      {
        title: `${countOf(lines)} lines`,
        parts: [
          { what: "step starts → first bytes at the watcher", ms: part((parts) => parts.firstMs) },
          { what: "→ last bytes at the watcher (each stored before)", ms: part((parts) => parts.flowMs) },
          { what: "→ end of the log, checksum compared", ms: part((parts) => parts.durableMs) },
        ],
      },
    ],
  };
}

export const manyLinesScenario: Scenario = {
  number: 4,
  title: ({ lines }) =>
    `${countOf(lines)} log lines of ${lineBytes} bytes, container → durable and watcher, against \`docker logs -f\``,
  run,
};
