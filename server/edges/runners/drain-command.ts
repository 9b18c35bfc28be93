/** What a runner is told about draining. Pure. */
import type { RunnerConnection } from "../../domains/pipelines/domain.ts";

type Drain = Pick<RunnerConnection, "draining" | "drainMs">;

/** The time is the runner's to wait: clocks of machines differ. */
export function drainCommand({ draining, drainMs }: Drain) {
  const deadlineMs = drainMs === null ? null : Math.max(0, Math.round(drainMs));
  return { t: "drain", draining, deadlineMs: draining ? deadlineMs : null } as const;
}
