/**
 * Rate limits at the Git door. A clone, fetch or push begins with one advertisement, which is what counts; the exchanges
 * that follow are as many as the protocol needs. For clients that leave the beginning out these have a limit as well.
 */
import type { ServerResponse } from "node:http";
import type { Actor } from "../../features/identity/actor.ts";
import { rateLimitExceeded, type RateLimits } from "../../features/limits/service.ts";
import { subjectOf, type Subject } from "../../features/limits/subject.ts";
import { setRateHeaders } from "../../http/rate-gate.ts";
import type { GitAddress } from "./git-address.ts";

const exchangesAnOperation = 20;

/** Throws `rate_limit_exceeded`. Jobs fetch for free: what started them was counted. */
export async function countGitRequest(
  limits: RateLimits,
  res: ServerResponse,
  request: { actor: Actor; kind: GitAddress["kind"] },
): Promise<void> {
  if (request.actor.job) return;
  const subject = subjectOf(request.actor);
  if (!subject) return;
  const counted: Subject =
    request.kind === "advertise"
      ? subject
      : { ...subject, key: `exchanges:${subject.key}`, times: exchangesAnOperation };
  const taken = await limits.take("git", counted);
  if (!taken) return;
  if (counted === subject || !taken.allowed) setRateHeaders(res, taken.status);
  if (!taken.allowed) throw rateLimitExceeded(taken.status);
}
