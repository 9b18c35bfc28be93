/** Answers to a runner about leases that are not, or no longer, its own. */
import type { LeaseVerdict } from "../../domains/pipelines/domain.ts";
import type { RunnerSession } from "./session.ts";

/** Tells the runner to drop the lease with all that belongs to it. */
export function revoke(session: RunnerSession, lease: { attemptId: string; epoch: number }): void {
  session.link.send({ t: "revoke", attemptId: lease.attemptId, epoch: lease.epoch });
  if (session.leases.get(lease.attemptId)?.epoch === lease.epoch) session.forget(lease.attemptId);
}

export async function verdictOf(
  session: RunnerSession,
  lease: { attemptId: string; epoch: number },
): Promise<LeaseVerdict> {
  const { attemptId, epoch } = lease;
  const { verdict } = await session.deps.leases.judge({ runnerId: session.runner.id, attemptId, epoch });
  return verdict;
}

/** Answers a message that does not change its lease: a repetition, or one about a lease of another runner. */
export async function settle(
  session: RunnerSession,
  message: { id: number; attemptId: string; epoch: number },
  verdict: LeaseVerdict,
): Promise<void> {
  const { link } = session;
  if (verdict === "held" || verdict === "over") return link.ack(message.id);
  if (verdict === "stale") {
    link.nack(message.id, { code: "stale_epoch", message: "This lease has been revoked." });
    revoke(session, message);
    return;
  }
  link.nack(message.id, { code: "unknown_lease", message: "This runner does not hold this lease." });
  if (verdict === "foreign") await session.noteForeignLease(message.attemptId);
}
