/** The runner that every instance brings: registered once by a command of the server, then started like any other. */
import { readFile, rename, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { baseImageName } from "./base-image.ts";
import { observeProcess } from "./process-observer.ts";
import { checkout, registerRunner, runnerEnvironment, type InstanceFacts } from "./server-processes.ts";
import { supervise, type SupervisedProcess } from "./supervisor.ts";
import { waitFor } from "./wait-for.ts";

export interface LocalRunnerFacts extends InstanceFacts {
  /** In whose name it is registered. */
  administrator: string;
  dockerHost: string;
}

const runnerName = "local";

export async function startLocalRunner(facts: LocalRunnerFacts): Promise<SupervisedProcess> {
  const { console, signal } = facts;
  console.say("runner", "starting");
  const entry = [...process.execArgv, join(checkout, "runner/main.ts")];
  const env = {
    FORGELINE_RUNNER_LOCAL_IMAGES: baseImageName,
    ...runnerEnvironment(facts.config),
    DOCKER_HOST: facts.dockerHost,
    FORGELINE_RUNNER_DIR: facts.paths.runner,
    // The public name need not lead here, and ports may have changed since the registration.
    FORGELINE_RUNNER_URL: facts.addresses.localUrl,
  };
  const id = (await knownRunner(facts)) ?? (await register(facts));
  const isOnline = async () => ((await localRunnerStatus(facts.ports, id)) === "online" ? true : undefined);
  const observer = await observeProcess(facts, "runner", isOnline);
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
  await waitFor(isOnline, {
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

/** The id of an earlier start's registration; undefined without one, and when the runner was removed since. */
async function knownRunner(facts: LocalRunnerFacts): Promise<string | undefined> {
  const text = await readFile(runnerFile(facts), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const { id } = JSON.parse(text) as { id: string };
  return (await localRunnerStatus(facts.ports, id)) === undefined ? undefined : id;
}

function runnerFile({ paths }: LocalRunnerFacts): string {
  return join(paths.runner, "runner.json");
}

/** Writes what `forgeline-runner register` would, and returns the new runner's id. */
async function register(facts: LocalRunnerFacts): Promise<string> {
  const registered = await registerRunner(facts, {
    administrator: facts.administrator,
    name: runnerName,
    capacity: capacity(),
  });
  const file = {
    ...registered,
    labels: [`os=${process.platform}`, `arch=${process.arch}`],
    capacity: capacity(),
    ca_file: facts.certificates.caFile,
  };
  await writeFile(`${runnerFile(facts)}.new`, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  await rename(`${runnerFile(facts)}.new`, runnerFile(facts));
  return registered.id;
}

/**
 * By the server's port of metrics, which asks for no token and counts against nobody's limit: what a person has used up must not
 * keep their instance from starting. Undefined when the server knows of no such runner; rejects when it does not answer as it should.
 */
export async function localRunnerStatus(
  { metrics }: Pick<InstanceFacts["ports"], "metrics">,
  id: string,
): Promise<string | undefined> {
  const response = await fetch(`http://127.0.0.1:${metrics}/runners/${id}`, {
    signal: AbortSignal.timeout(10_000),
  });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`the status of runner ${id}: HTTP ${response.status}`);
  return ((await response.json()) as { status: string }).status;
}
