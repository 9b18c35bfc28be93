/**
 * One round of maintenance: asks which repositories are due, looks after two at a time, and asks again until none is left.
 * A schedule begins it; rounds never overlap. What cannot be done is recorded and left for another day.
 */
import {
  patched,
  proxyActivities,
  proxyLocalActivities,
  rootCause,
  sleep,
  workflowInfo,
} from "@temporalio/workflow";
import type { MaintenanceActivities } from "../activities/maintenance.ts";
import { longActivity, shortActivity } from "./profiles.ts";

const { findDueRepositories, giveUpRepository } = proxyLocalActivities<MaintenanceActivities>(shortActivity);
const { maintainOneRepository } = proxyActivities<MaintenanceActivities>(longActivity);

const lanes = 2;
const batch = 20;
/** Keeps the history short; the next round continues. */
const maxBatches = 25;
/** Temporal names a round by the second in which it was asked for, and drops another of the same name: so this one continues longer. */
const shortestMs = 1_500;
const pollMs = 250;

export async function maintenanceRound(): Promise<void> {
  for (let done = 0; done < maxBatches; done += 1) {
    const due = await findDueRepositories({ limit: batch });
    if (due.length === 0 && !(await waitForAnotherRound())) return;
    await Promise.all(Array.from({ length: lanes }, () => maintainAll(due)));
  }
}

async function waitForAnotherRound(): Promise<boolean> {
  if (Date.now() - workflowInfo().startTime.getTime() >= shortestMs || !patched("outlast-the-second"))
    return false;
  await sleep(pollMs);
  return true;
}

async function maintainAll(due: string[]): Promise<void> {
  for (let repositoryId = due.pop(); repositoryId !== undefined; repositoryId = due.pop()) {
    try {
      await maintainOneRepository({ repositoryId });
    } catch (error) {
      await giveUpRepository({ repositoryId, problem: rootCause(error) ?? "unknown" });
    }
  }
}
