/** Many runners with all their jobs under way: what heartbeats, lines and leases cost one server. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { guard } from "../../test/support/guard.ts";
import { eventually } from "../../test/support/eventually.ts";
import { programFile } from "../../test/support/program-bundles.ts";
import type { Bench, Scenario, ScenarioResult } from "../scenario.ts";
import { countOf } from "../size.ts";
import { nowMs } from "../statistics.ts";

const heartbeatMs = 10_000;
const atMostMb = 600;
const sampleMs = 500;
/** Of `/proc/PID/stat`, on every Linux that Node runs on. */
const ticksPerSecond = 100;
/** All jobs have to be under way by then. */
const patienceMs = 10 * 60_000;

async function startFleet(bench: Bench) {
  const { runners, jobsOfEach } = bench.size.fleet;
  const { instance, directory } = bench;
  const tokens = await Promise.all(
    Array.from({ length: runners }, () =>
      bench.client.call<{ token: string }>("POST", "/runners/registration-tokens", {}),
    ),
  );
  const words = [instance.url, instance.certificates.caFile, join(directory, "fleet"), String(jobsOfEach)];
  const child = spawn(
    process.execPath,
    [programFile("test/support/fleet/main.ts"), ...words, "speed=fleet"],
    {
      env: { PATH: process.env["PATH"], HOME: directory },
      stdio: ["pipe", "pipe", "pipe"],
    },
  );
  const { dismiss } = guard('kill -s KILL "$1"', String(child.pid));
  const log = createWriteStream(join(directory, "fleet.log"));
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  child.stdin.end(tokens.map(({ token }) => token).join("\n"));
  const ended = once(child, "exit");
  return {
    async stop() {
      child.kill("SIGINT");
      await ended;
      dismiss();
    },
  };
}

/** Processor seconds that it has used so far. */
async function processorSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

async function peakMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return (Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / 1e6;
}

interface State {
  running: number;
  over: number;
  /** Since the last heartbeat of the runner that has been silent longest. */
  silentMs: number;
  runners: number;
}

async function stateOf({ database }: Bench): Promise<State> {
  const { rows } = await database.query<State>(
    `select count(*)::int as runners, max(extract(epoch from now() - last_seen_at))::float8 * 1000 as "silentMs",
       (select count(*) from job_attempts a join jobs j on j.id = a.job_id
        join pipelines p on p.id = j.pipeline_id where p.file like '%fleet%' and a.started_at is not null
          and a.finished_at is null)::int as running,
       (select count(*) from job_attempts a join jobs j on j.id = a.job_id
        join pipelines p on p.id = j.pipeline_id where p.file like '%fleet%' and a.finished_at is not null)::int as over
     from runners where name like 'fleet-%'`,
  );
  return rows[0] ?? { running: 0, over: 0, silentMs: 0, runners: 0 };
}

/** A while in which nothing begins or ends. */
async function watchSteady(bench: Bench, pid: number) {
  await writeFile(`/proc/${pid}/clear_refs`, "5");
  const [beganMs, before] = [nowMs(), await processorSeconds(pid)];
  let silentMs = 0;
  while (nowMs() - beganMs < bench.size.fleet.steadyMs) {
    silentMs = Math.max(silentMs, (await stateOf(bench)).silentMs);
    await delay(sampleMs);
  }
  const cores = ((await processorSeconds(pid)) - before) / ((nowMs() - beganMs) / 1000);
  return { cores, silentMs, mb: await peakMb(pid) };
}

async function run(bench: Bench): Promise<ScenarioResult> {
  const { runners, jobsOfEach } = bench.size.fleet;
  const pid = bench.instance.servers[0]?.program.pid() ?? 0;
  const fleet = await startFleet(bench);
  try {
    await eventually(async () => (await stateOf(bench)).runners === runners, { timeoutMs: patienceMs });
    const beganMs = nowMs();
    const ids: string[] = [];
    for (let runner = 0; runner < runners; runner += bench.size.fleet.runnersOfRun)
      ids.push(
        (
          await bench.client.call<{ id: string }>("POST", `${bench.repository.path}/pipelines`, {
            pipeline: "fleet",
          })
        ).id,
      );
    const wanted = runners * jobsOfEach;
    await eventually(async () => (await stateOf(bench)).running === wanted, { timeoutMs: patienceMs });
    const allRunMs = nowMs() - beganMs;
    const steady = await watchSteady(bench, pid);
    const { over } = await stateOf(bench);
    for (const id of ids) await bench.client.call("POST", `${bench.repository.path}/pipelines/${id}/cancel`);
    await eventually(async () => (await stateOf(bench)).running === 0, { timeoutMs: patienceMs });
    return report({ ...steady, over, wanted, allRunMs });
  } finally {
    await fleet.stop();
  }
}

interface Measured {
  cores: number;
  mb: number;
  silentMs: number;
  over: number;
  wanted: number;
  allRunMs: number;
}

function report({ cores, mb, silentMs, over, wanted, allRunMs }: Measured): ScenarioResult {
  const figure = (what: string, value: string, limit: { text: string; met: boolean }) => ({
    what,
    value,
    limit,
  });
  return {
    figures: [
      figure("longest silence of a runner", `${(silentMs / 1000).toFixed(1)} s`, {
        text: `no heartbeat missed: < ${(2 * heartbeatMs) / 1000} s`,
        met: silentMs < 2 * heartbeatMs,
      }),
      figure("jobs that ended or were lost meanwhile", `${over} of ${countOf(wanted)}`, {
        text: "none",
        met: over === 0,
      }),
      figure("processor of the server", `${cores.toFixed(2)} cores`, { text: "< 1", met: cores < 1 }),
      figure("peak memory of the server (resident)", `${mb.toFixed(0)} MB`, {
        text: `< ${atMostMb} MB`,
        met: mb < atMostMb,
      }),
    ],
    parts: [{ title: "before", parts: [{ what: "first trigger → every job is under way", ms: allRunMs }] }],
  };
}

export const manyRunnersScenario: Scenario = {
  number: 32,
  title: ({ fleet: { runners, jobsOfEach } }) =>
    `${runners} runners of ${jobsOfEach} jobs, which write a line every five seconds, on one server`,
  run,
};
