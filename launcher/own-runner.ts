/** The runner that every instance brings: registered once with a one-time token, then started like any other. */
import { readFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { localJson, localRequest } from "./https-client.ts";
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
    // The public name need not lead here, and ports may have changed since the registration.
    FORGELINE_RUNNER_URL: facts.addresses.localUrl,
  };
  const id = (await knownRunner(facts)) ?? (await register(facts, entry, env));
  const isOnline = async () => ((await runnerRecord(facts, id))?.status === "online" ? true : undefined);
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
async function knownRunner(facts: OwnRunnerFacts): Promise<string | undefined> {
  const text = await readFile(runnerFile(facts), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const { id } = JSON.parse(text) as { id: string };
  return (await runnerRecord(facts, id)) ? id : undefined;
}

function runnerFile({ paths }: OwnRunnerFacts): string {
  return join(paths.runner, "runner.json");
}

/** Returns the new runner's id. */
async function register(
  facts: OwnRunnerFacts,
  entry: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string> {
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
  return (JSON.parse(await readFile(runnerFile(facts), "utf8")) as { id: string }).id;
}

/** Undefined when the server knows of no such runner; rejects when it does not answer as it should. */
async function runnerRecord(facts: OwnRunnerFacts, id: string): Promise<{ status: string } | undefined> {
  const url = `${facts.addresses.localUrl}/api/v1/runners/${id}`;
  const { status, text } = await localRequest(url, {
    caFile: facts.certificates.caFile,
    token: facts.token,
  });
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`GET /runners/${id}: HTTP ${status}`);
  return JSON.parse(text) as { status: string };
}
