/**
 * Loads what runs pipelines here. It brings the engine of the runner and its client of Docker, which other commands do not
 * wait for; installed packages have it in a file of its own.
 */
import { UsageError } from "../../connection/settings.ts";

type Exec = typeof import("../../exec/execute.ts");
export type Project = Awaited<ReturnType<Exec["openProject"]>>;
export type Execution = Awaited<ReturnType<Exec["prepare"]>>;
export type JobReports = ReturnType<Execution["reports"]>[number];
export type ExecHandlers = Parameters<Execution["carryOut"]>[0];

export function loadExec(): Promise<Exec> {
  // oxlint-disable-next-line no-restricted-imports -- the one place that loads it, and only when it is asked for
  return import("../../exec/execute.ts");
}

/** Problems of its own, told by their name since they may come from another file than ours, become those of commands. */
export async function inOurWords(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "ExecProblem") throw error;
    const isWrongUse = (error as Error & { exitStatus: number }).exitStatus === 2;
    throw isWrongUse ? new UsageError(error.message) : new Error(error.message);
  }
}
