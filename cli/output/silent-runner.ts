/** What is to be known of a job whose runner does not answer. */
import { terminalSafe } from "./terminal-safe.ts";

export interface HeldJob {
  attempts: readonly {
    unreachable: boolean;
    ends_when_lost: boolean;
    runner: { name: string } | null;
  }[];
}

/** Null while it answers. */
export function silentRunner({ attempts }: HeldJob): string | null {
  const newest = attempts.at(-1);
  if (!newest?.unreachable) return null;
  const who = newest.runner ? `its runner, ${terminalSafe(newest.runner.name)},` : "its runner";
  const next = newest.ends_when_lost
    ? "the attempt ends as lost if that stays so"
    : "the job waits for it (rerun_if_lost: false); if it will not come back: forgeline pipeline declare-lost";
  return `unreachable: ${who} has been silent for some time; ${next}`;
}
