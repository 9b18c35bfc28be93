/**
 * Rate limits that all server processes share. Each reserves blocks of a subject's window from PostgreSQL and answers
 * from them without asking; see docs/architecture/rate-limits.md.
 */
import type { PeriodicTask } from "../../../platform/periodic-tasks.ts";
import type { RateCategory } from "@forgeline/schemas/core/rate-category.ts";
import type { Database } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Logger } from "../../../platform/logger.ts";
import { usualPeriods, type Periods } from "../../../config/periods.ts";
import type { RateLimit, RateLimitTable } from "../../../config/rate-limits.ts";
import type { RateMetrics } from "./metrics.ts";
import { addReserved, draw, newShare, unusedOf, type Share } from "./share.ts";
import { returnUnused, reserve, sweepWindows, type Unused } from "./limits.store.ts";
import type { Subject } from "../../../platform/access/subject.ts";

export interface RateStatus {
  category: RateCategory;
  limit: number;
  /** As far as this process knows; what others hold unused counts as used. */
  remaining: number;
  /** By the database's clock. */
  resetAt: Date;
  secondsLeft: number;
}

export interface Taken {
  allowed: boolean;
  status: RateStatus;
  /** Undoes the count, if its window still runs; at most once. Gives the status after it. */
  refund(): RateStatus;
}

export interface RateLimits {
  /**
   * Counts `cost` against a subject's limit; undefined where there is none. Never gives more than the limit over all
   * processes. When the database cannot be asked, allows without counting: the limiter fails no request.
   */
  take(category: RateCategory, subject: Subject, cost?: number): Promise<Taken | undefined>;
  /** Whether anything is counted there at all. */
  limits(category: RateCategory, subject: Subject): boolean;
  /** Of a subject's window what this process holds unused. */
  held(category: RateCategory, subject: Subject): number;
  periodicTasks: readonly PeriodicTask[];
  /** Gives back what is unused. */
  close(): Promise<void>;
}

export interface RateLimitsDeps {
  db: Database;
  limits: RateLimitTable;
  metrics: RateMetrics;
  logger: Logger;
  periods?: Pick<Periods, "idleShareMs">;
}

/** Shares are looked at so many times while one is idle. */
const looksWhileIdle = 4;
const deadlineMs = 1_000;
/** After a failure the database is left alone for so long. */
const pauseMs = 1_000;
const sweepMs = 10 * 60 * 1000;

export function rateLimitExceeded(status: RateStatus): AppError {
  return new AppError("rate_limit_exceeded", {
    retryAfterSeconds: status.secondsLeft,
    extra: { reset_at: status.resetAt.toISOString() },
  });
}

