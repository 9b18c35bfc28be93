/** A runner of another user than the tests': one process for all jobs of a test file, since a start costs half a second. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { compileCache } from "../../support/compile-cache.ts";
import { programFile } from "../../support/program-bundles.ts";
import type { AgentAnswer, AgentJob, AgentReport } from "./job.ts";

export interface OtherUser {
  uid: number;
  gid: number;
  env: Record<string, string>;
  /** What starts the process, with its options; without it Node itself. */
  inside?: readonly [program: string, ...options: string[]];
}

export interface UsersAgent {
  run(job: AgentJob): Promise<AgentReport>;
  close(): Promise<void>;
}

export function startAgent({ uid, gid, env, inside }: OtherUser): UsersAgent {
  const child = fork(programFile("test/hostile/support/agent.ts"), {
    uid,
    gid,
    cwd: "/",
    env: { ...process.env, ...compileCache, ...env },
    execPath: inside?.[0] ?? process.execPath,
    execArgv: inside === undefined ? [] : [...inside.slice(1), process.execPath],
  });
  const ended = once(child, "exit");
  return {
    run: (job) => ask(child, job),
    async close() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** Rejects as the job did, or where the process ends before. */
function ask(child: ChildProcess, job: AgentJob): Promise<AgentReport> {
  const { promise, resolve, reject } = Promise.withResolvers<AgentReport>();
  const onMessage = (answer: AgentAnswer): void => {
    if (answer.runnerId !== job.runnerId) return;
    if ("report" in answer) resolve(answer.report);
    else reject(new Error(answer.failure));
  };
  const onExit = (): void => reject(new Error("the runner's process ended"));
  child.on("message", onMessage);
  child.once("exit", onExit);
  child.send(job);
  return promise.finally(() => {
    child.off("message", onMessage);
    child.off("exit", onExit);
  });
}
