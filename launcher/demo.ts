/**
 * The demo: a repository made from `examples/hello`, pushed over HTTPS with the real `git`, and the pipeline that
 * the push starts, followed in this terminal by the command line that users have.
 */
import { spawn } from "node:child_process";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Console } from "./console.ts";
import type { HomePaths } from "./home.ts";
import { localJson, localRequest } from "./https-client.ts";
import type { Instance } from "./instance.ts";
import { run } from "./run.ts";
import { checkout } from "./server-processes.ts";

const demoName = "hello";

export interface DemoContext {
  instance: Instance;
  paths: HomePaths;
  console: Console;
  /** Inherited environment, for PATH and the like. */
  env: NodeJS.ProcessEnv;
  /** Ends what is under way. */
  signal: AbortSignal;
}

interface DemoRun {
  number: number;
  status: string;
  duration: number | null;
  web_url: string;
}

/** Pushes and follows; a demo that was pushed at an earlier start is only shown. Rejects when asked to stop. */
export async function runDemo(context: DemoContext): Promise<void> {
  const { instance, console } = context;
  const { username, token } = instance.secrets.admin;
  const api = `${instance.addresses.localUrl}/api/v1`;
  const access = { caFile: instance.certificates.caFile, token: token ?? "" };
  // Whether there is something to do counts against nobody's limit; what is then done is the administrator's own.
  const newest = await instance.newestRun<DemoRun>(`${username}/${demoName}`);
  if (newest) return showEarlier(console, newest);
  const there = await localRequest(`${api}/repos/${username}/${demoName}`, access);
  if (there.status === 404)
    await localJson(`${api}/repos`, {
      ...access,
      method: "POST",
      body: { name: demoName, description: "Forgeline's demo", default_branch: "main" },
    });
  console.ready(
    "demo",
    `pushing examples/hello to ${instance.addresses.publicUrl}/${username}/${demoName}.git`,
  );
  await pushDemo(context);
  console.blank();
  await follow(context);
}

function showEarlier(console: Console, { number, status, duration, web_url }: DemoRun): void {
  const time = duration === null ? "" : ` in ${duration} s`;
  console.ready(
    "demo",
    `is here from an earlier start; its newest run: #${number} ${status}${time}, ${web_url}`,
  );
}

async function pushDemo({ instance, paths, env, signal }: DemoContext): Promise<void> {
  const { username, token } = instance.secrets.admin;
  await rm(paths.demo, { recursive: true, force: true });
  await cp(join(checkout, "examples", "hello"), paths.demo, { recursive: true });
  const url = `${instance.addresses.localUrl}/${username}/${demoName}.git`;
  const gitEnv = {
    PATH: env["PATH"],
    HOME: paths.root,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_SSL_CAINFO: instance.certificates.caFile,
    GIT_AUTHOR_NAME: "Forgeline",
    GIT_AUTHOR_EMAIL: "demo@forgeline.invalid",
    GIT_COMMITTER_NAME: "Forgeline",
    GIT_COMMITTER_EMAIL: "demo@forgeline.invalid",
    // By environment, so that the token stands neither in the process list nor in .git/config.
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "http.extraHeader",
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${Buffer.from(`git:${token ?? ""}`).toString("base64")}`,
  };
  const git = (...args: string[]) => run("git", args, { cwd: paths.demo, env: gitEnv, signal });
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "Say hello");
  await git("remote", "add", "origin", url);
  // A start that was stopped after the push, before its run, has left another commit there.
  await git("push", "--quiet", "--force", "--set-upstream", "origin", "main");
}

/** By `forgeline pipeline watch`, which prints how the run ended. Rejects when asked to stop, and it is gone then. */
async function follow({ instance, paths, env, signal }: DemoContext): Promise<void> {
  const { username } = instance.secrets.admin;
  const args = [join(checkout, "cli/main.ts"), "pipeline", "watch", "--repo", `${username}/${demoName}`, "1"];
  const child = spawn(process.execPath, [...process.execArgv, ...args], {
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...env,
      FORGELINE_HOME: paths.root,
      FORGELINE_URL: instance.addresses.localUrl,
      FORGELINE_TOKEN: instance.secrets.admin.token ?? "",
      FORGELINE_CA_FILE: instance.certificates.caFile,
    },
  });
  const end = () => void child.kill("SIGTERM");
  signal.addEventListener("abort", end, { once: true });
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => resolve());
  });
  signal.removeEventListener("abort", end);
  signal.throwIfAborted();
}
