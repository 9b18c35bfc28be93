/** What jobs of a runner may reach, in words. */
import type { Schemas } from "@forgeline/client/schemas.ts";

type Egress = Schemas["RunnerEgress"];

const words: Record<Egress["state"], string> = {
  filtered: "the Internet, the server and their own services",
  unfiltered: "every network of the machine: it cannot filter",
  open: "every network of the machine, as its operator wants",
  unknown: "unknown: an older runner that does not say",
};

/** Rows of names and values. */
export function egressFields({ egress, last_seen_at: seenAt }: Schemas["Runner"]): [string, string][] {
  const { state, reason, allow } = egress;
  return [
    ["jobs reach", seenAt === null ? "unknown: it has never connected" : words[state]],
    ...(reason === null ? [] : [["why", reason] as [string, string]]),
    ...(allow.length === 0 ? [] : [["opened beside", allow.join(", ")] as [string, string]]),
  ];
}
