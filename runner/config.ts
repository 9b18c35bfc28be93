/**
 * The runner's settings: what `register` wrote into the home directory, and the environment, which wins. The only
 * file of the runner that reads `process.env`.
 */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { RunnerLimits } from "@forgeline/schemas/runner-protocol/limits.ts";
import { jobLimits, readMachine } from "./limits.ts";
import { readConnectionTable, shareOfTable } from "./egress/connection-limit.ts";
import { readTrustedKeys, type TrustedKey } from "./signed-jobs/trusted-keys.ts";
import type { EgressSettings } from "./egress/settings.ts";
import { RunnerEnvironment } from "./environment.ts";
import { engineOf } from "./executor-settings.ts";
import { writeWhole } from "./write-whole.ts";
import { withExecutorLabel } from "@forgeline/schemas/runners/executor.ts";

/** `runner.json` in the home directory, mode 0600. */
export const RunnerFile = z.object({
  id: z.string(),
  credential: z.string(),
  connect_url: z.string(),
  name: z.string(),
  labels: z.array(z.string()),
  capacity: z.number().int().min(1),
  ca_file: z.string().nullable(),
  /** Ends after one job. Not in files of earlier versions. */
  one_job: z.boolean().default(false),
});
export type RunnerFile = z.input<typeof RunnerFile>;

export interface RunnerConfig {
  home: string;
  runnerId: string;
  /** With which it was registered. */
  name: string;
  connectUrl: string;
  /** Where this machine reaches the server, `https://HOST`, when not under the server's own name. */
  serverUrl: string | null;
  credential: string;
  labels: string[];
  capacity: number;
  /** Ends after one job. */
  oneJob: boolean;
  limits: RunnerLimits;
  /** Null: every job of the server is executed. */
  trustedKeys: TrustedKey[] | null;
  caFile: string | null;
  /** Text of `caFile`. */
  ca: string | null;
  extraHosts: string[];
  egress: EgressSettings;
  /** It takes privileged jobs. */
  privileged: boolean;
  engine: "docker" | "fake" | "process";
  dockerHost: string | null;
  localImages: string[];
  poolSize: number;
  /** Null: no image is ever removed. */
  imageCacheBytes: number | null;
  minFreeBytes: number;
  diskReserveBytes: number;
  keepBytes: number;
  offlineLimitMs: number;
  opensShells: boolean;
  logLevel: RunnerEnvironment["FORGELINE_RUNNER_LOG_LEVEL"];
  /** Environment of programs that the runner starts on the host. */
  hostEnv: Record<string, string>;
}

/** `given` (the command line) wins over the environment. Throws an `Error` that lists every problem at once. */
export function readEnvironment(
  given: Record<string, string | undefined> = {},
  env: NodeJS.ProcessEnv = process.env,
): RunnerEnvironment {
  const entries = [...Object.entries(env), ...Object.entries(given)];
  const set = Object.fromEntries(entries.filter(([, value]) => value !== "" && value !== undefined));
  const parsed = RunnerEnvironment.safeParse(set);
  if (parsed.success) return parsed.data;
  const nameOf = (setting: string) => (given[setting] === undefined ? setting : optionOf(setting));
  const problems = parsed.error.issues.map((issue) => `${nameOf(issue.path.join("."))}: ${issue.message}`);
  throw new Error(`the runner's settings are not valid:\n  ${problems.join("\n  ")}`);
}

/** As the command line calls it. */
function optionOf(setting: string): string {
  const name = setting.replace("FORGELINE_RUNNER_", "").replace("_FILE", "");
  return `--${name.toLowerCase().replaceAll("_", "-")}`;
}

