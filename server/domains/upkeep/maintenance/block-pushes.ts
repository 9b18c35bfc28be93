/**
 * Removing objects races with pushes that rely on them: Git checks first that all are there, and moves the refs after. So no
 * push is accepted meanwhile, nor one that had begun before the end (`insertIntent`), and accepted ones are awaited. Objects
 * that a commit over REST has just written are recent, and are kept.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../../platform/db/database.ts";
import { holdPushes, resumePushes } from "./maintenance.store.ts";

const renewMs = 30_000;
const pollMs = 200;
const patienceMs = 60_000;

/** Throws if a push does not end within a minute. */
export async function whilePushesBlocked<T>(
  db: Database,
  { repositoryId, signal }: { repositoryId: string; signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const renewing = setInterval(() => void holdPushes(db, repositoryId).catch(() => undefined), renewMs);
  try {
    const deadline = performance.now() + patienceMs;
    while ((await holdPushes(db, repositoryId)).busy) {
      if (performance.now() > deadline) throw new Error("a push to the repository does not end");
      await sleep(pollMs, undefined, { signal });
    }
    return await work();
  } catch (error) {
    await resumePushes(db, repositoryId);
    throw error;
  } finally {
    clearInterval(renewing);
  }
}