export function createRateLimits(deps: RateLimitsDeps): RateLimits {
  const { db, metrics } = deps;
  const { idleShareMs } = deps.periods ?? usualPeriods;
  const shares = new Map<string, Share>();
  let returned: (Unused & { untilMs: number })[] = [];
  let blindUntilMs = 0;

  const keyOf = (category: RateCategory, subject: Subject) => `${category} ${subject.key}`;

  async function ask(share: Share, { requests, windowSeconds }: RateLimit): Promise<void> {
    const asked = { need: share.waiting, atMs: performance.now() };
    const { category, subject } = share;
    const row = await reserve(db, {
      category,
      subject: subject.key,
      accountId: subject.accountId,
      requests,
      windowSeconds,
      need: asked.need,
      block: share.block,
    });
    metrics.reservations.inc({ category });
    addReserved(share, row, asked);
  }

  /** False when the database gave no answer in time. One question at a time for a share; all that wait go with it. */
  async function refill(share: Share, limit: RateLimit, cost: number): Promise<boolean> {
    if (blindUntilMs > performance.now()) return false;
    share.waiting += cost;
    share.asking ??= ask(share, limit).finally(() => (share.asking = undefined));
    try {
      await withinDeadline(share.asking);
      return true;
    } catch (error) {
      if (blindUntilMs <= performance.now())
        deps.logger.warn({ error: (error as Error).message }, "requests are not counted against rate limits");
      blindUntilMs = performance.now() + pauseMs;
      return false;
    } finally {
      share.waiting -= cost;
    }
  }

  function refund(share: Share, window: Share["window"], cost: number): void {
    const now = performance.now();
    if (!window || window.untilMs <= now) return;
    const { category, subject } = share;
    const stillHeld = shares.get(keyOf(category, subject)) === share;
    if (stillHeld && share.window?.startedAt.getTime() === window.startedAt.getTime()) share.left += cost;
    else
      returned.push({
        category,
        subject: subject.key,
        startedAt: window.startedAt,
        count: cost,
        untilMs: window.untilMs,
      });
  }

  function taken(share: Share, limit: RateLimit, cost: number): Taken {
    const { window } = share;
    let open = true;
    return {
      allowed: true,
      status: statusOf(share, limit),
      refund() {
        if (open) refund(share, window, cost);
        open = false;
        return statusOf(share, limit);
      },
    };
  }

  async function giveBack(which: (share: Share) => boolean): Promise<void> {
    const now = performance.now();
    const batch = returned.filter((unused) => unused.untilMs > now);
    returned = [];
    for (const [key, share] of shares) {
      if (share.asking || share.waiting > 0 || !which(share)) continue;
      shares.delete(key);
      const unused = unusedOf(share, now);
      if (unused) batch.push({ ...unused, untilMs: share.window?.untilMs ?? 0 });
    }
    if (batch.length === 0) return;
    // Not tried again: whether it happened is not known, and twice would give more than the limit.
    await returnUnused(db, merged(batch)).catch((error: Error) =>
      deps.logger.debug({ error: error.message }, "could not give back unused requests"),
    );
  }

  const looker = setInterval(() => {
    const before = performance.now() - idleShareMs;
    void giveBack((share) => share.usedAtMs < before);
  }, idleShareMs / looksWhileIdle).unref();

  return {
    async take(category, subject, cost = 1) {
      const limit = deps.limits[category][subject.kind];
      if (limit.requests === 0) return undefined;
      const key = keyOf(category, subject);
      const share = shares.get(key) ?? newShare(category, subject);
      shares.set(key, share);
      while (!draw(share, cost, performance.now())) {
        if (share.emptyUntilMs > performance.now()) {
          metrics.refused.inc({ category });
          return { ...taken(share, limit, 0), allowed: false };
        }
        if (await refill(share, limit, cost)) continue;
        metrics.uncounted.inc({ category });
        return taken(share, limit, 0);
      }
      return taken(share, limit, cost);
    },
    limits: (category, subject) => deps.limits[category][subject.kind].requests > 0,
    held: (category, subject) => shares.get(keyOf(category, subject))?.left ?? 0,
    periodicTasks: [
      { name: "remove_rate_windows", everyMs: sweepMs, atStart: false, run: () => sweepWindows(db) },
    ],
    async close() {
      clearInterval(looker);
      await Promise.allSettled([...shares.values()].flatMap((share) => share.asking ?? []));
      await giveBack(() => true);
    },
  };
}

function statusOf(share: Share, limit: RateLimit): RateStatus {
  const { category, window } = share;
  if (!window) {
    const { requests, windowSeconds } = limit;
    const resetAt = new Date(Date.now() + windowSeconds * 1000);
    return { category, limit: requests, remaining: requests, resetAt, secondsLeft: windowSeconds };
  }
  return {
    category,
    limit: window.limit,
    remaining: Math.min(window.limit, share.left + window.potLeft),
    resetAt: window.endsAt,
    secondsLeft: Math.max(1, Math.ceil((window.untilMs - performance.now()) / 1000)),
  };
}

/** One entry a window: a row can be changed only once in a statement. */
function merged(batch: readonly Unused[]): Unused[] {
  const byWindow = new Map<string, Unused>();
  for (const unused of batch) {
    const key = `${unused.category} ${unused.subject} ${unused.startedAt.getTime()}`;
    const before = byWindow.get(key);
    byWindow.set(key, before ? { ...unused, count: unused.count + before.count } : unused);
  }
  return [...byWindow.values()];
}

async function withinDeadline(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the database did not answer in time")), deadlineMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
