/** The leases that `hello` names: those of jobs, with what can be sent again of their logs, and accepted offers. */
import type { z } from "zod";
import type { HeldLease } from "@forgeline/schemas/runner-protocol/messages.ts";
import type { LogSender } from "./logs/log-sender.ts";
import type { JobRecord } from "./state/job-record.ts";

export function heldLeases(
  records: readonly JobRecord[],
  accepted: readonly { attemptId: string; epoch: number }[],
  sender: LogSender,
): z.infer<typeof HeldLease>[] {
  const held = records.map(({ attemptId, epoch, state, streams }) => ({
    attemptId,
    epoch,
    state,
    streams: Object.fromEntries(
      Object.keys(streams).map((id) => [id, sender.range(id) ?? { from: 0, end: 0 }]),
    ),
  }));
  return [...held, ...accepted.map((lease) => ({ ...lease, state: "accepted" as const, streams: {} }))];
}
