/**
 * A burst of requests that make Git work, all at once, against a server of its own: how many processes of Git it starts at a time, how
 * long others wait for answers meanwhile, and what its memory does. First of one caller, then of ten over five repositories. Exit
 * status 1 when there are more processes than the settings allow, others wait more than five times as long while one caller
 * bursts, or for over a second, memory goes on growing, a request has no clear answer, or few have one of Git. The others are one
 * bot in a process of its own: in that of the burst it would wait for the burst's own work.
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
import { gitSettings } from "@forgeline/server/config/git.ts";
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
const maxSlower = 5;
/** Of one who asks one after the other, a standstill of seconds is one wait among hundreds. */
const maxMs = 1_000;
/** Whoever answers nothing keeps nobody waiting. */
const minAnsweredShare = 0.2;
/** Of the most that a round needed, from the first to the last. */
const maxGrowth = 64 * 1024 * 1024;
const maxOfOne = gitSettings.FORGELINE_GIT_QUESTIONS_OF_USER.parse(undefined);
const maxInAll = gitSettings.FORGELINE_GIT_QUESTIONS.parse(undefined);
/** Readers of objects live on between requests, and are bounded by themselves. */
const maxReaders = 32;
const callers = 10;
const repositories = Array.from({ length: 5 }, (_, n) => `burst-${n}`);

interface Bed {
  instance: TestInstance;
  other: Other;
}

interface Question {
  path: string;
  token: string;
}

interface Client {
  get(question: Question): Promise<{ status: number; retryAfter: string | undefined }>;
  close(): void;
}

function client(instance: TestInstance, maxSockets: number): Client {
  const ca = readFileSync(instance.certificates.caFile);
  const agent = new Agent({ keepAlive: true, maxSockets, ca });
  return {
    get: ({ path, token }) =>
      new Promise((resolve, reject) => {
        const headers = { Authorization: `Bearer ${token}` };
        const call = request(`${instance.url}/api/v1${path}`, { agent, headers }, (response) => {
          response.resume();
          response.on("end", () => {
            const { statusCode: status = 0, headers: answered } = response;
            resolve({ status, retryAfter: answered["retry-after"] });
          });
        });
        call.on("error", reject);
        call.end();
      }),
    close: () => agent.destroy(),
  };
}

interface Use {
  /** Processes of Git that answer one question each, and those that read objects for many. */
  workers: number;
  readers: number;
  serverBytes: number;
}

/** Of the server and of all that it started. */
function look(serverPid: number): Use {
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
  const commands = [...parents].flatMap(([pid, { name }]) =>
    name === "git" && isOurs(pid) ? commandOf(pid) : [],
  );
  const readers = commands.filter((command) => command.includes("cat-file")).length;
  const pages = Number(readFileSync(`/proc/${serverPid}/statm`, "utf8").split(" ")[1]);
  return { workers: commands.length - readers, readers, serverBytes: pages * 4096 };
}

/** None where it has ended meanwhile. */
function commandOf(pid: number): string[] {
  try {
    return [readFileSync(`/proc/${pid}/cmdline`, "utf8")].filter((command) => command !== "");
  } catch {
    return [];
  }
}

function maxOf(one: Use, other: Use): Use {
  return {
    workers: Math.max(one.workers, other.workers),
    readers: Math.max(one.readers, other.readers),
    serverBytes: Math.max(one.serverBytes, other.serverBytes),
  };
}

function quantile(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;
}

async function round({ instance, other }: Bed, questions: readonly Question[]) {
  const { get, close } = client(instance, questions.length);
  // Connections are open before, so that what is measured is Git's work and not that of handshakes.
  await Promise.all(questions.map(({ token }) => get({ path: "/meta", token })));
  let max: Use = { workers: 0, readers: 0, serverBytes: 0 };
  const pid = instance.servers[0]!.program.pid();
  const looking = setInterval(() => (max = maxOf(max, look(pid))), 20);
  const began = performance.now();
  const burst = () => Promise.all(questions.map(get));
  const { times, result: answers } = await othersWhile(other, burst);
  clearInterval(looking);
  close();
  const statuses: Record<string, number> = {};
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  const unclear = answers.filter(
    ({ status, retryAfter }) => status !== 200 && !((status === 503 || status === 429) && retryAfter),
  );
  return { max, seconds: (performance.now() - began) / 1000, statuses, times, unclear: unclear.length };
}

type Round = Awaited<ReturnType<typeof round>>;

