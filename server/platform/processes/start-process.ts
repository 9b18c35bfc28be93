/** Starts a program that has a handle 3, which the small process cannot give it: Node would leave that one unblocking. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Duplex } from "node:stream";
import { lowerPriority } from "./lower-priority.ts";
import { describeProcess, type ProcessStart, type StartedProcess } from "./started-process.ts";

export interface StartWithHandle3 extends Omit<ProcessStart, "stdio"> {
  /** An open file of ours that it has as handle 4, as has all that it starts. */
  inherits?: number | undefined;
}

/** Rejects when it cannot be started. Our process stands still for as long as that takes. */
export async function startProcess({ inherits, ...start }: StartWithHandle3): Promise<StartedProcess> {
  const child = spawn(start.program, [...start.args], {
    cwd: start.directory,
    env: { ...start.env },
    stdio: ["pipe", "pipe", "pipe", "pipe", inherits],
    // An own process group: a Ctrl-C in our terminal does not end it, and one signal ends all that it starts.
    detached: true,
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", (exitCode) => resolve(exitCode)));
  await once(child, "spawn");
  if (start.niceness > 0) lowerPriority(child.pid!, start.niceness);
  const { stdin, stdout, stderr, stdio } = child;
  const handles = { stdin, stdout, stderr, handle3: stdio[3] as Duplex };
  return describeProcess({ pid: child.pid!, handles, exited, unref: () => child.unref() });
}