/** The whole configuration of `start`. Throws when the runner is not registered here. */
export async function readConfig(env: RunnerEnvironment): Promise<RunnerConfig> {
  const file = await readRunnerFile(env.FORGELINE_RUNNER_DIR);
  const caFile = env.FORGELINE_RUNNER_CA_FILE ?? file.ca_file;
  const capacity = file.one_job ? 1 : (env.FORGELINE_RUNNER_CAPACITY ?? file.capacity);
  const serverUrl = env.FORGELINE_RUNNER_URL ? serverOrigin(env.FORGELINE_RUNNER_URL) : null;
  const connectUrl = reachedAt(file.connect_url, serverUrl?.replace(/^https:/, "wss:") ?? null);
  return {
    home: env.FORGELINE_RUNNER_DIR,
    runnerId: file.id,
    name: file.name,
    connectUrl,
    serverUrl,
    credential: file.credential,
    labels: withExecutorLabel(env.FORGELINE_RUNNER_LABELS ?? file.labels, env.FORGELINE_RUNNER_EXECUTOR),
    capacity,
    oneJob: file.one_job,
    limits: jobLimits(await readMachine(env.FORGELINE_RUNNER_DIR), capacity, env),
    trustedKeys: env.FORGELINE_RUNNER_TRUSTED_KEYS
      ? await readTrustedKeys(env.FORGELINE_RUNNER_TRUSTED_KEYS)
      : null,
    caFile,
    ca: await readCa(caFile),
    extraHosts: env.FORGELINE_RUNNER_EXTRA_HOSTS,
    egress: await egressOf(env, { connectUrl, capacity }),
    privileged: env.FORGELINE_RUNNER_PRIVILEGED === "allow",
    engine: engineOf(env),
    dockerHost: env.FORGELINE_RUNNER_DOCKER_HOST ?? env.DOCKER_HOST ?? null,
    localImages: env.FORGELINE_RUNNER_LOCAL_IMAGES,
    poolSize: env.FORGELINE_RUNNER_POOL,
    imageCacheBytes: env.FORGELINE_RUNNER_IMAGE_CACHE_BYTES ?? null,
    minFreeBytes: env.FORGELINE_RUNNER_MIN_FREE_BYTES,
    diskReserveBytes: env.FORGELINE_RUNNER_DISK_RESERVE_BYTES,
    keepBytes: env.FORGELINE_RUNNER_KEEP_BYTES,
    offlineLimitMs: env.FORGELINE_RUNNER_OFFLINE_LIMIT_MS,
    // A terminal needs a program that not every machine has.
    opensShells: env.FORGELINE_RUNNER_SHELLS === "on" && env.FORGELINE_RUNNER_EXECUTOR === "docker",
    logLevel: env.FORGELINE_RUNNER_LOG_LEVEL,
    hostEnv: hostEnv(env),
  };
}

async function readRunnerFile(home: string): Promise<z.output<typeof RunnerFile>> {
  const text = await readFile(join(home, "runner.json"), "utf8").catch(() => null);
  if (text === null) throw new Error(`no runner is registered in ${home}; run \`register\` first`);
  const file = RunnerFile.parse(JSON.parse(text));
  if (!file.connect_url.startsWith("wss://"))
    throw new Error("the runner speaks to its server over TLS (wss://) only");
  return file;
}

async function egressOf(
  env: RunnerEnvironment,
  { connectUrl, capacity }: { connectUrl: string; capacity: number },
): Promise<EgressSettings> {
  return {
    mode: env.FORGELINE_RUNNER_EGRESS,
    allow: env.FORGELINE_RUNNER_EGRESS_ALLOW,
    serverUrl: connectUrl,
    extraHosts: env.FORGELINE_RUNNER_EXTRA_HOSTS,
    connections: env.FORGELINE_RUNNER_MAX_CONNECTIONS ?? shareOfTable(await readConnectionTable(), capacity),
  };
}

/** `https://HOST` of a server's address, with or without `/api/v1`. Throws unless it is https. */
export function serverOrigin(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.protocol !== "https:") throw new Error("the server's address must begin with https://");
  return url.origin;
}

/** The same address at another origin; unchanged without one. */
export function reachedAt(address: string, origin: string | null): string {
  if (origin === null) return address;
  const { pathname, search } = new URL(address);
  return `${origin}${pathname}${search}`;
}

export async function readCa(path: string | null | undefined): Promise<string | null> {
  return path ? readFile(path, "utf8") : null;
}

function hostEnv(env: RunnerEnvironment): Record<string, string> {
  const { PATH, HTTPS_PROXY, HTTP_PROXY, NO_PROXY } = env;
  const named = { PATH, HTTPS_PROXY, HTTP_PROXY, NO_PROXY };
  return Object.fromEntries(
    Object.entries(named).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}

/** Writes `runner.json` so that only the operator's user can read it. */
export async function writeRunnerFile(home: string, file: RunnerFile): Promise<string> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const path = join(home, "runner.json");
  await writeWhole(path, `${JSON.stringify(file, null, 2)}\n`);
  return path;
}
