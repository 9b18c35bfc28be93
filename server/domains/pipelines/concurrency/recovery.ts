/**
 * A safety net under the slots of concurrency groups. Slots are given back in the transaction that ends what held them, so this finds
 * something only after a bug, when a repository of an organization was deleted with all its rows, or when one was transferred while its
 * runs asked for slots.
 */
import type { Registry } from "prom-client";
import type { Database } from "../../../platform/db/database.ts";
import { createCounter, createGauge } from "../../../platform/declared-metrics.ts";
import type { Logger } from "../../../platform/logger.ts";
import type { PeriodicTask } from "../../../platform/periodic-tasks.ts";
import { leaveOldOwner } from "./leave-owner.ts";
import { findAstray } from "./leave-owner.store.ts";
import { countSlots, findIdle, findLeft } from "./recovery.store.ts";
import { lockGroups } from "./slots.store.ts";
import { releaseSlots, settle } from "./take-slots.ts";

export interface SlotRecovery {
  /** Returns how many slots were left over, or free with a queue. */
  recover(): Promise<number>;
  periodicTasks: readonly PeriodicTask[];
}

export function createSlotRecovery({
  db,
  logger,
  metrics,
}: {
  db: Database;
  logger: Logger;
  metrics: Registry;
}): SlotRecovery {
  createGauge(metrics, "forgeline_concurrency_slots", async (gauge) => {
    gauge.reset();
    for (const { state, count } of await countSlots(db)) gauge.set({ state }, count);
  });
  const recovered = createCounter(metrics, "forgeline_concurrency_slots_recovered_total");
  const recover = async () => {
    let count = 0;
    for (const { id, pipelineId, nodeId } of await findLeft(db)) {
      await db.transaction((tx) => releaseSlots(tx, pipelineId, [nodeId]));
      logger.warn({ pipeline_id: pipelineId, slot_id: id }, "a slot was left over and is released");
      count += 1;
    }
    for (const repositoryId of await findAstray(db)) {
      await db.transaction((tx) => leaveOldOwner(tx, repositoryId));
      logger.warn({ repository_id: repositoryId }, "runs waited in groups of a former owner");
      count += 1;
    }
    for (const group of await findIdle(db)) {
      const granted = await db.transaction(async (tx) => {
        await lockGroups(tx, [group]);
        return settle(tx, group);
      });
      if (granted > 0)
        logger.warn({ owner_id: group.ownerId }, "a free slot had not been given to its queue");
      count += granted;
    }
    if (count > 0) recovered.inc(count);
    return count;
  };
  return {
    recover,
    periodicTasks: [{ name: "concurrency_slots", everyMs: 60_000, atStart: false, run: recover }],
  };
}
