/**
 * A burst of requests that make Git work, all at once, against a server of its own: how many processes of Git it starts at a time, how
 * long others wait for answers meanwhile, and what its memory does. Exit status 1 when there are more processes than the
 * settings allow, others wait more than five times as long, or a request has no clear answer.
 *
 *   node test/hostile/git-burst.ts [--requests 500] [--rounds 3]
 *
 * On a machine that others use at the same time, waits say more about them than about us.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { gitSettings } from "@forgeline/server/platform/git-settings.ts";
import { withBed } from "../chaos/chaos-bed.ts";
import { burstHistory, burstPath } from "../support/git-burst.ts";
import { startTestInstance, type TestInstance } from "../support/instance.ts";

const { values } = parseArgs({
  options: { requests: { type: "string", default: "500" }, rounds: { type: "string", default: "3" } },
});
for (const name of ["requests", "rounds"] as const)
  if (!/^[1-9]\d*$/.test(values[name])) throw new Error(`--${name} takes a whole number from 1 on`);
const say = (line: string) => console.log(line);
const idleMs = 5_000;
/** Readers of objects live on between requests; they are bounded by themselves. */
const mostProcesses = gitSettings.FORGELINE_GIT_QUESTIONS.parse(undefined) + 32;

interface Client {
  get(path: string): Promise<{ status: number; retryAfter: string | undefined; ms: number }>;
  close(): void;
}

function client(instance: TestInstance, maxSockets: number): Client {
  const ca = readFileSync(instance.certificates.caFile);
  const agent = new Agent({ keepAlive: true, maxSockets, ca });
  const headers = { Authorization: `Bearer ${instance.adminToken}` };
  return {
    get: (path) =>
      new Promise((resolve, reject) => {
        const began = performance.now();
        const call = request(`${instance.url}/api/v1${path}`, { agent, headers }, (response) => {
          response.resume();
          response.on("end", () => {
            const { statusCode: status = 0, headers: answered } = response;
            resolve({ status, retryAfter: answered["retry-after"], ms: performance.now() - began });
          });
        });
        call.on("error", reject);
        call.end();
      }),
    close: () => agent.destroy(),
  };
}

/** Of the server and of all that it started: how many are Git, and what the server itself has in memory. */
function look(serverPid: number): { processes: number; serverBytes: number } {
  const parents = new Map<number, { parent: number; name: string }>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const end = stat.lastIndexOf(")");
      const parent = Number(stat.slice(end + 2).split(" ")[1]);
      parents.set(Number(pid), { parent, name: stat.slice(stat.indexOf("(") + 1, end) });
    } catch {
      // It has ended meanwhile.
    }
  }
  const isOurs = (pid: number): boolean =>
    pid === serverPid || (pid > 1 && isOurs(parents.get(pid)?.parent ?? 0));
  const processes = [...parents].filter(([pid, { name }]) => name === "git" && isOurs(pid)).length;
  const pages = Number(readFileSync(`/proc/${serverPid}/statm`, "utf8").split(" ")[1]);
  return { processes, serverBytes: pages * 4096 };
}

/** Asks what needs no process of Git until it is told to stop, one request after the other. */
async function others(instance: TestInstance, until: Promise<unknown>): Promise<number[]> {
  const { get, close } = client(instance, 1);
  const times: number[] = [];
  let over = false;
  void until.finally(() => (over = true));
  for (let n = 0; !over; n++) {
    const { status, ms } = await get(["/user", "/repos/admin/burst", "/meta"][n % 3]!);
    if (status !== 200) throw new Error(`another request was answered with ${status}`);
    times.push(ms);
    await pause(5);
  }
  close();
  return times;
}

function quantile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;
}

const ofGit = (n: number) => burstPath("admin/burst", n);

async function round(instance: TestInstance, requests: number, path = ofGit) {
  const { get, close } = client(instance, requests);
  // Connections are open before, so that what is measured is Git's work and not that of handshakes.
  await Promise.all(Array.from({ length: requests }, () => get("/meta")));
  let most = { processes: 0, serverBytes: 0 };
  const pid = instance.servers[0]!.program.pid();
  const looking = setInterval(() => {
    const now = look(pid);
    most = {
      processes: Math.max(most.processes, now.processes),
      serverBytes: Math.max(most.serverBytes, now.serverBytes),
    };
  }, 20);
  const began = performance.now();
  const burst = Promise.all(Array.from({ length: requests }, (_, n) => get(path(n))));
  const times = await others(instance, burst);
  const answers = await burst;
  clearInterval(looking);
  close();
  const statuses: Record<string, number> = {};
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  const unclear = answers.filter(
    ({ status, retryAfter }) => status !== 200 && !(status === 503 && retryAfter),
  );
  return { ...most, seconds: (performance.now() - began) / 1000, statuses, times, unclear: unclear.length };
}

async function makeRepository(instance: TestInstance): Promise<void> {
  const { id } = await instance.api<{ id: string }>("POST", "/repos", {
    name: "burst",
    default_branch: "main",
  });
  const directory = join(instance.directory, "data", "repositories", id.slice(-2), `${id}.git`);
  execFileSync("git", ["--git-dir", directory, "fast-import", "--quiet"], { input: burstHistory() });
}

async function measure(): Promise<boolean> {
  const instance = await startTestInstance({ worker: false, runners: 0 });
  try {
    await makeRepository(instance);
    await round(instance, 10);
    const idle = quantile(await others(instance, pause(idleMs)), 0.99);
    say(`idle: p99 of other requests ${idle.toFixed(1)} ms`);
    // What as many requests cost that need no Git; the rest is Git's.
    const plain = await round(instance, Number(values.requests), () => "/repos/admin/burst");
    const plainP99 = quantile(plain.times, 0.99);
    say(`without Git: in ${plain.seconds.toFixed(1)} s; p99 of other requests ${plainP99.toFixed(1)} ms`);
    let isGood = true;
    for (let n = 1; n <= Number(values.rounds); n++) {
      const { processes, serverBytes, seconds, statuses, times, unclear } = await round(
        instance,
        Number(values.requests),
      );
      const p99 = quantile(times, 0.99);
      const factor = p99 / idle;
      const answers = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
      say(
        `round ${n}: ${answers.join(", ")} in ${seconds.toFixed(1)} s; at most ${processes} processes of Git ` +
          `(limit ${mostProcesses}); other requests: p50 ${quantile(times, 0.5).toFixed(1)}, p99 ${p99.toFixed(1)} ms ` +
          `(${factor.toFixed(1)} × idle); server ${(serverBytes / 1024 / 1024).toFixed(0)} MiB at most`,
      );
      isGood &&= processes <= mostProcesses && factor <= 5 && unclear === 0;
    }
    return isGood;
  } finally {
    await instance.stop();
  }
}

await withBed(say, async () => {
  if (!(await measure())) process.exitCode = 1;
});
