/** Limiters as separate server processes would have them: each with a pool of its own, on one database. */
import { Registry } from "prom-client";
import { createDatabase } from "@forgeline/server/platform/db/database.ts";
import { createRateMetrics, type RateMetrics } from "@forgeline/server/domains/operation/limits/metrics.ts";
import { createRateLimits, type RateLimits } from "@forgeline/server/domains/operation/limits/service.ts";
import type { Subject } from "@forgeline/server/platform/access/subject.ts";
import { createLogger } from "@forgeline/server/platform/logger.ts";
import { toRateLimits, type RateLimitTable } from "@forgeline/server/config/rate-limits.ts";

const logger = createLogger({ name: "test", level: "silent" });

export interface Limiter {
  limits: RateLimits;
  metrics: RateMetrics;
  /** As a stop would: unused requests are given back. */
  stop(): Promise<void>;
  /** As SIGKILL would: what was reserved is lost. */
  crash(): Promise<void>;
}

export function limitTable(core: { requests: number; windowSeconds: number }): RateLimitTable {
  const none = toRateLimits({
    FORGELINE_LIMIT_CORE: 0,
    FORGELINE_LIMIT_UNAUTHENTICATED: 0,
    FORGELINE_LIMIT_AUTH: 0,
    FORGELINE_LIMIT_SEARCH: 0,
    FORGELINE_LIMIT_GIT: 0,
    FORGELINE_LIMIT_GRAPHQL: 0,
    FORGELINE_LIMIT_PACKAGES: 0,
    FORGELINE_LIMIT_WEBHOOK: 0,
    FORGELINE_LIMIT_WEB: 0,
    FORGELINE_LIMIT_WEB_UNAUTHENTICATED: 0,
    FORGELINE_LIMIT_SOCKETS: 0,
    FORGELINE_LIMIT_PUBLIC: 0,
  });
  return { ...none, core: { user: core, address: core } };
}

/** `idleAllotmentMs`: how soon an allotment that nobody uses is returned, where the test waits for it. */
export function startLimiter(url: string, table: RateLimitTable, idleAllotmentMs = 3_600_000): Limiter {
  const db = createDatabase({ url, poolSize: 4, applicationName: "limiter", logger });
  const metrics = createRateMetrics(new Registry());
  const limits = createRateLimits({ db, limits: table, metrics, logger, periods: { idleAllotmentMs } });
  return {
    limits,
    metrics,
    async stop() {
      await limits.close();
      await db.close();
    },
    async crash() {
      await db.close();
      await limits.close();
    },
  };
}

let subjects = 0;
export function newSubject(): Subject {
  subjects += 1;
  return { key: `user:test-${subjects}`, kind: "user", accountId: null };
}
