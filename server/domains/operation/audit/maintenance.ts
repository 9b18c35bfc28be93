/**
 * Looks after the audit log in every server: links committed entries to their chains, makes the months' partitions ahead,
 * and keeps signed points of chains outside the database. All of it may run in several servers at once.
 */
import type { Database } from "../../../platform/db/database.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import { createCounter } from "../../../platform/declared-metrics.ts";
import type { Logger } from "../../../platform/logger.ts";
import { changedHeads, linkPending, makePartitions } from "./chain.store.ts";
import type { Checkpoints } from "./checkpoints.ts";

const linkEveryMs = 1_000;
const checkpointEveryMs = 60_000;
const partitionsEveryMs = 6 * 3600 * 1000;
const batch = 500;

export interface AuditMaintenance {
  start(): void;
  /** Links all that is committed now. */
  link(): Promise<void>;
  /** Makes missing partitions of this month and the next three. */
  makePartitions(): Promise<void>;
  /** Signs the heads of chains that grew since this server last did. */
  keepCheckpoints(): Promise<void>;
  close(): Promise<void>;
}

export function createAuditMaintenance(deps: {
  db: Database;
  checkpoints: Checkpoints;
  logger: Logger;
  registry: Metrics;
}): AuditMaintenance {
  const { db, logger } = deps;
  const disagreements = createCounter(deps.registry, "forgeline_audit_disagreements_total");
  const timers: NodeJS.Timeout[] = [];
  const running = new Set<Promise<void>>();
  let signedUntil = new Date(0);

  async function link(): Promise<void> {
    while ((await linkPending(db, batch)) >= batch);
  }

  async function keepCheckpoints(): Promise<void> {
    const heads = await changedHeads(db, signedUntil);
    for (const { chain, ...head } of heads) {
      if (!(await deps.checkpoints.keep(chain, head))) {
        disagreements.inc();
        logger.error({ chain }, "the audit log does not agree with its checkpoint");
      }
      signedUntil = head.at;
    }
  }

  function every(ms: number, what: string, work: () => Promise<void>): void {
    let busy = false;
    const round = () => {
      if (busy) return;
      busy = true;
      const run = work()
        .catch((error: Error) => logger.warn({ error: error.message }, `${what} failed`))
        .finally(() => {
          busy = false;
          running.delete(run);
        });
      running.add(run);
    };
    round();
    timers.push(setInterval(round, ms).unref());
  }

  return {
    start() {
      every(linkEveryMs, "linking audit entries", link);
      every(partitionsEveryMs, "making partitions of the audit log", () => makePartitions(db));
      every(checkpointEveryMs, "keeping points of the audit log", keepCheckpoints);
    },
    link,
    makePartitions: () => makePartitions(db),
    keepCheckpoints,
    async close() {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running);
    },
  };
}
