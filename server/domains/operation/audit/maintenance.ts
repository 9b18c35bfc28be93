/**
 * Maintains the audit log in every server: links committed entries to their chains, creates monthly partitions ahead, and
 * stores signed checkpoints outside the database. All of it may run in several servers at once.
 */
import type { Database } from "../../../platform/db/database.ts";
import type { Metrics } from "../../../platform/metrics.ts";
import { createCounter } from "../../../platform/declared-metrics.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { PeriodicTask } from "../../../platform/periodic-tasks.ts";
import { changedHeads, linkPending, makePartitions } from "./chain.store.ts";
import type { Checkpoints } from "./checkpoints.ts";

const linkEveryMs = 1_000;
const checkpointEveryMs = 60_000;
const partitionsEveryMs = 6 * 3600 * 1000;
const batch = 500;

export interface AuditMaintenance {
  periodicTasks: readonly PeriodicTask[];
  /** Links all that is committed now. */
  link(): Promise<void>;
  /** Creates missing partitions of this month and the next three. */
  makePartitions(): Promise<void>;
  /** Signs the heads of chains that grew since this server last did. */
  keepCheckpoints(): Promise<void>;
}

export function createAuditMaintenance(deps: {
  db: Database;
  checkpoints: Checkpoints;
  logger: Logger;
  registry: Metrics;
}): AuditMaintenance {
  const { db, logger } = deps;
  const disagreements = createCounter(deps.registry, "forgeline_audit_disagreements_total");
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

  return {
    periodicTasks: [
      { name: "link_audit_entries", everyMs: linkEveryMs, atStart: true, run: link },
      {
        name: "make_audit_partitions",
        everyMs: partitionsEveryMs,
        atStart: true,
        run: () => makePartitions(db),
      },
      { name: "keep_audit_checkpoints", everyMs: checkpointEveryMs, atStart: true, run: keepCheckpoints },
    ],
    link,
    makePartitions: () => makePartitions(db),
    keepCheckpoints,
  };
}
