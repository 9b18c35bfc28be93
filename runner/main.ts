/**
 * The runner's program: `register` trades a registration token for a credential, `start` runs jobs.
 * `start` registers first where nothing is registered yet and address and token are given.
 * Signals of `start`: TERM finishes the jobs and exits 0, a second TERM exits at once; INT ends the jobs after 10 s.
 */
import { access, mkdir, realpath, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { pino } from "pino";
import { Agent } from "./agent.ts";
import { openKeptParts, type KeptParts } from "./artifacts/kept-parts.ts";
import { openCacheUploads, type CacheUploads } from "./caches/cache-uploads.ts";
import { readCa, readConfig, readEnvironment, type RunnerConfig, writeRunnerFile } from "./config.ts";
import type { RunnerEnvironment } from "./environment.ts";
import { registerRunner } from "./connection/register.ts";
import { createEngine } from "./create-engine.ts";
import { labelsOf } from "./executor-settings.ts";
import { endWithStarter } from "./end-with-starter.ts";
import { raiseKernelTables } from "./kernel-tables.ts";
import { messageOf } from "./message-of.ts";
import { createJobGate } from "./signed-jobs/job-gate.ts";
import { createCommitFetcher } from "./workspace/fetch-commit.ts";
import { createConnectShell } from "./shells/connect-shell.ts";
import { StateFile } from "./state/state-file.ts";

const usage = `usage: forgeline-runner register --url URL --token TOKEN [--name NAME] [--labels a=b,c] [--capacity N] [--one-job] [--ca FILE] [--dir DIR]
       forgeline-runner start [--labels a=b,c] [--capacity N] [--dir DIR]
Every option can be given by environment as well: FORGELINE_RUNNER_URL, _TOKEN, _NAME, _LABELS, _CAPACITY, _ONE_JOB, _CA_FILE, _DIR.`;
const stopGraceMs = 10_000;
/** From SIGINT on, with what follows the grace: results, cleaning, and an engine that does not answer. */
const endMs = 40_000;

function readArguments(args: string[]): { command: string | undefined; env: RunnerEnvironment } {
  const text = { type: "string" } as const;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      url: text,
      token: text,
      name: text,
      labels: text,
      capacity: text,
      "one-job": { type: "boolean" },
      ca: text,
      dir: text,
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const given = {
    FORGELINE_RUNNER_URL: values.url,
    FORGELINE_RUNNER_TOKEN: values.token,
    FORGELINE_RUNNER_NAME: values.name,
    FORGELINE_RUNNER_LABELS: values.labels,
    FORGELINE_RUNNER_CAPACITY: values.capacity,
    FORGELINE_RUNNER_ONE_JOB: values["one-job"] ? "true" : undefined,
    FORGELINE_RUNNER_CA_FILE: values.ca,
    FORGELINE_RUNNER_DIR: values.dir,
  };
  return { command: values.help ? "help" : positionals[0], env: readEnvironment(given) };
}

async function register(env: RunnerEnvironment): Promise<number> {
  const { FORGELINE_RUNNER_URL: server, FORGELINE_RUNNER_TOKEN: token } = env;
  if (!server || !token) throw new Error(`register needs --url and --token\n${usage}`);
  const caFile = env.FORGELINE_RUNNER_CA_FILE ? resolve(env.FORGELINE_RUNNER_CA_FILE) : null;
  const name = env.FORGELINE_RUNNER_NAME;
  const labels = env.FORGELINE_RUNNER_LABELS ?? [`os=${process.platform}`, `arch=${process.arch}`];
  const oneJob = env.FORGELINE_RUNNER_ONE_JOB;
  const capacity = oneJob ? 1 : (env.FORGELINE_RUNNER_CAPACITY ?? 2);
  const registered = await registerRunner({
    server,
    token,
    name,
    labels: labelsOf(labels, env.FORGELINE_RUNNER_EXECUTOR),
    capacity,
    oneJob,
    ca: await readCa(caFile),
  });
  const path = await writeRunnerFile(resolve(env.FORGELINE_RUNNER_DIR), {
    ...registered,
    name,
    labels,
    capacity,
    ca_file: caFile,
    one_job: oneJob,
  });
  process.stdout.write(`registered as ${registered.id}; the credential is in ${path}\n`);
  return 0;
}

async function start(env: RunnerEnvironment): Promise<number> {
  await mkdir(resolve(env.FORGELINE_RUNNER_DIR), { recursive: true, mode: 0o700 });
  const home = await realpath(env.FORGELINE_RUNNER_DIR);
  await registerWhenNew(home, env);
  const config = await readConfig({ ...env, FORGELINE_RUNNER_DIR: home });
  const logger = createLogger(config.logLevel);
  const limits = { ...config.limits, connections: config.egress.connections };
  logger.info({ limits, capacity: config.capacity }, "limits of each job");
  const state = await StateFile.open(join(home, "state.json"));
  const commits = createCommitFetcher();
  const [kept, uploads] = [await keptParts(config), await cacheUploads(config)];
  const connectShell = config.opensShells ? { connectShell: createConnectShell(config) } : {};
  const gate = await createJobGate({ keys: config.trustedKeys, home, state, logger });
  const engine = createEngine(config, logger);
  const agent = new Agent({ config, engine, commits, state, gate, logger, kept, uploads, ...connectShell });
  process.on(
    "SIGTERM",
    once(() => agent.drain()),
  );
  process.on(
    "SIGINT",
    once(() => {
      agent.cancelAll(stopGraceMs);
      setTimeout(() => {
        logger.error({ waiting_ms: endMs, open: process.getActiveResourcesInfo() }, "did not end in time");
        process.exit(1);
      }, endMs).unref();
    }),
  );
  const { labels, capacity, privileged, imageCacheBytes: image_cache_bytes } = config;
  logger.info({ home, labels, capacity, privileged, image_cache_bytes }, "starting the runner");
  if (config.engine === "docker") await raiseKernelTables({ logger });
  try {
    const code = await agent.run();
    // For one job, or none if it was stopped before: a later start registers anew. What is not delivered yet still needs the credential.
    if (config.oneJob && code === 0 && state.jobs().length === 0)
      await rm(join(home, "runner.json"), { force: true });
    return code;
  } finally {
    commits.close();
  }
}

function createLogger(level: RunnerConfig["logLevel"]) {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });
}

