/**
 * The runner's settings: what `register` wrote into the home directory, and the environment, which wins. The only
 * file of the runner that reads `process.env`.
 */
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { RunnerLimits } from "@forgeline/schemas/runner-protocol/limits.ts";
import { limitSettings } from "./limit-settings.ts";
import { jobLimits, readMachine } from "./limits.ts";
import { readConnectionTable, shareOfTable } from "./egress/connection-limit.ts";
import { readTrustedKeys, type TrustedKey } from "./signed-jobs/trusted-keys.ts";
import { allowSetting, EgressMode, type EgressSettings } from "./egress/settings.ts";

const list = z.string().transform((text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);

export const RunnerEnvironment = z.object({
  FORGELINE_RUNNER_DIR: z
    .string()
    .default(() => join(homedir(), ".forgeline-runner"))
    .describe("Directory of the runner: its configuration, state, jobs and log spool."),
  FORGELINE_RUNNER_URL: z
    .string()
    .optional()
    .describe(
      "`register`: URL of the server, https://HOST. `start`: the URL to use for the connection and for Git, if the server is reached under another name than its own.",
    ),
  FORGELINE_RUNNER_TOKEN: z
    .string()
    .optional()
    .describe("`register`: the one-time registration token, svc_reg_…"),
  FORGELINE_RUNNER_NAME: z
    .string()
    .default(() => hostname())
    .describe("`register`: the name shown in lists; the host name by default."),
  FORGELINE_RUNNER_LABELS: list
    .optional()
    .describe("Labels that jobs can require, comma-separated, such as os=linux."),
  FORGELINE_RUNNER_CAPACITY: z.coerce
    .number()
    .int()
    .min(1)
    .max(256)
    .optional()
    .describe("Maximum number of jobs at a time."),
  FORGELINE_RUNNER_ONE_JOB: z
    .enum(["true", "false"])
    .default("false")
    .transform((text) => text === "true")
    .describe(
      "`register`: `true` registers a runner that takes one job, ends after it with 0, and is removed from the server.",
    ),
  FORGELINE_RUNNER_CA_FILE: z
    .string()
    .optional()
    .describe("PEM file of the authority that signed the server's certificate; it is passed to jobs too."),
  FORGELINE_RUNNER_TRUSTED_KEYS: z
    .string()
    .optional()
    .describe(
      "Keys that sign jobs: a file with one per line, or the lines themselves, comma-separated. With it, the runner executes nothing that they have not signed.",
    ),
  FORGELINE_RUNNER_EXTRA_HOSTS: list
    .default(["host.docker.internal:host-gateway"])
    .describe("host:address entries for the jobs' containers, comma-separated."),
  FORGELINE_RUNNER_EGRESS: EgressMode.default("filter").describe(
    "What jobs may reach. `filter`: the Internet, the server and their own services; `required`: the same, but the runner refuses to start if it cannot enforce that; `open`: everything that the machine can reach.",
  ),
  FORGELINE_RUNNER_EGRESS_ALLOW: list
    .pipe(allowSetting)
    .default([])
    .describe(
      "Networks and addresses that jobs may reach in addition, comma-separated, with or without a port: 10.1.2.0/24, 10.9.8.7:5432, [fd00::1]:443. To allow the machine itself, name its address; a network that contains it is not enough.",
    ),
  FORGELINE_RUNNER_PRIVILEGED: z
    .enum(["refuse", "allow"])
    .default("refuse")
    .describe(
      "Whether the runner takes privileged jobs: their containers are root on this machine. `allow` only on machines that serve repositories which you trust.",
    ),
  FORGELINE_RUNNER_ENGINE: z
    .enum(["docker", "fake"])
    .default("docker")
    .describe("Engine that runs the jobs; `fake` runs nothing and is meant for benchmarks."),
  FORGELINE_RUNNER_DOCKER_HOST: z
    .string()
    .optional()
    .describe(
      "Address of the Docker daemon, such as unix:///var/run/docker.sock; by default DOCKER_HOST, then the socket.",
    ),
  FORGELINE_RUNNER_LOCAL_IMAGES: list
    .default([])
    .describe(
      "Images on this machine that every job may use without a check by a registry, comma-separated; images that were built or imported here need not be listed, unless the daemon gives them digests as well.",
    ),
  FORGELINE_RUNNER_POOL: z.coerce
    .number()
    .int()
    .min(0)
    .max(64)
    .default(3)
    .describe("Number of containers of recently used images that are kept ready for jobs; 0 for none."),
  FORGELINE_RUNNER_IMAGE_CACHE_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe(
      "Maximum size, in bytes, of the images that were pulled for jobs; with more, those that jobs used longest ago are removed. By default, none is ever removed.",
    ),
  FORGELINE_RUNNER_MIN_FREE_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(1024 ** 3)
    .describe("Minimum free disk space, in bytes; with less, the runner rejects offers."),
  FORGELINE_RUNNER_DISK_RESERVE_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(256 * 1024 ** 2)
    .describe(
      "Free disk space to keep, in bytes; with less, the job that uses the most is ended with disk_quota.",
    ),
  FORGELINE_RUNNER_KEEP_BYTES: z.coerce
    .number()
    .int()
    .min(0)
    .default(4 * 1024 ** 3)
    .describe(
      "Disk space for what the runner keeps of caches and artifacts, in bytes, so that later jobs need not fetch it; 0 to keep nothing. The runner also keeps nothing with less than twice FORGELINE_RUNNER_MIN_FREE_BYTES free.",
    ),
  FORGELINE_RUNNER_OFFLINE_LIMIT_MS: z.coerce
    .number()
    .int()
    .min(1000)
    .default(30 * 60_000)
    .describe("How long jobs continue without a connection to the server, in milliseconds."),
  FORGELINE_RUNNER_SHELLS: z
    .enum(["on", "off"])
    .default("on")
    .describe("Whether people with Maintain can open shells in jobs on this runner."),
  ...limitSettings,
  FORGELINE_RUNNER_LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "silent"])
    .default("info")
    .describe("Minimum level of the messages that the runner logs."),
  DOCKER_HOST: z.string().optional().describe("As for the `docker` command."),
  PATH: z.string().default("/usr/local/bin:/usr/bin:/bin").describe("Where git is found."),
  HTTPS_PROXY: z.string().optional().describe("Proxy for Git."),
  HTTP_PROXY: z.string().optional().describe("Proxy for Git."),
  NO_PROXY: z.string().optional().describe("Hosts that Git reaches without the proxy."),
});
export type RunnerEnvironment = z.infer<typeof RunnerEnvironment>;

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
  engine: "docker" | "fake";
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
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new Error(`the runner's settings are not valid:\n  ${problems.join("\n  ")}`);
}

