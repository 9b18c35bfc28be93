/**
 * One round of upkeep: asks which repositories are due, looks after two at a time, and asks again until none is left.
 * A schedule begins it; rounds never overlap. What cannot be done is recorded and left for another day.
 */
import { proxyActivities, proxyLocalActivities, rootCause } from "@temporalio/workflow";
import type { MaintenanceActivities } from "../activities/maintenance.ts";
import { long, quick } from "./profiles.ts";

const { findDueRepositories, giveUpRepository } = proxyLocalActivities<MaintenanceActivities>(quick);
const { maintainOneRepository } = proxyActivities<MaintenanceActivities>(long);

const lanes = 2;
const batch = 20;
/** Keeps the history short; the next round goes on. */
const mostBatches = 25;

export async function maintenanceRound(): Promise<void> {
  for (let done = 0; done < mostBatches; done += 1) {
    const due = await findDueRepositories({ limit: batch });
    if (due.length === 0) return;
    await Promise.all(Array.from({ length: lanes }, () => lookAfter(due)));
  }
}

async function lookAfter(due: string[]): Promise<void> {
  for (let repositoryId = due.pop(); repositoryId !== undefined; repositoryId = due.pop()) {
    try {
      await maintainOneRepository({ repositoryId });
    } catch (error) {
      await giveUpRepository({ repositoryId, problem: rootCause(error) ?? "unknown" });
    }
  }
}
