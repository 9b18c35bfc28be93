/** What the server is told about this machine: in `hello` and in every heartbeat. */
import { arch, hostname, loadavg, platform } from "node:os";
import type { RunnerExecutor } from "@forgeline/schemas/runners/executor.ts";
import type { RunnerConfig } from "./config.ts";

export interface MachineFacts {
  os: string;
  arch: string;
  hostname: string;
  clockMs: number;
}

export function machineFacts(): MachineFacts {
  return { os: platform(), arch: arch(), hostname: hostname(), clockMs: Date.now() };
}

/** What jobs find here. */
export function offered({ labels, capacity, limits, engine }: RunnerConfig) {
  const executor: RunnerExecutor = engine === "process" ? "process" : "docker";
  return { labels, capacity, limits, executor };
}

/** Load average of one minute. */
export function loadOfMinute(): number {
  return loadavg()[0] ?? 0;
}
