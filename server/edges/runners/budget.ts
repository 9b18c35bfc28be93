/**
 * The budget of a runner's messages to this server. It outlives connections, so that a reconnect does not refill it. Messages
 * that a lease justifies are cheap; those that cause a useless database query are not. A correct runner with fifty busy jobs
 * stays far below what is refilled each second; docs/architecture/runner-protocol.md has the figures.
 */
import type { RunnerMessage } from "@forgeline/schemas/runner-protocol/messages.ts";
import type { LeaseSpec } from "@forgeline/schemas/runner-protocol/lease.ts";
import { createTokenBucket, type BucketSize, type TokenBucket } from "../../platform/token-bucket.ts";
import type { RunnerSession } from "./session.ts";

/**
 * A runner drains when somebody tells it to, and each time is a write that is announced to all servers. Pings are so expensive
 * that the library, which ends what pings many times at once without a word, never comes first.
 */
export const costs = {
  expected: 1,
  unexpected: 10,
  heartbeat: 10,
  drain: 100,
  sign: 400,
  opening: 100,
  leaseInHello: 5,
};

/** Limits a runner's entries in the audit log, which keeps everything: a repeated violation is known by then. */
const notes = { burst: 10, perSecond: 1 / 60 };

/** A runner that has used it up may reconnect once this much is available again. */
const enoughToComeBack = 0.5;
/** Full budgets equal new ones; beyond this number they are dropped. */
const keptBudgets = 1_000;

export interface RunnerBudget {
  /** False if it is used up. */
  spend(cost: number): boolean;
  /** How long the runner has to stay away; 0 while it has not used up its budget. */
  waitMs(): number;
  /** Takes one of the notes that the audit log may have of it. */
  mayBeNoted(): boolean;
}

export interface RunnerBudgets {
  of(runnerId: string): RunnerBudget;
}

export function createRunnerBudgets(size: BucketSize): RunnerBudgets {
  const budgets = new Map<string, { budget: RunnerBudget; bucket: TokenBucket; noted: TokenBucket }>();
  const forgetFull = () => {
    for (const [id, { bucket, noted }] of budgets)
      if (bucket.left() >= size.burst && noted.left() >= notes.burst) budgets.delete(id);
  };
  return {
    of(runnerId) {
      const kept = budgets.get(runnerId);
      if (kept) return kept.budget;
      if (budgets.size >= keptBudgets) forgetFull();
      const bucket = createTokenBucket(size);
      const noted = createTokenBucket(notes);
      const budget = createRunnerBudget(bucket, size.burst * enoughToComeBack, noted);
      budgets.set(runnerId, { budget, bucket, noted });
      return budget;
    },
  };
}

function createRunnerBudget(bucket: TokenBucket, enough: number, noted: TokenBucket): RunnerBudget {
  let isUsedUp = false;
  return {
    spend(cost) {
      const isThere = bucket.take(cost);
      if (!isThere) isUsedUp = true;
      return isThere;
    },
    waitMs() {
      const waitMs = isUsedUp ? bucket.msUntil(enough) : 0;
      if (waitMs === 0) isUsedUp = false;
      return waitMs;
    },
    mayBeNoted: () => noted.take(1),
  };
}

/** How many messages a lease justifies: some for each step and stream, several times over. */
export function messagesOfLease(spec: LeaseSpec): number {
  return 32 + 8 * (spec.job.steps.length + spec.streams.length);
}

/** Of a message after `welcome`. Counts it against its lease. */
export function costOf(session: RunnerSession, message: RunnerMessage): number {
  switch (message.t) {
    case "ack":
    case "nack":
    case "revoked":
      return costs.expected;
    case "heartbeat":
      return costs.heartbeat + costs.unexpected * countUnheld(session, message.leases);
    case "drain":
      return costs.drain;
    case "hello":
      return costs.unexpected;
    default:
      return isExpected(session, message) ? costs.expected : costs.unexpected;
  }
}

type Lease = { attemptId: string; epoch: number };

function countUnheld({ leases, offers }: RunnerSession, named: readonly Lease[]): number {
  return named.filter(({ attemptId }) => !leases.has(attemptId) && offers.epochOf(attemptId) === undefined)
    .length;
}

function isExpected({ leases, offers }: RunnerSession, { attemptId, epoch }: Lease): boolean {
  if (offers.epochOf(attemptId) === epoch) return true;
  const lease = leases.get(attemptId);
  if (lease?.epoch !== epoch || lease.messagesLeft === 0) return false;
  lease.messagesLeft -= 1;
  return true;
}
