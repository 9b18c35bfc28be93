/** The remaining limits of one caller, across all processes. */
import { rateCategories } from "@forgeline/schemas/core/rate-category.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { RateLimitTable } from "../../../config/rate-limits.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import type { RateLimits, RateStatus } from "./service.ts";
import { readWindows } from "./limits.store.ts";
import { subjectOf } from "../../../platform/access/subject.ts";

export interface CallerLimitStatus extends RateStatus {
  windowSeconds: number;
  /** False while nothing has been counted; the times are then those of a window that begins now. */
  running: boolean;
}

export interface LimitStatus {
  /** Only categories with a limit; webhook deliveries belong to nobody. Counts nothing. */
  of(actor: Actor): Promise<CallerLimitStatus[]>;
}

export function createLimitStatus(deps: {
  db: Database;
  limits: RateLimitTable;
  rateLimits: Pick<RateLimits, "held">;
}): LimitStatus {
  return {
    async of(actor) {
      const subject = subjectOf(actor);
      if (!subject) return [];
      const categories = rateCategories.filter(
        (category) => category !== "webhook" && deps.limits[category][subject.kind].requests > 0,
      );
      const rows = await readWindows(deps.db, {
        subject: subject.key,
        accountId: subject.accountId,
        limits: categories.map((category) => ({
          category,
          requests: deps.limits[category][subject.kind].requests,
        })),
      });
      const byCategory = new Map(rows.map((row) => [row.category, row]));
      return categories.map((category) => {
        const { requests, windowSeconds } = deps.limits[category][subject.kind];
        const row = byCategory.get(category);
        const limit = row?.requests ?? requests;
        const running = row !== undefined && row.ends_at !== null;
        const taken = running ? (row?.taken ?? 0) - deps.rateLimits.held(category, subject) : 0;
        const secondsLeft = running ? Math.max(1, Math.ceil((row.ms_left ?? 0) / 1000)) : windowSeconds;
        return {
          category,
          limit,
          remaining: Math.min(limit, Math.max(0, limit - taken)),
          resetAt: row?.ends_at ?? new Date(Date.now() + windowSeconds * 1000),
          secondsLeft,
          windowSeconds,
          running,
        };
      });
    },
  };
}
