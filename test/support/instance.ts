/**
 * A whole Forgeline of its own for one test file, on the shared bed: API servers, a worker and runners as real
 * processes that a test may kill. Nothing is restarted by itself: a test says when.
 */
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Certificates } from "@forgeline/launcher/certificates.ts";
import { freeLowPort } from "@forgeline/launcher/free-port.ts";
import { localJson, localRequest } from "@forgeline/launcher/https-client.ts";
import { run } from "@forgeline/launcher/run.ts";
import { scopes } from "@forgeline/schemas/core/scopes.ts";
import { loadConfig } from "@forgeline/server/config/config.ts";
import { createContainer } from "@forgeline/server/container.ts";
import { readBed, type Bed } from "./bed.ts";
import { bundleCache } from "./bundle-cache.ts";
import { compileCache } from "./compile-cache.ts";
import { testDatabase, type TestDatabase } from "./database.ts";
import { passwordCost } from "./password-cost.ts";
import { eventually } from "./eventually.ts";
import { noRateLimits } from "./no-rate-limits.ts";
import { connectThrough } from "./connect-through.ts";
import { handOver, type TestRunnerOptions } from "./instance-runner.ts";
import { programFile } from "./program-bundles.ts";
import { endAll, startProgram, type Program } from "./program.ts";

export interface InstanceOptions {
  /** Number of API servers; default 1. */
  servers?: number;
  /** Whether API servers speak SSH; default false. */
  ssh?: boolean;
  /** Start a worker; default true. */
  worker?: boolean;
  /** Number of runners with the Docker engine; default 1. */
  runners?: number;
  runnerCapacity?: number;
  /** Environment of all programs, for example short intervals. */
  env?: Record<string, string>;
  /** Addresses other than the bed's own, for tests that put a proxy between. */
  temporalAddress?: string;
  databaseUrl?: (direct: string) => string;
  /** Addresses to listen on beside loopback; default: where jobs of the bed's Docker reach the machine. */
  listen?: string[];
  /** Base address that runners connect to, when not the first server's; `all` are those of all servers. */
  runnerUrl?: (direct: string, all: readonly string[]) => Promise<string>;
}

export interface TestServer {
  program: Program;
  url: string;
  metricsUrl: string;
  /** 0 without SSH. */
  sshPort: number;
}

export interface TestInstance {
  directory: string;
  bed: Bed;
  database: TestDatabase;
  certificates: Certificates;
  servers: TestServer[];
  worker: Program | undefined;
  /** Empty without a worker. */
  workerMetricsUrl: string;
  runners: TestRunner[];
  /** Of the first server, `https://localhost:PORT`. */
  url: string;
  adminToken: string;
  adminName: string;
  /** A JSON request to `{base_url}` as the administrator. Rejects unless 2xx. */
  api<T>(method: string, path: string, body?: unknown): Promise<T>;
  addRunner(name: string, options?: TestRunnerOptions): Promise<TestRunner>;
  /** Ends everything and removes every trace, also in Docker. */
  stop(): Promise<void>;
}

export interface TestRunner {
  name: string;
  directory: string;
  program: Program;
}

const adminName = "admin";
export const adminPassword = "correct horse battery staple";

