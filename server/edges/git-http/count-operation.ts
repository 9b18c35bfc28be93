/**
 * Rate limits of Git. A clone, fetch or push is one operation: its advertisement counts or, if a client skips that, its first
 * exchange. Later exchanges are free until it ends with a pack or an accepted push. The next exchange begins another operation.
 */
import type { ServerResponse } from "node:http";
import type { Actor } from "../../platform/access/actor.ts";
import { type GitOperations, rateLimitExceeded, type RateLimits } from "../../domains/operation/domain.ts";
import { subjectOf, type Subject } from "../../platform/access/subject.ts";
import { setRateHeaders } from "../http/rate-limiter.ts";
import type { Logger } from "../../platform/logger.ts";
import type { GitAddress } from "./git-address.ts";

export interface GitCounter {
  /** Throws `rate_limit_exceeded`. Jobs fetch for free, because their trigger was counted. */
  enter(res: ServerResponse, actor: Actor, address: GitAddress): Promise<void>;
  /**
   * To be called after the last exchange of an operation. Counts it if none had begun, because exchanges may run in parallel.
   */
  ended(actor: Actor, address: GitAddress): Promise<void>;
}

export function createGitCounter(deps: {
  rateLimits: RateLimits;
  gitOperations: GitOperations;
  logger: Logger;
}): GitCounter {
  const { rateLimits, gitOperations } = deps;

  /** Undefined where nothing is counted. */
  function subjectFor(actor: Actor): Subject | undefined {
    const subject = actor.job ? null : subjectOf(actor);
    return subject && rateLimits.limits("git", subject) ? subject : undefined;
  }

  /** The limiter never fails a request; other uses of the database will report its problems. */
  async function withFallback<T>(work: Promise<T>, otherwise: T): Promise<T> {
    try {
      return await work;
    } catch (error) {
      deps.logger.warn({ error: (error as Error).message }, "could not track a Git operation");
      return otherwise;
    }
  }

  return {
    async enter(res, actor, address) {
      const subject = subjectFor(actor);
      if (!subject) return;
      const place = operationKey(subject, address);
      const isBeginning = address.kind === "advertise";
      if (!isBeginning && (await withFallback(gitOperations.join(place), true))) return;
      const taken = await rateLimits.take("git", subject);
      if (!taken) return;
      setRateHeaders(res, taken.status);
      if (!taken.allowed) throw rateLimitExceeded(taken.status);
      await withFallback(gitOperations.begin(place, isBeginning ? 0 : 1), undefined);
    },
    async ended(actor, address) {
      const subject = subjectFor(actor);
      if (!subject || (await withFallback(gitOperations.end(operationKey(subject, address)), true))) return;
      await rateLimits.take("git", subject);
    },
  };
}

function operationKey(subject: Subject, { owner, name, service }: GitAddress): string {
  return `${subject.key} ${service} ${owner}/${name}`.toLowerCase();
}
