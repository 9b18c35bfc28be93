/**
 * A burst of requests that make Git work, all at once, against a server of its own: how many processes of Git it starts at a time, how
 * long others wait for answers meanwhile, and what its memory does. Exit status 1 when there are more processes than the
 * settings allow, others wait more than five times as long or for over a second, a request has no clear answer, or few have
 * one of Git. The others are one bot in a process of its own: in that of the burst it would wait for the burst's own work.
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
import { othersWhile, type Other } from "./other-requests.ts";

const { values } = parseArgs({
  options: { requests: { type: "string", default: "500" }, rounds: { type: "string", default: "3" } },
});
for (const name of ["requests", "rounds"] as const)
  if (!/^[1-9]\d*$/.test(values[name])) throw new Error(`--${name} takes a whole number from 1 on`);
const say = (line: string) => console.log(line);
const idleMs = 5_000;
/** Of the 99th hundredth of others' waits, those of all rounds together: of one round it is the fourth longest. */
const mostSlower = 5;
/** Of one who asks one after the other, a standstill of seconds is one wait among hundreds. */
const longestMs = 1_000;
/** Whoever answers nothing keeps nobody waiting. */
const leastAnswered = 0.2;
/** Readers of objects live on between requests; they are bounded by themselves. */
const mostProcesses = gitSettings.FORGELINE_GIT_QUESTIONS.parse(undefined) + 32;

interface Bed {
  instance: TestInstance;
  other: Other;
}

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

function quantile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;
}

const ofGit = (n: number) => burstPath("admin/burst", n);

async function round({ instance, other }: Bed, requests: number, path = ofGit) {
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
  const burst = () => Promise.all(Array.from({ length: requests }, (_, n) => get(path(n))));
  const { times, result: answers } = await othersWhile(other, burst);
  clearInterval(looking);
  close();
  const statuses: Record<string, number> = {};
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  const unclear = answers.filter(
    ({ status, retryAfter }) => status !== 200 && !(status === 503 && retryAfter),
  );
  return { ...most, seconds: (performance.now() - began) / 1000, statuses, times, unclear: unclear.length };
}

/** Somebody else asks meanwhile what needs no process of Git. */
async function makeOther({ api, url, certificates }: TestInstance): Promise<Other> {
  await api("POST", "/orgs", { name: "others" });
  await api("POST", "/orgs/others/bots", { name: "other", scopes: ["repo:read"] });
  const body = { name: "burst", scopes: ["repo:read"] };
  const { token } = await api<{ token: string }>("POST", "/orgs/others/bots/other/tokens", body);
  const ca = readFileSync(certificates.caFile, "utf8");
  return { baseUrl: `${url}/api/v1`, ca, token, paths: ["/users/admin", "/repos/admin/burst", "/meta"] };
}

async function makeRepository(instance: TestInstance): Promise<void> {
  const { id } = await instance.api<{ id: string }>("POST", "/repos", {
    name: "burst",
    default_branch: "main",
    visibility: "public",
  });
  const directory = join(instance.directory, "data", "repositories", id.slice(-2), `${id}.git`);
  execFileSync("git", ["--git-dir", directory, "fast-import", "--quiet"], { input: burstHistory() });
}

const p99 = (times: readonly number[]) => quantile(times, 0.99);

async function measure(): Promise<boolean> {
  const instance = await startTestInstance({ worker: false, runners: 0 });
  const requests = Number(values.requests);
  try {
    await makeRepository(instance);
    const bed = { instance, other: await makeOther(instance) };
    await round(bed, 10);
    // What as many requests cost that need no Git; the rest is Git's.
    const plain = await round(bed, requests, () => "/repos/admin/burst");
    say(`without Git: in ${plain.seconds.toFixed(1)} s; p99 of others ${p99(plain.times).toFixed(1)} ms`);
    const [idle, meanwhile]: [number[], number[]] = [[], []];
    let isBounded = Math.max(...plain.times) <= longestMs;
    for (let n = 1; n <= Number(values.rounds); n++) {
      idle.push(...(await othersWhile(bed.other, () => pause(idleMs))).times);
      const { processes, serverBytes, seconds, statuses, times, unclear } = await round(bed, requests);
      meanwhile.push(...times);
      const answers = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
      say(
        `round ${n}: ${answers.join(", ")} in ${seconds.toFixed(1)} s; at most ${processes} processes of Git ` +
          `(limit ${mostProcesses}); others: p50 ${quantile(times, 0.5).toFixed(1)}, p99 ${p99(times).toFixed(1)} ms; ` +
          `server ${(serverBytes / 1024 / 1024).toFixed(0)} MiB at most`,
      );
      isBounded &&= processes <= mostProcesses && unclear === 0 && Math.max(...times) <= longestMs;
      isBounded &&= (statuses[200] ?? 0) >= requests * leastAnswered;
    }
    const factor = p99(meanwhile) / p99(idle);
    say(
      `p99 of others: idle ${p99(idle).toFixed(1)}, meanwhile ${p99(meanwhile).toFixed(1)} ms: ${factor.toFixed(1)} ×`,
    );
    return isBounded && factor <= mostSlower;
  } finally {
    await instance.stop();
  }
}

await withBed(say, async () => {
  if (!(await measure())) process.exitCode = 1;
});
