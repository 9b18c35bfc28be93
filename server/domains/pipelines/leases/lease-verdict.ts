/** Decides by the attempt's row whether a message about a lease counts. Pure. */
import type { LeaseState } from "./leases.ts";

/**
 * held: it is this runner's lease now · over: it was, and ended with this epoch, so this is a repetition · stale: a
 * newer epoch exists, or the offer was given back · foreign: another runner's · unknown: there is no such lease.
 */
export type LeaseVerdict = "held" | "over" | "stale" | "foreign" | "unknown";

export function judgeLease(
  state: Pick<LeaseState, "runnerId" | "epoch" | "state"> | undefined,
  claim: { runnerId: string; epoch: number },
): LeaseVerdict {
  if (!state) return "unknown";
  if (claim.epoch < state.epoch) return "stale";
  if (claim.epoch > state.epoch) return state.runnerId === claim.runnerId ? "unknown" : "foreign";
  if (state.runnerId === null) return "stale";
  if (state.runnerId !== claim.runnerId) return "foreign";
  if (state.state === "leased") return "held";
  return state.state === "ended" ? "over" : "unknown";
}
