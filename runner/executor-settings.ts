/** Settings that decide how jobs are executed. */
import { z } from "zod";
import {
  foreignProcessLabel,
  processLabelRule,
  RunnerExecutor,
  withExecutorLabel,
} from "@forgeline/schemas/runners/executor.ts";
import type { RunnerEnvironment } from "./environment.ts";

export const executorSettings = {
  FORGELINE_RUNNER_EXECUTOR: RunnerExecutor.default("docker").describe(
    "`docker`: jobs run in containers. `process`: jobs run as processes of the runner's user, without any isolation; the runner then only takes jobs that ask for the label `executor=process`.",
  ),
  FORGELINE_RUNNER_PROCESS_AS_ROOT: z
    .enum(["true", "false"])
    .default("false")
    .transform((text) => text === "true")
    .describe("`true`: the executor `process` may run as root, so that every job is root on the machine."),
};

/** Throws where jobs would be root without the operator having said so twice. */
export function engineOf(
  env: Pick<
    RunnerEnvironment,
    "FORGELINE_RUNNER_ENGINE" | "FORGELINE_RUNNER_EXECUTOR" | "FORGELINE_RUNNER_PROCESS_AS_ROOT"
  >,
  userId: number | undefined = process.getuid?.(),
): "docker" | "fake" | "process" {
  if (env.FORGELINE_RUNNER_EXECUTOR === "docker") return env.FORGELINE_RUNNER_ENGINE;
  if (userId === 0 && !env.FORGELINE_RUNNER_PROCESS_AS_ROOT)
    throw new Error(
      "FORGELINE_RUNNER_EXECUTOR=process would run every job as root on this machine. Start the runner as a user made for it, or set FORGELINE_RUNNER_PROCESS_AS_ROOT=true as well.",
    );
  return "process";
}

/** With the one that the executor brings. Throws for that of another executor, with which no job would ever come. */
export function labelsOf(labels: readonly string[], executor: RunnerExecutor): string[] {
  if (foreignProcessLabel(labels, executor))
    throw new Error(`${processLabelRule} To run jobs so, set FORGELINE_RUNNER_EXECUTOR=process.`);
  return withExecutorLabel(labels, executor);
}