function tell(name: string, { max, seconds, statuses, times }: Round, maxWorkers: number): void {
  const answers = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  say(
    `${name}: ${answers.join(", ")} in ${seconds.toFixed(1)} s; Git: at most ${max.workers} at work (limit ` +
      `${maxWorkers}), ${max.readers} readers (${maxReaders}); others: p50 ${quantile(times, 0.5).toFixed(1)}, p99 ` +
      `${p99(times).toFixed(1)} ms; server ${(max.serverBytes / 1024 / 1024).toFixed(0)} MiB at most`,
  );
}

function isBounded({ max, statuses, times, unclear }: Round, maxWorkers: number): boolean {
  const asked = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  return (
    max.workers <= maxWorkers &&
    max.readers <= maxReaders &&
    unclear === 0 &&
    Math.max(...times) <= maxMs &&
    (statuses[200] ?? 0) >= asked * minAnsweredShare
  );
}

async function makeBot({ api }: TestInstance, bot: string): Promise<string> {
  const scopes = ["repo:read"];
  await api("POST", "/orgs/others/bots", { name: bot, scopes });
  const made = await api<{ token: string }>("POST", `/orgs/others/bots/${bot}/tokens`, {
    name: "burst",
    scopes,
  });
  return made.token;
}

/** Somebody else asks meanwhile what needs no process of Git. */
async function makeOther(instance: TestInstance): Promise<Other> {
  const ca = readFileSync(instance.certificates.caFile, "utf8");
  const paths = ["/users/admin", `/repos/admin/${repositories[0]}`, "/meta"];
  return { baseUrl: `${instance.url}/api/v1`, ca, token: await makeBot(instance, "other"), paths };
}

async function makeRepository(instance: TestInstance, name: string): Promise<void> {
  const { id } = await instance.api<{ id: string }>("POST", "/repos", {
    name,
    default_branch: "main",
    visibility: "public",
  });
  const directory = join(instance.directory, "data", "repositories", id.slice(-2), `${id}.git`);
  execFileSync("git", ["--git-dir", directory, "fast-import", "--quiet"], { input: burstHistory() });
}

const p99 = (times: readonly number[]) => quantile(times, 0.99);

/** The n-th question, of one caller or of many, who ask of several repositories. */
function ofGit(tokens: readonly string[], repositoryCount: number) {
  return (n: number): Question => ({
    path: burstPath(`admin/${repositories[n % repositoryCount]}`, n),
    token: tokens[n % tokens.length]!,
  });
}

async function measure(): Promise<boolean> {
  const instance = await startTestInstance({ worker: false, runners: 0 });
  const many = (question: (n: number) => Question) =>
    Array.from({ length: Number(values.requests) }, (_, n) => question(n));
  try {
    for (const name of repositories) await makeRepository(instance, name);
    await instance.api("POST", "/orgs", { name: "others" });
    const bed = { instance, other: await makeOther(instance) };
    const token = instance.adminToken;
    const ofOne = ofGit([token], 1);
    await round(bed, many(ofOne).slice(0, 10));
    // What as many requests cost that need no Git; the rest is Git's.
    const plain = await round(
      bed,
      many(() => ({ path: `/repos/admin/${repositories[0]}`, token })),
    );
    say(`without Git: in ${plain.seconds.toFixed(1)} s; p99 of others ${p99(plain.times).toFixed(1)} ms`);
    let isGood = Math.max(...plain.times) <= maxMs;
    const [idle, meanwhile]: [number[], number[]] = [[], []];
    const rounds: Round[] = [];
    for (let n = 1; n <= Number(values.rounds); n++) {
      idle.push(...(await othersWhile(bed.other, () => pause(idleMs))).times);
      const made = await round(bed, many(ofOne));
      tell(`round ${n}`, made, maxOfOne);
      rounds.push(made);
      meanwhile.push(...made.times);
      isGood &&= isBounded(made, maxOfOne);
    }
    const tokens = [];
    for (let n = 0; n < callers; n++) tokens.push(await makeBot(instance, `caller-${n}`));
    const ofMany = await round(bed, many(ofGit(tokens, repositories.length)));
    tell(`${callers} callers`, ofMany, maxInAll);
    isGood &&= isBounded(ofMany, maxInAll);
    const growth = rounds.at(-1)!.max.serverBytes - rounds[0]!.max.serverBytes;
    const factor = p99(meanwhile) / p99(idle);
    say(
      `memory of the server from the first round to the last: ${(growth / 1024 / 1024).toFixed(0)} MiB more`,
    );
    say(
      `p99 of others: idle ${p99(idle).toFixed(1)}, meanwhile ${p99(meanwhile).toFixed(1)} ms: ${factor.toFixed(1)} ×`,
    );
    return isGood && growth <= maxGrowth && factor <= maxSlower;
  } finally {
    await instance.stop();
  }
}

await withBed(say, async () => {
  if (!(await measure())) process.exitCode = 1;
});
