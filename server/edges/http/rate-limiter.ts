/** Rate limits of HTTP: counts a request, sets the headers of `spec.md` section 8, refuses with 429. */
import type { ServerResponse } from "node:http";
import type { RateCategory } from "@forgeline/schemas/core/rate-category.ts";
import type { Actor } from "../../platform/access/actor.ts";
import {
  rateLimitExceeded,
  type RateLimits,
  type RateStatus,
  type Taken,
} from "../../domains/operation/domain.ts";
import { addressSubject, subjectOf, type Subject } from "../../platform/access/subject.ts";

export interface RateLimiter {
  /** Counts one request and sets the headers; for a browser session, `core` becomes `web`. Throws `rate_limit_exceeded`. */
  enter(res: ServerResponse, actor: Actor, category: RateCategory): Promise<void>;
  /** Whether the request was counted; it was not if it was refused before its caller was known. */
  hasEntered(res: ServerResponse): boolean;
  /** Undoes the count, and updates the headers if they can still be set. */
  refund(res: ServerResponse): void;
}

/** On the response itself: a WeakMap of all requests costs the garbage collector more than the request. */
const entered = Symbol("what was counted");
interface CountedResponse extends ServerResponse {
  [entered]?: Taken[];
}

export function createRateLimiter(limits: RateLimits): RateLimiter {
  /** Attempts with secrets also count against the address, because there are many accounts. */
  function subjectsOf(actor: Actor, category: RateCategory): Subject[] {
    const subject = subjectOf(actor);
    if (!subject) return [];
    if (category !== "auth" || subject.kind === "address") return [subject];
    return [addressSubject(actor.request?.ipAddress ?? ""), subject];
  }

  return {
    async enter(res: CountedResponse, actor, asked) {
      const category = asked === "core" && actor.sessionId !== null ? "web" : asked;
      const all: Taken[] = [];
      res[entered] = all;
      for (const subject of subjectsOf(actor, category)) {
        const taken = await limits.take(category, subject);
        if (!taken) continue;
        all.push(taken);
        setRateHeaders(res, tightest(all.map(({ status }) => status)));
        if (!taken.allowed) throw rateLimitExceeded(taken.status);
      }
    },
    hasEntered: (res: CountedResponse) => res[entered] !== undefined,
    refund(res: CountedResponse) {
      const statuses = (res[entered] ?? []).map((taken) => taken.refund());
      if (statuses.length > 0) setRateHeaders(res, tightest(statuses));
    },
  };
}

export function setRateHeaders(res: ServerResponse, status: RateStatus): void {
  if (res.headersSent) return;
  res.setHeader("X-RateLimit-Limit", status.limit);
  res.setHeader("X-RateLimit-Remaining", status.remaining);
  res.setHeader("X-RateLimit-Reset", Math.ceil(status.resetAt.getTime() / 1000));
  res.setHeader("X-RateLimit-Resource", status.category);
}

function tightest(statuses: readonly RateStatus[]): RateStatus {
  return statuses.reduce((least, status) => (status.remaining < least.remaining ? status : least));
}
