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
}

/** Resolves with true when the demo's pipeline succeeded. A demo that was pushed at an earlier start is left alone. */
export async function runDemo(context: DemoContext): Promise<boolean> {
  const { instance, console } = context;
  const { username, token } = instance.secrets.admin;
  const api = `https://localhost:${instance.ports.https}/api/v1`;
  const access = { caFile: instance.certificates.caFile, token: token ?? "" };
  const known = await localRequest(`${api}/repos/${username}/${demoName}/pipelines`, access);
  if (known.status === 200 && known.text !== "[]") return true;
  if (known.status === 404)
    await localJson(`${api}/repos`, {
      ...access,
      method: "POST",
      body: { name: demoName, description: "Forgeline's demo", default_branch: "main" },
    });
  console.ready("demo", `pushing examples/hello to ${instance.publicUrl}/${username}/${demoName}.git`);
  await pushDemo(context);
  console.blank();
  return (await follow(context)) === 0;
}

async function pushDemo({ instance, paths, env }: DemoContext): Promise<void> {
  const { username, token } = instance.secrets.admin;
  await rm(paths.demo, { recursive: true, force: true });
  await cp(join(checkout, "examples", "hello"), paths.demo, { recursive: true });
  const url = `https://localhost:${instance.ports.https}/${username}/${demoName}.git`;
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
  const git = (...args: string[]) => run("git", args, { cwd: paths.demo, env: gitEnv });
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", "--all");
  await git("commit", "--quiet", "--message", "Say hello");
  await git("remote", "add", "origin", url);
  await git("push", "--quiet", "--set-upstream", "origin", "main");
}

/** The exit status of `forgeline pipeline watch`, which is the pipeline's. */
function follow({ instance, paths, env }: DemoContext): Promise<number> {
  const { username } = instance.secrets.admin;
  const args = [
    ...process.execArgv,
    join(checkout, "cli/main.ts"),
    "pipeline",
    "watch",
    "--repo",
    `${username}/${demoName}`,
    "1",
  ];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...env,
      FORGELINE_HOME: paths.root,
      FORGELINE_URL: `https://localhost:${instance.ports.https}`,
      FORGELINE_TOKEN: instance.secrets.admin.token ?? "",
      FORGELINE_CA_FILE: instance.certificates.caFile,
    },
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}
