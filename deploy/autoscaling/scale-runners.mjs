#!/usr/bin/env node
/**
 * Starts runners for one job on this machine while jobs wait, and lets them end: an example to begin with, without dependencies.
 * `docs/operations/autoscaling.md` describes its settings. TERM: it starts no more, lets running jobs end, and ends.
 */
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const setting = (name, byDefault) => {
  const value = process.env[name] || byDefault;
  if (value === undefined) {
    console.error(`scale-runners: set ${name}`);
    process.exit(2);
  }
  return value;
};
const count = (name, byDefault) => {
  const value = setting(name, byDefault);
  if (/^[1-9][0-9]{0,8}$/.test(value)) return Number(value);
  console.error(`scale-runners: ${name} must be a whole number of at least 1, not "${value}"`);
  process.exit(2);
};
const api = `${setting("FORGELINE_URL").replace(/\/$/, "")}/api/v1`;
const token = setting("FORGELINE_TOKEN");
const organization = process.env["SCALE_ORGANIZATION"];
const labels = setting("SCALE_LABELS", `os=${process.platform}`).split(",");
const max = count("SCALE_MAX", "4");
const everyMs = count("SCALE_EVERY_MS", "5000");
const idleMs = count("SCALE_IDLE_MS", "120000");
const image = process.env["SCALE_IMAGE"];
const command = setting("SCALE_COMMAND", "forgeline-runner start");
const scope = organization ? `/orgs/${encodeURIComponent(organization)}/runners` : "/runners";

/** Those that this program has started and that have not ended. */
const runners = new Set();
let isEnding = false;

/** Node says only "fetch failed"; why is in its cause. */
function reasonOf(error) {
  const { cause } = error;
  if (!cause) return error.message;
  const why = cause.message || cause.code || String(cause);
  const isTrust = /SELF_SIGNED|UNABLE_TO_/.test(cause.code ?? "");
  const help = isTrust
    ? "; set NODE_EXTRA_CA_CERTS, and FORGELINE_RUNNER_CA_FILE for the runners, to the PEM file of its authority"
    : "";
  return `${error.message}: ${why}${help}`;
}

function advice({ status }) {
  if (status !== 403 || organization) return "";
  return "; runners of the whole instance are for its administrators: set SCALE_ORGANIZATION for those of an organization that you own";
}

async function ask(method, path) {
  const answer = await fetch(`${api}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(method === "POST" ? { body: "{}" } : {}),
    signal: AbortSignal.timeout(30_000),
  });
  if (!answer.ok)
    throw new Error(`${method} ${path}: HTTP ${answer.status} ${await answer.text()}${advice(answer)}`);
  return answer.json();
}

/** What keys of a pipeline file ask for, and every runner of this version has. */
const ofEveryRunner = ["@lease_v2", "@signed"];

/** As the server decides it: docs/operations/runners.md, "Labels". */
function fits(wanted) {
  const own = labels.map((label) => label.replace(/^!/, ""));
  const has = (label) =>
    ofEveryRunner.includes(label) ||
    own.includes(label) ||
    own.some((each) => `${each.split("=")[0]}=*` === label && each.includes("="));
  const must = labels.filter((label) => label.startsWith("!")).map((label) => label.slice(1));
  return (
    wanted.every((label) => (label.startsWith("!") ? !has(label.slice(1)) : has(label))) &&
    must.every((label) => wanted.includes(label) || wanted.includes(`${label.split("=")[0]}=*`))
  );
}

/** Jobs that wait and that no free slot of a connected runner could take; a slot that fits several sets is counted once. */
function missing(sets) {
  const fitting = sets.filter((set) => fits(set.labels));
  const queued = fitting.reduce((sum, set) => sum + set.queued, 0);
  const idle = Math.max(0, ...fitting.map((set) => set.idle));
  return Math.max(0, queued - idle);
}

/** The daemon mounts directories of jobs, so the runner's has the same path in its container. Secrets are not in arguments. */
function containerOf(env) {
  const ca = env.FORGELINE_RUNNER_CA_FILE;
  const mounts = ["/var/run/docker.sock", env.FORGELINE_RUNNER_DIR, ...(ca ? [ca] : [])];
  return [
    "run",
    "--rm",
    `--name=${env.FORGELINE_RUNNER_NAME}`,
    ...mounts.map((path) => `--volume=${path}:${path}`),
    ...Object.keys(env).flatMap((name) => (name.startsWith("FORGELINE_RUNNER_") ? [`--env=${name}`] : [])),
    ...(process.env["SCALE_DOCKER_OPTIONS"] ?? "").split(/\s+/).filter(Boolean),
    image,
  ];
}

/** In a group of its own: Ctrl-C in a terminal is for this program, which lets the runners finish. */
function spawnRunner(env) {
  const [program, args] = image ? ["docker", containerOf(env)] : ["/bin/sh", ["-c", `exec ${command}`]];
  return spawn(program, args, { stdio: ["ignore", "inherit", "inherit"], detached: true, env });
}

async function start() {
  const { token: registration } = await ask("POST", `${scope}/registration-tokens`);
  const directory = await mkdtemp(join(tmpdir(), "forgeline-scaled-"));
  const name = `scaled-${process.pid}-${Date.now().toString(36)}-${runners.size}`;
  const child = spawnRunner({
    ...process.env,
    FORGELINE_TOKEN: "",
    FORGELINE_RUNNER_URL: setting("FORGELINE_URL"),
    FORGELINE_RUNNER_TOKEN: registration,
    FORGELINE_RUNNER_NAME: name,
    FORGELINE_RUNNER_LABELS: labels.join(","),
    FORGELINE_RUNNER_ONE_JOB: "true",
    FORGELINE_RUNNER_DIR: directory,
  });
  const runner = { name, child, startedMs: Date.now(), isTold: false };
  runners.add(runner);
  console.log(`started ${name} (${runners.size} of ${max})`);
  child.on("error", (error) => console.error(`${name}: ${error.message}`));
  child.on("close", (code) => {
    runners.delete(runner);
    console.log(`${name} ended with ${code}`);
    // A container's runner is root, and what it leaves here may not be ours to remove.
    rm(directory, { recursive: true, force: true }).catch((error) =>
      console.error(`${name}: ${error.message}`),
    );
  });
}

/** A runner that has a job finishes it; one that got none ends. Only once: a second TERM would end the job as well. */
function letEnd(runner) {
  if (runner.isTold) return;
  runner.isTold = true;
  runner.child.kill("SIGTERM");
}

function endIdle() {
  for (const runner of runners) if (Date.now() - runner.startedMs > idleMs) letEnd(runner);
}

async function look() {
  const { label_sets: sets } = await ask("GET", `${scope}/demand`);
  // Those that have just been started may not be connected, so they count as if they were idle.
  const starting = [...runners].filter(({ startedMs }) => Date.now() - startedMs < 15_000).length;
  const more = Math.min(max - runners.size, missing(sets) - starting);
  for (let i = 0; i < more && !isEnding; i++) await start();
}

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"])
  process.on(signal, () => {
    isEnding = true;
    runners.forEach(letEnd);
  });
while (!isEnding) {
  await look().catch((error) => console.error(`scale-runners: ${reasonOf(error)}`));
  endIdle();
  for (let waited = 0; waited < everyMs && !isEnding; waited += 200) await delay(200);
}
while (runners.size > 0) await delay(200);
