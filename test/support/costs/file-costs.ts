/**
 * What one test file costs, seen from the process that runs it. Processor time of a child counts once the child has ended
 * and been waited for, with all that it had waited for itself.
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import type { ChildProcess } from "node:child_process";
import { processKind } from "./process-kind.ts";

export const phases = ["import", "setUp", "tests", "tearDown"] as const;
export type Phase = (typeof phases)[number];

export interface KindCosts {
  started: number;
  cpuMs: number;
}

export interface FileCosts {
  /** Of the test's own process, which holds API servers too. */
  ownMs: Record<Phase, number>;
  wallMs: Record<Phase, number>;
  kinds: Record<string, KindCosts>;
}

declare module "vitest" {
  interface TaskMeta {
    costs?: FileCosts;
  }
}

/** The kernel tells times of processes in hundredths of a second (proc(5), USER_HZ). */
const tickMs = 10;
const channel = "tracing:child_process.spawn:end";

export interface CostMeter {
  /** What was spent since the phase before counts as the phase that is named now. */
  endOf(phase: Phase): void;
  stop(): FileCosts;
}

export function meterCosts(): CostMeter {
  const zero = () => ({ import: 0, setUp: 0, tests: 0, tearDown: 0 });
  const costs: FileCosts = { ownMs: zero(), wallMs: zero(), kinds: {} };
  let children = childrenMs();
  let own = process.cpuUsage();
  let since = performance.now();

  function onSpawn(message: unknown): void {
    const child = (message as { process: ChildProcess }).process;
    const kind = processKind(child.spawnfile, child.spawnargs);
    const entry = (costs.kinds[kind] ??= { started: 0, cpuMs: 0 });
    entry.started += 1;
    child.once("exit", () => {
      const now = childrenMs();
      entry.cpuMs += now - children;
      children = now;
    });
  }
  subscribe(channel, onSpawn);

  function endOf(phase: Phase): void {
    const spent = process.cpuUsage(own);
    own = process.cpuUsage();
    costs.ownMs[phase] += (spent.user + spent.system) / 1000;
    const now = performance.now();
    costs.wallMs[phase] += now - since;
    since = now;
  }
  return {
    endOf,
    stop() {
      endOf("tearDown");
      unsubscribe(channel, onSpawn);
      return costs;
    },
  };
}

/** Processor time of children that have ended; elsewhere than on Linux nobody tells it. */
function childrenMs(): number {
  if (process.platform !== "linux") return 0;
  const text = readFileSync("/proc/self/stat", "utf8");
  // The name before may hold blanks; the fields meant are the 16th and 17th.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * tickMs;
}
