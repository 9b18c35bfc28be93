/**
 * Handles what no message reports: expired offers, silent leases, step limits, runners whose one job is over, logs of dead
 * attempts. Every server sweeps; each
 * change is guarded by the row it changes, so that several doing it at once is harmless.
 */
import type { Database } from "../../../platform/db/database.ts";
import type { Lifecycle } from "../../../platform/lifecycle.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { LogIngest } from "../logs/ingest.ts";
import { returnExpiredOffers } from "./claims.ts";
import { findOverdue } from "./overdue.store.ts";
import { removeSpentRunners } from "../runners/one-job.ts";
import { endPlacements } from "../placements/over.ts";
import { markUnreachable, reclaim } from "./reclaim.ts";
import { findLapsed } from "./silence.store.ts";
import type { RunnerSettings } from "../runners/settings.ts";
import { cancelOverdue } from "./step-limits.ts";
import { forgetServer, markUptime } from "./uptime.store.ts";

export interface SweeperDeps {
  db: Database;
  logger: Logger;
  logs: Pick<LogIngest, "closeAbandoned">;
  settings: RunnerSettings;
  serverId: string;
}

export interface Sweeper extends Lifecycle {
  start(): void;
  /** One round, as the timer does it; for tests and tools. */
  sweep(): Promise<void>;
  /** Also records that this server is not up any more. Safe to call twice, and if it was never started. */
  close(): Promise<void>;
}

export function createSweeper(deps: SweeperDeps): Sweeper {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const round = () => {
    running ??= sweepOnce(deps)
      .catch((error: Error) => deps.logger.warn({ error: error.message }, "sweep of leases failed"))
      .finally(() => (running = undefined));
    return running;
  };
  return {
    start() {
      void round();
      timer = setInterval(() => void round(), deps.settings.sweepMs);
    },
    sweep: () => sweepOnce(deps),
    async close() {
      if (!timer) return;
      clearInterval(timer);
      timer = undefined;
      await running;
      await forgetServer(deps.db, deps.serverId).catch(() => undefined);
    },
  };
}

async function sweepOnce(deps: SweeperDeps): Promise<void> {
  const { db, settings, logger } = deps;
  await markUptime(db, deps.serverId, settings.uptimeGapMs);
  await returnExpiredOffers(db);
  await markUnreachable(db, settings.unreachableMs);
  const lost = await endPlacements(db, settings.reclaimMs);
  if (lost > 0) logger.warn({ placements: lost }, "stages lost the runner that their jobs run on");
  for (const attemptId of await findLapsed(db, settings.reclaimMs))
    if (await reclaim(db, attemptId, settings.reclaimMs))
      logger.warn({ attempt_id: attemptId }, "lease ran out; the attempt is lost");
  const bounds = { slackMs: settings.limitSlackMs, freshMs: settings.heartbeatMs * 1.5 };
  for (const overdue of await findOverdue(db, bounds)) await cancelOverdue(db, overdue);
  await removeSpentRunners(db);
  await deps.logs.closeAbandoned();
}
