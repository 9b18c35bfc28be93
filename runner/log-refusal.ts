/** What the operator is told when the server wants nothing more of this runner. */
import type { Logger } from "pino";
import type { RunnerConfig } from "./config.ts";
import type { Refusal } from "./connection/link.ts";
import type { StateFile } from "./state/state-file.ts";

interface RefusedRunner {
  config: Pick<RunnerConfig, "oneJob">;
  state: Pick<StateFile, "jobs">;
  logger: Pick<Logger, "info" | "error">;
}

/**
 * An error with what to do, except for the end that a runner for one job is made for: the server removes it as soon as it has the
 * result, which can be before the runner has cleaned up. `hasHadJob`: it had one, or was told to leave.
 */
export function logRefusal(
  { config, state, logger }: RefusedRunner,
  { reason, isRemoved }: Refusal,
  hasHadJob: boolean,
): void {
  const isOver = hasHadJob && state.jobs().every(({ result }) => result !== null);
  if (isRemoved && config.oneJob && isOver)
    logger.info("the job of this runner for one job is over, and the server has removed the runner");
  else logger.error(reason);
}