export async function startTestInstance(options: InstanceOptions = {}): Promise<TestInstance> {
  const bed = await readBed();
  const database = await testDatabase();
  const directory = await mkdtemp(join(tmpdir(), "forgeline-instance-"));
  const listen = ["127.0.0.1", ...(options.listen ?? (bed.dockerGateway ? [bed.dockerGateway] : []))];
  const { certificates } = bed;
  const common = {
    PATH: process.env["PATH"],
    HOME: directory,
    ...compileCache,
    ...noRateLimits,
    ...options.env,
    FORGELINE_DATABASE_URL: options.databaseUrl?.(database.url) ?? database.url,
    FORGELINE_OWNER_DATABASE_URL: database.ownerUrl,
    TEMPORAL_ADDRESS: options.temporalAddress ?? bed.temporalAddress,
    FORGELINE_TASK_QUEUE: `test-${database.name}`,
    // A schedule would outlive the test.
    FORGELINE_MAINTENANCE_MINUTES: "0",
    FORGELINE_TLS_CERT_FILE: certificates.certFile,
    FORGELINE_TLS_KEY_FILE: certificates.keyFile,
    FORGELINE_TLS_CA_FILE: certificates.caFile,
    FORGELINE_LISTEN: listen.join(","),
    FORGELINE_DATA_DIR: join(directory, "data"),
    // Bundling workflows takes a second or two, and gives all instances the same.
    FORGELINE_CACHE_DIR: bundleCache,
    FORGELINE_OBJECT_STORE: `file://${join(directory, "objects")}`,
  };
  await mkdir(join(directory, "data"));
  const ready = { certificates, ssh: options.ssh ?? false };
  const [adminToken, servers, started] = await Promise.all([
    createAdmin(common),
    Promise.all(numbered("server", options.servers).map((name) => startServer(common, name, ready))),
    options.worker === false ? undefined : startWorker(common),
  ]);
  const url = servers[0]?.url ?? "";
  const urls = servers.map((server) => server.url);
  const worker = started?.program;
  const api = <T>(method: string, path: string, body?: unknown) =>
    localJson<T>(`${url}/api/v1${path}`, { caFile: certificates.caFile, token: adminToken, method, body });

  const runners: TestRunner[] = [];
  const makeRunner: TestInstance["addRunner"] = async (name, runnerOptions = {}) => {
    const { token } = await api<{ token: string }>("POST", "/runners/registration-tokens", {});
    const runnerDirectory = join(directory, name);
    await mkdir(runnerDirectory);
    runnerOptions.onDirectory?.(runnerDirectory);
    const { caFile, wrapper } = await handOver(runnerDirectory, certificates.caFile, runnerOptions.user);
    const connectTo = options.runnerUrl ? await options.runnerUrl(url, urls) : url;
    const { capacity = options.runnerCapacity ?? 4, labels } = runnerOptions;
    const env = {
      PATH: process.env["PATH"],
      HOME: directory,
      ...compileCache,
      // Most tests run a job or two, and containers that wait for more would be made and removed for nobody.
      FORGELINE_RUNNER_POOL: "0",
      ...options.env,
      ...runnerOptions.env,
      FORGELINE_RUNNER_DIR: runnerDirectory,
      FORGELINE_RUNNER_URL: connectTo,
      FORGELINE_RUNNER_TOKEN: token,
      FORGELINE_RUNNER_NAME: name,
      FORGELINE_RUNNER_CA_FILE: caFile,
      FORGELINE_RUNNER_CAPACITY: String(capacity),
      ...(labels ? { FORGELINE_RUNNER_LABELS: labels.join(",") } : {}),
    };
    if (options.runnerUrl) {
      await run(process.execPath, [programFile("runner/main.ts"), "register"], { env });
      await connectThrough(runnerDirectory, connectTo);
    }
    // It registers itself where that has not been done.
    const program = startProgram({ name, args: ["runner/main.ts", "start"], env, directory, wrapper });
    await runnerIsOnline(api, name);
    return { name, directory: runnerDirectory, program };
  };
  const addRunner: TestInstance["addRunner"] = async (name, runnerOptions) => {
    const runner = await makeRunner(name, runnerOptions);
    runners.push(runner);
    return runner;
  };
  runners.push(...(await Promise.all(numbered("runner", options.runners).map((name) => makeRunner(name)))));

  return {
    directory,
    bed,
    database,
    certificates,
    servers,
    worker,
    workerMetricsUrl: started?.metricsUrl ?? "",
    runners,
    url,
    adminToken,
    adminName,
    api,
    addRunner,
    async stop() {
      // Runners tell the server how their jobs ended.
      await endAll(
        runners.map(({ program }) => program),
        "SIGINT",
      );
      await endAll([...(worker ? [worker] : []), ...servers.map(({ program }) => program)], "SIGTERM");
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const numbered = (what: string, count = 1) => Array.from({ length: count }, (_, i) => `${what}-${i}`);

/** Answers with a token of every scope. As the command `create-admin`, without its process. */
async function createAdmin(common: NodeJS.ProcessEnv): Promise<string> {
  const container = await createContainer(loadConfig(common), { role: "command", passwordCost });
  try {
    const user = await container.accounts.users.ensureAdmin(adminName, adminPassword);
    const name = "create-admin";
    return (await container.accounts.tokens.createFor(user, { name, scopes, expiresInDays: null })).token;
  } finally {
    await container.close();
  }
}

/** All processes of the instance: servers, worker, runners. */
export function programsOf(instance: TestInstance): Program[] {
  const { servers, worker, runners } = instance;
  return [
    ...servers.map((server) => server.program),
    ...(worker ? [worker] : []),
    ...runners.map((runner) => runner.program),
  ];
}

export async function runnerIsOnline(api: TestInstance["api"], name: string): Promise<void> {
  await eventually(
    async () =>
      (await api<{ name: string; status: string }[]>("GET", "/runners")).some(
        (r) => r.name === name && r.status === "online",
      ),
    { timeoutMs: 60_000 },
  );
}

async function startServer(
  common: NodeJS.ProcessEnv,
  name: string,
  { certificates, ssh }: { certificates: Certificates; ssh: boolean },
): Promise<TestServer> {
  const httpsPort = await freeLowPort();
  const sshPort = ssh ? await freeLowPort() : 0;
  const metricsPort = await freeLowPort();
  const env = {
    ...common,
    FORGELINE_SERVER_NAME: name,
    FORGELINE_HTTPS_PORT: String(httpsPort),
    FORGELINE_HTTP_PORT: String(await freeLowPort()),
    FORGELINE_METRICS_PORT: String(metricsPort),
    ...(ssh ? { FORGELINE_SSH_PORT: String(sshPort) } : {}),
    FORGELINE_JOB_URL: `https://host.docker.internal:${httpsPort}`,
  };
  const program = startProgram({
    name,
    args: ["server/main.ts", "serve"],
    env,
    directory: common["HOME"] ?? tmpdir(),
  });
  const url = `https://localhost:${httpsPort}`;
  const server = { program, url, metricsUrl: `http://127.0.0.1:${metricsPort}`, sshPort };
  await serverIsReady(server, certificates);
  return server;
}

/** Resolves when a load balancer that looks at `/readyz` would leave the server out. */
export async function untilNotReady(server: TestServer, certificates: Certificates): Promise<void> {
  await eventually(
    async () => (await localRequest(`${server.url}/readyz`, { caFile: certificates.caFile })).status === 503,
  );
}

export async function serverIsReady(server: TestServer, certificates: Certificates): Promise<void> {
  await eventually(
    async () => (await localRequest(`${server.url}/readyz`, { caFile: certificates.caFile })).status === 200,
    { timeoutMs: 60_000 },
  ).catch(async (error: unknown) => {
    throw new Error(
      `${server.program.name} did not become ready:\n${(await readFile(server.program.logFile, "utf8")).slice(-3000)}`,
      { cause: error },
    );
  });
}

async function startWorker(common: NodeJS.ProcessEnv): Promise<{ program: Program; metricsUrl: string }> {
  const metricsPort = await freeLowPort();
  const program = startProgram({
    name: "worker",
    args: ["workflows/worker/main.ts"],
    env: { ...common, FORGELINE_METRICS_PORT: String(metricsPort) },
    directory: common["HOME"] ?? tmpdir(),
  });
  await eventually(async () => (await fetch(`http://127.0.0.1:${metricsPort}/readyz`)).ok, {
    timeoutMs: 60_000,
  }).catch(async (error: unknown) => {
    throw new Error(
      `the worker did not become ready:\n${(await readFile(program.logFile, "utf8")).slice(-3000)}`,
      { cause: error },
    );
  });
  return { program, metricsUrl: `http://127.0.0.1:${metricsPort}` };
}
