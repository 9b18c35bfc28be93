/** Many clones at once with the real `git`, and what a reader of the REST API notices of them. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { load } from "../load.ts";
import { createBenchRepository } from "../repository.ts";
import type { Bench, Scenario, ScenarioResult } from "../scenario.ts";

const connections = 4;
const atMost = 5;

/** Large enough that a clone is work, beside its hundred files: what does not compress, twice as long in the file. */
const ballast = (bytes: number) => ({ "ballast.hex": randomBytes(bytes).toString("hex") });

/** The clients run only when nobody else wants to, as if they were on machines of their own. */
async function clone({ instance, directory }: Bench, name: string, number: number): Promise<boolean> {
  const url = new URL(`${instance.url}/${instance.adminName}/${name}.git`);
  url.username = "x";
  url.password = instance.adminToken;
  const target = join(directory, "clones", String(number));
  const child = spawn("chrt", ["--idle", "0", "git", "clone", "-q", "--bare", url.href, target], {
    env: {
      PATH: process.env["PATH"],
      HOME: directory,
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_SSL_CAINFO: instance.certificates.caFile,
      GIT_TERMINAL_PROMPT: "0",
    },
    stdio: "ignore",
  });
  const [code] = (await once(child, "exit")) as [number | null];
  return code === 0;
}

/** How the API answers: alone, and in each part of the time that the clones take. */
async function measure(bench: Bench) {
  const { instance, directory } = bench;
  const { atOnce, ballastBytes, idleSeconds, readSeconds } = bench.size.clones;
  const files = ballast(ballastBytes);
  const repository = await createBenchRepository(instance, {
    directory: join(directory, "cloned"),
    name: "cloned",
    files,
  });
  await mkdir(join(directory, "clones"));
  const target = {
    port: Number(new URL(instance.url).port),
    ca: await readFile(instance.certificates.caFile, "utf8"),
    path: `/api/v1${repository.path}`,
    headers: { Authorization: `Bearer ${instance.adminToken}` },
    status: 200,
  };
  const read = (seconds: number) => load(target, { connections, seconds });
  await read(readSeconds);
  const idle = await read(idleSeconds);
  const beganMs = performance.now();
  const cloned = Promise.all(Array.from({ length: atOnce }, (_, n) => clone(bench, repository.name, n)));
  let isOver = false;
  void cloned.then(() => (isOver = true));
  const busy = [];
  while (!isOver) busy.push(await read(readSeconds));
  const seconds = (performance.now() - beganMs) / 1000;
  const whole = (await cloned).filter(Boolean).length;
  await rm(join(directory, "clones"), { recursive: true });
  return { idle, busy, seconds, whole };
}

async function run(bench: Bench): Promise<ScenarioResult> {
  const { atOnce } = bench.size.clones;
  const { idle, busy, seconds, whole } = await measure(bench);
  // Parts of a second each: the worst of them counts.
  const p99Ms = Math.max(...busy.map((part) => part.p99Ms));
  const ratio = p99Ms / idle.p99Ms;
  return {
    figures: [
      {
        what: `REST's 99th percentile beside ${atOnce} clones, over its idle value; worst second`,
        value: `${ratio.toFixed(1)} × (${p99Ms.toFixed(1)} ms against ${idle.p99Ms.toFixed(1)} ms)`,
        limit: { text: `< ${atMost} ×`, met: ratio < atMost },
      },
      {
        what: "clones that are whole",
        value: `${whole} of ${atOnce} in ${seconds.toFixed(0)} s`,
        limit: { text: "all", met: whole === atOnce },
      },
    ],
    parts: [],
  };
}

export const manyClonesScenario: Scenario = {
  number: 10,
  title: ({ clones }) => `${clones.atOnce} clones at once beside the REST API`,
  run,
};