/** The whole configuration of `start`. Throws when the runner is not registered here. */
export async function readConfig(env: RunnerEnvironment): Promise<RunnerConfig> {
  const path = join(env.FORGELINE_RUNNER_DIR, "runner.json");
  const text = await readFile(path, "utf8").catch(() => null);
  if (text === null)
    throw new Error(`no runner is registered in ${env.FORGELINE_RUNNER_DIR}; run \`register\` first`);
  const file = RunnerFile.parse(JSON.parse(text));
  if (!file.connect_url.startsWith("wss://"))
    throw new Error("the runner speaks to its server over TLS (wss://) only");
  const caFile = env.FORGELINE_RUNNER_CA_FILE ?? file.ca_file;
  const capacity = file.one_job ? 1 : (env.FORGELINE_RUNNER_CAPACITY ?? file.capacity);
  const serverUrl = env.FORGELINE_RUNNER_URL ? serverOrigin(env.FORGELINE_RUNNER_URL) : null;
  const connectUrl = reachedAt(file.connect_url, serverUrl?.replace(/^https:/, "wss:") ?? null);
  return {
    home: env.FORGELINE_RUNNER_DIR,
    runnerId: file.id,
    connectUrl,
    serverUrl,
    credential: file.credential,
    labels: env.FORGELINE_RUNNER_LABELS ?? file.labels,
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
    engine: env.FORGELINE_RUNNER_ENGINE,
    dockerHost: env.FORGELINE_RUNNER_DOCKER_HOST ?? env.DOCKER_HOST ?? null,
    localImages: env.FORGELINE_RUNNER_LOCAL_IMAGES,
    poolSize: env.FORGELINE_RUNNER_POOL,
    imageCacheBytes: env.FORGELINE_RUNNER_IMAGE_CACHE_BYTES ?? null,
    minFreeBytes: env.FORGELINE_RUNNER_MIN_FREE_BYTES,
    diskReserveBytes: env.FORGELINE_RUNNER_DISK_RESERVE_BYTES,
    keepBytes: env.FORGELINE_RUNNER_KEEP_BYTES,
    offlineLimitMs: env.FORGELINE_RUNNER_OFFLINE_LIMIT_MS,
    opensShells: env.FORGELINE_RUNNER_SHELLS === "on",
    logLevel: env.FORGELINE_RUNNER_LOG_LEVEL,
    hostEnv: hostEnv(env),
  };
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
  await writeFile(`${path}.new`, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  await chmod(`${path}.new`, 0o600);
  await rename(`${path}.new`, path);
  return path;
}
