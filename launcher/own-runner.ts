/** The runner that every instance brings: registered once with a one-time token, then started like any other. */
import { access } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { localJson } from "./https-client.ts";
import { observeProcess } from "./process-observer.ts";
import { run } from "./run.ts";
import { checkout, inheritedEnvironment, type InstanceFacts } from "./server-processes.ts";
import { supervise, type SupervisedProcess } from "./supervisor.ts";
import { waitFor } from "./wait-for.ts";

export interface OwnRunnerFacts extends InstanceFacts {
  /** The administrator's. */
  token: string;
  dockerHost: string;
}

const runnerName = "local";

export async function startOwnRunner(facts: OwnRunnerFacts): Promise<SupervisedProcess> {
  const { console, signal } = facts;
  console.say("runner", "starting");
  const entry = [...process.execArgv, join(checkout, "runner/main.ts")];
  const env = {
    ...inheritedEnvironment(facts.config),
    DOCKER_HOST: facts.dockerHost,
    FORGELINE_RUNNER_DIR: facts.paths.runner,
  };
  if (!(await isRegistered(facts))) await register(facts, entry, env);
  const observer = await observeProcess(facts, "runner", () => isOnline(facts));
  const child = supervise({
    name: "runner",
    command: process.execPath,
    args: [...entry, "start"],
    env,
    cwd: facts.paths.runner,
    // Ends what runs after 10 s with the reason `infra`; only `runner drain` and TERM wait for jobs.
    stopSignal: "SIGINT",
    stopTimeoutMs: 40_000,
    observer,
  });
  await waitFor(() => isOnline(facts), {
    what: `the runner's connection (its log: ${observer.logPath})`,
    timeoutMs: 60_000,
    intervalMs: 100,
    signal,
  }).catch(async (error: unknown) => {
    await child.stop();
    throw error;
  });
  console.ready("runner", `ready: "${runnerName}", ${capacity()} jobs at once`);
  return child;
}

function capacity(): number {
  return Math.max(2, cpus().length);
}

function isRegistered({ paths }: OwnRunnerFacts): Promise<boolean> {
  return access(join(paths.runner, "runner.json")).then(
    () => true,
    () => false,
  );
}

async function register(
  facts: OwnRunnerFacts,
  entry: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const url = facts.addresses.localUrl;
  const { token } = await localJson<{ token: string }>(`${url}/api/v1/runners/registration-tokens`, {
    caFile: facts.certificates.caFile,
    method: "POST",
    token: facts.token,
    body: {},
  });
  const args = [
    "register",
    "--url",
    url,
    "--name",
    runnerName,
    "--capacity",
    String(capacity()),
    "--ca",
    facts.certificates.caFile,
  ];
  await run(process.execPath, [...entry, ...args], {
    env: { ...env, FORGELINE_RUNNER_TOKEN: token },
    signal: facts.signal,
  });
}

async function isOnline(facts: OwnRunnerFacts): Promise<true | undefined> {
  const runners = await localJson<{ name: string; status: string }[]>(
    `${facts.addresses.localUrl}/api/v1/runners?per_page=100`,
    {
      caFile: facts.certificates.caFile,
      token: facts.token,
    },
  );
  return runners.some((runner) => runner.name === runnerName && runner.status === "online")
    ? true
    : undefined;
}
