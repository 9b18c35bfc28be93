/**
 * Rate limits that all server processes share. Each reserves blocks of a subject's window from PostgreSQL and answers
 * from them without asking; see docs/architecture/rate-limits.md.
 */
import type { PeriodicTask } from "../../../platform/periodic-tasks.ts";
import type { RateCategory } from "@forgeline/schemas/core/rate-category.ts";
import type { Database } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import type { Logger } from "../../../platform/logger.ts";
import { defaultPeriods, type Periods } from "../../../config/periods.ts";
import type { RateLimit, RateLimitTable } from "../../../config/rate-limits.ts";
import type { RateMetrics } from "./metrics.ts";
import { addReserved, draw, newAllotment, unusedOf, type Allotment } from "./allotment.ts";
import { returnUnused, reserve, sweepWindows, type Unused } from "./limits.store.ts";
import type { Subject } from "../../../platform/access/subject.ts";

export interface RateStatus {
  category: RateCategory;
  limit: number;
  /** As far as this process knows; unused reservations of other processes count as used. */
  remaining: number;
  /** By the database's clock. */
  resetAt: Date;
  secondsLeft: number;
}

export interface Taken {
  allowed: boolean;
  status: RateStatus;
  /** Undoes the count, if its window has not ended; at most once. Returns the status after it. */
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
  periods?: Pick<Periods, "idleAllotmentMs">;
}

/** How often allotments are checked within the time after which an idle one is returned. */
const checksPerIdlePeriod = 4;
const deadlineMs = 1_000;
/** How long requests are let through uncounted after a failure, without asking the database. */
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
  const { idleAllotmentMs } = deps.periods ?? defaultPeriods;
  const allotments = new Map<string, Allotment>();
  let returned: (Unused & { untilMs: number })[] = [];
  let failOpenUntilMs = 0;

  const keyOf = (category: RateCategory, subject: Subject) => `${category} ${subject.key}`;

  async function ask(allotment: Allotment, { requests, windowSeconds }: RateLimit): Promise<void> {
    const asked = { need: allotment.waiting, atMs: performance.now() };
    const { category, subject } = allotment;
    const row = await reserve(db, {
      category,
      subject: subject.key,
      accountId: subject.accountId,
      requests,
      windowSeconds,
      need: asked.need,
      block: allotment.block,
    });
    metrics.reservations.inc({ category });
    addReserved(allotment, row, asked);
  }

  /** False if the database did not answer in time. One query at a time for an allotment; everybody who waits shares it. */
  async function refill(allotment: Allotment, limit: RateLimit, cost: number): Promise<boolean> {
    if (failOpenUntilMs > performance.now()) return false;
    allotment.waiting += cost;
    allotment.asking ??= ask(allotment, limit).finally(() => (allotment.asking = undefined));
    try {
      await withinDeadline(allotment.asking);
      return true;
    } catch (error) {
      if (failOpenUntilMs <= performance.now())
        deps.logger.warn(
          { error: (error as Error).message },
          "cannot count requests against rate limits; letting them through",
        );
      failOpenUntilMs = performance.now() + pauseMs;
      return false;
    } finally {
      allotment.waiting -= cost;
    }
  }

  function refund(allotment: Allotment, window: Allotment["window"], cost: number): void {
    const now = performance.now();
    if (!window || window.untilMs <= now) return;
    const { category, subject } = allotment;
    const stillHeld = allotments.get(keyOf(category, subject)) === allotment;
    if (stillHeld && allotment.window?.startedAt.getTime() === window.startedAt.getTime())
      allotment.left += cost;
    else
      returned.push({
        category,
        subject: subject.key,
        startedAt: window.startedAt,
        count: cost,
        untilMs: window.untilMs,
      });
  }

  function taken(allotment: Allotment, limit: RateLimit, cost: number): Taken {
    const { window } = allotment;
    let open = true;
    return {
      allowed: true,
      status: statusOf(allotment, limit),
      refund() {
        if (open) refund(allotment, window, cost);
        open = false;
        return statusOf(allotment, limit);
      },
    };
  }

  async function giveBack(which: (allotment: Allotment) => boolean): Promise<void> {
    const now = performance.now();
    const batch = returned.filter((unused) => unused.untilMs > now);
    returned = [];
    for (const [key, allotment] of allotments) {
      if (allotment.asking || allotment.waiting > 0 || !which(allotment)) continue;
      allotments.delete(key);
      const unused = unusedOf(allotment, now);
      if (unused) batch.push({ ...unused, untilMs: allotment.window?.untilMs ?? 0 });
    }
    if (batch.length === 0) return;
    // Not retried: it may have succeeded, and twice would allow more than the limit.
    await returnUnused(db, merged(batch)).catch((error: Error) =>
      deps.logger.debug({ error: error.message }, "could not give back unused requests"),
    );
  }

  const idleCheck = setInterval(() => {
    const before = performance.now() - idleAllotmentMs;
    void giveBack((allotment) => allotment.usedAtMs < before);
  }, idleAllotmentMs / checksPerIdlePeriod).unref();

  return {
    async take(category, subject, cost = 1) {
      const limit = deps.limits[category][subject.kind];
      if (limit.requests === 0) return undefined;
      const key = keyOf(category, subject);
      const allotment = allotments.get(key) ?? newAllotment(category, subject);
      allotments.set(key, allotment);
      while (!draw(allotment, cost, performance.now())) {
        if (allotment.emptyUntilMs > performance.now()) {
          metrics.refused.inc({ category });
          return { ...taken(allotment, limit, 0), allowed: false };
        }
        if (await refill(allotment, limit, cost)) continue;
        metrics.uncounted.inc({ category });
        return taken(allotment, limit, 0);
      }
      return taken(allotment, limit, cost);
    },
    limits: (category, subject) => deps.limits[category][subject.kind].requests > 0,
    held: (category, subject) => allotments.get(keyOf(category, subject))?.left ?? 0,
    periodicTasks: [
      { name: "remove_rate_windows", everyMs: sweepMs, atStart: false, run: () => sweepWindows(db) },
    ],
    async close() {
      clearInterval(idleCheck);
      await Promise.allSettled([...allotments.values()].flatMap((allotment) => allotment.asking ?? []));
      await giveBack(() => true);
    },
  };
}

function statusOf(allotment: Allotment, limit: RateLimit): RateStatus {
  const { category, window } = allotment;
  if (!window) {
    const { requests, windowSeconds } = limit;
    const resetAt = new Date(Date.now() + windowSeconds * 1000);
    return { category, limit: requests, remaining: requests, resetAt, secondsLeft: windowSeconds };
  }
  return {
    category,
    limit: window.limit,
    remaining: Math.min(window.limit, allotment.left + window.potLeft),
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
