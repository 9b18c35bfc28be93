/** The API server and the workflow worker as processes: their environment, commands, and how we know they are ready. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { InstanceAddresses } from "./addresses.ts";
import type { Certificates } from "./certificates.ts";
import { serverCache, type LauncherConfig } from "./config.ts";
import { localRequest } from "./https-client.ts";
import type { InstancePorts } from "./instance-ports.ts";
import type { PostgresCluster } from "./postgres/cluster.ts";
import { nodeOptions } from "./node-options.ts";
import { observeProcess, type ObserverOptions } from "./process-observer.ts";
import { run } from "./run.ts";
import { supervise, type SupervisedProcess } from "./supervisor.ts";
import { waitFor } from "./wait-for.ts";

export const checkout = dirname(dirname(fileURLToPath(import.meta.url)));

export interface InstanceFacts extends ObserverOptions {
  config: LauncherConfig;
  ports: InstancePorts;
  addresses: InstanceAddresses;
  certificates: Certificates;
  temporalAddress: string;
  cluster: PostgresCluster;
}

export type ServerPart = "api-server" | "worker";

const entries = {
  "api-server": ["server/main.ts", "serve"],
  worker: ["workflows/worker/main.ts"],
} as const;

export function serverEnvironment(facts: InstanceFacts, part: ServerPart): NodeJS.ProcessEnv {
  const { paths, ports, addresses, certificates, cluster } = facts;
  return {
    ...inheritedEnvironment(facts.config),
    FORGELINE_DATABASE_URL: cluster.url("app", "forgeline"),
    TEMPORAL_ADDRESS: facts.temporalAddress,
    FORGELINE_LISTEN: addresses.listen.join(","),
    FORGELINE_HTTPS_PORT: String(ports.https),
    FORGELINE_HTTP_PORT: String(ports.http),
    FORGELINE_SSH_PORT: String(ports.ssh),
    FORGELINE_PUBLIC_URL: addresses.publicUrl,
    FORGELINE_JOB_URL: addresses.jobUrl,
    FORGELINE_TLS_CERT_FILE: certificates.certFile,
    FORGELINE_TLS_KEY_FILE: certificates.keyFile,
    FORGELINE_TLS_CA_FILE: certificates.caFile,
    FORGELINE_METRICS_PORT: String(part === "worker" ? ports.workerMetrics : ports.metrics),
    FORGELINE_DATA_DIR: paths.data,
    FORGELINE_CACHE_DIR: serverCache(facts.config),
    FORGELINE_OBJECT_STORE: `file://${paths.objects}`,
    FORGELINE_DOWNLOADS_DIR: paths.downloads,
    FORGELINE_WEB_DIR: join(checkout, "web", "dist"),
  };
}

/** What a child needs of ours: programs and a home; nothing that could change its settings by accident. */
export function inheritedEnvironment({ inherited, cache }: LauncherConfig): NodeJS.ProcessEnv {
  // Timers, limits and the address of traces that tests and operators set for the server pass through.
  const settings = Object.entries(inherited).filter(
    ([name]) => /^(FORGELINE|OTEL)_/.test(name) && !launcherOnly.has(name),
  );
  return {
    PATH: inherited["PATH"],
    HOME: inherited["HOME"],
    LANG: inherited["LANG"] ?? "C.UTF-8",
    // Compiling is half of a program's start.
    NODE_COMPILE_CACHE: join(cache, "compiled"),
    ...Object.fromEntries(settings),
  };
}

const launcherOnly = new Set(["FORGELINE_HOME", "FORGELINE_CACHE"]);

/** The same for a runner, which executes what others wrote: without the settings that hold secrets of the server or of its collector of traces. */
export function runnerEnvironment(config: LauncherConfig): NodeJS.ProcessEnv {
  const environment = Object.entries(inheritedEnvironment(config));
  return Object.fromEntries(
    environment.filter(([name]) => !serverSecrets.has(name) && !name.startsWith("OTEL_")),
  );
}

const serverSecrets = new Set([
  "FORGELINE_DATABASE_URL",
  "FORGELINE_KEY",
  "FORGELINE_KEY_FILE",
  "FORGELINE_KEY_PROGRAM",
  "FORGELINE_S3_ACCESS_KEY_ID",
  "FORGELINE_S3_SECRET_ACCESS_KEY",
  "FORGELINE_SMTP_URL",
]);