function keptParts({ home, keepBytes: maxBytes, minFreeBytes }: RunnerConfig): Promise<KeptParts> {
  return openKeptParts({ directory: join(home, "kept"), maxBytes, minFreeBytes: 2 * minFreeBytes });
}

function cacheUploads({ home, keepBytes: maxBytes, minFreeBytes }: RunnerConfig): Promise<CacheUploads> {
  return openCacheUploads({ directory: join(home, "uploads"), maxBytes, minFreeBytes: 2 * minFreeBytes });
}

/** A container's first start: address and token are in its environment, and nothing is registered in its directory. */
async function registerWhenNew(home: string, env: RunnerEnvironment): Promise<void> {
  if (!env.FORGELINE_RUNNER_URL || !env.FORGELINE_RUNNER_TOKEN) return;
  const known = await access(join(home, "runner.json")).then(
    () => true,
    () => false,
  );
  if (!known) await register(env);
}

/** The first signal does it gently; the second ends the process. */
function once(gently: () => void): () => void {
  let asked = false;
  return () => {
    if (asked) process.exit(1);
    asked = true;
    gently();
  };
}

async function main(): Promise<number> {
  endWithStarter();
  const { command, env } = readArguments(process.argv.slice(2));
  if (command === "register") return register(env);
  if (command === "start") return start(env);
  const asked = command === "help";
  (asked ? process.stdout : process.stderr).write(`${usage}\n`);
  return asked ? 0 : 2;
}

try {
  process.exitCode = await main();
  process.exit();
} catch (error) {
  process.stderr.write(`forgeline-runner: ${messageOf(error)}\n`);
  process.exit(1);
}