/** Applies migrations as the owner role. */
export async function prepareDatabase(facts: InstanceFacts): Promise<void> {
  await serverCommand(facts, ["migrate"], {});
}

export interface Repaired {
  findings: { kind: string; subject: string; text: string }[];
  /** Where the same stands for people. */
  file: string;
}

/** Brings database, repositories and objects together after a restore; no server may run yet. */
export function repairInstance(facts: InstanceFacts): Promise<Repaired> {
  return serverAnswer(facts, ["repair"], {});
}

/** Makes the administrator unless there is one, and returns a token with every scope. */
export async function createAdmin(
  facts: InstanceFacts,
  admin: { username: string; password: string },
): Promise<string> {
  const { token } = await serverAnswer<{ token: string }>(
    facts,
    ["create-admin", "--username", admin.username],
    { FORGELINE_ADMIN_PASSWORD: admin.password },
  );
  return token;
}

export interface RegisteredRunner {
  id: string;
  name: string;
  credential: string;
  connect_url: string;
}

/** Registers a runner of the instance, without a request that would count against somebody's limit. */
export function registerRunner(
  facts: InstanceFacts,
  runner: { administrator: string; name: string; capacity: number },
): Promise<RegisteredRunner> {
  const { administrator, name, capacity } = runner;
  const args = ["--for", administrator, "--name", name, "--capacity", String(capacity)];
  return serverAnswer(facts, ["register-runner", ...args], {});
}

/** The newest run of a repository, as the API shows it; null where there is none. */
export function newestRun<T>(facts: InstanceFacts, repository: string): Promise<T | null> {
  return serverAnswer(facts, ["newest-run", "--repo", repository], {});
}

/** What a command of the server printed last. */
async function serverAnswer<T>(
  facts: InstanceFacts,
  args: readonly string[],
  extra: NodeJS.ProcessEnv,
): Promise<T> {
  const output = await serverCommand(facts, args, extra);
  return JSON.parse(output.trim().split("\n").at(-1) ?? "null") as T;
}

function serverCommand(
  facts: InstanceFacts,
  args: readonly string[],
  extra: NodeJS.ProcessEnv,
): Promise<string> {
  const env = {
    ...serverEnvironment(facts, "api-server"),
    FORGELINE_OWNER_DATABASE_URL: facts.cluster.url("owner", "forgeline"),
    FORGELINE_LOG_LEVEL: "warn",
    ...extra,
  };
  return run(process.execPath, [...process.execArgv, join(checkout, "server/main.ts"), ...args], {
    env,
    cwd: checkout,
    signal: facts.signal,
  });
}

export async function startNodeProcess(
  part: ServerPart,
  env: NodeJS.ProcessEnv,
  facts: InstanceFacts,
): Promise<SupervisedProcess> {
  const { console, signal } = facts;
  console.say(part, "starting");
  const probe = part === "worker" ? () => workerIsReady(facts) : () => apiServerIsReady(facts);
  const observer = await observeProcess(facts, part, probe);
  const [script, ...args] = entries[part];
  const child = supervise({
    name: part,
    command: process.execPath,
    args: [...process.execArgv, ...(nodeOptions[script] ?? []), join(checkout, script), ...args],
    env,
    cwd: checkout,
    stopTimeoutMs: 35_000,
    observer,
  });
  await waitFor(probe, {
    signal,
    what: `the start of ${part} (its log: ${observer.logPath})`,
    timeoutMs: 90_000,
    intervalMs: 100,
  }).catch(async (error: unknown) => {
    await child.stop();
    throw error;
  });
  console.ready(part, part === "worker" ? "ready" : `ready on ${facts.addresses.publicUrl}`);
  return child;
}

async function apiServerIsReady({ addresses, certificates }: InstanceFacts): Promise<true | undefined> {
  const { status } = await localRequest(`${addresses.localUrl}/readyz`, {
    caFile: certificates.caFile,
  });
  return status === 200 ? true : undefined;
}

async function workerIsReady({ ports }: InstanceFacts): Promise<true | undefined> {
  const response = await fetch(`http://127.0.0.1:${ports.workerMetrics}/readyz`, {
    signal: AbortSignal.timeout(2000),
  });
  return response.ok ? true : undefined;
}
