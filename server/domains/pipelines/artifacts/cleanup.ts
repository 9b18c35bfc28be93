/**
 * Removes artifacts that have expired, those that were removed, and what uploads of lost attempts have left. The newest of its
 * name on a branch stays as long as the branch does.
 */
import type { Database } from "../../../platform/db/database.ts";
import type { RepositoryFiles } from "../../../platform/git/storage/repository-files.ts";
import type { ObjectStore } from "../../../platform/objects/object-store.ts";
import { removeObjects } from "../../../platform/objects/remove-objects.ts";
import type { UpkeepTask } from "../../../platform/upkeep-task.ts";
import * as store from "./artifact.store.ts";
import type { ArtifactMetrics } from "./metrics.ts";
import { artifactPrefix } from "./part-key.ts";

const everyMs = 10 * 60 * 1000;

export interface ArtifactCleanup {
  /** May run in many processes, and again after a crash. */
  sweep(signal?: AbortSignal): Promise<void>;
  upkeepTasks: readonly UpkeepTask[];
}

export function createArtifactCleanup(deps: {
  db: Database;
  objects: ObjectStore;
  files: Pick<RepositoryFiles, "resolveRef">;
  /** The most for all; null: as long as files say. */
  keptDays: number | null;
  metrics: Pick<ArtifactMetrics, "expired">;
}): ArtifactCleanup {
  const { db, objects, files, keptDays, metrics } = deps;

  async function isKept(artifact: { repository_id: string; branch: string | null; newest: boolean }) {
    if (!artifact.newest || artifact.branch === null) return false;
    return (await files.resolveRef(artifact.repository_id, `refs/heads/${artifact.branch}`)) !== undefined;
  }

  /** How many were looked at; each of them is either removed or looked at again in a day. */
  async function expire(): Promise<number> {
    const expired = await store.listExpired(db);
    const [kept, gone]: [string[], string[]] = [[], []];
    for (const artifact of expired) ((await isKept(artifact)) ? kept : gone).push(artifact.id);
    await store.postpone(db, kept);
    metrics.expired.inc(await store.removeAll(db, gone));
    return expired.length;
  }

  /** Objects before rows: a server that dies in between leaves a row, with which the next sweep goes on. */
  async function removeSome(): Promise<number> {
    const rows = await store.listRemovable(db);
    for (const { id, repository_id: repositoryId } of rows)
      await removeObjects(objects, `${artifactPrefix(repositoryId)}${id}/`);
    const ids = rows.map(({ id }) => id);
    await store.forget(db, ids);
    return rows.length;
  }

  async function sweep(signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted && (await store.shorten(db, keptDays)) > 0);
    while (!signal?.aborted && (await expire()) > 0);
    while (!signal?.aborted && (await removeSome()) > 0);
  }

  return { sweep, upkeepTasks: [{ name: "remove_old_artifacts", everyMs, run: (signal) => sweep(signal) }] };
}

/** All of a repository; the rows are deleted with the repository's row. May run again. */
export function removeArtifacts(objects: ObjectStore, repositoryId: string): Promise<void> {
  return removeObjects(objects, artifactPrefix(repositoryId));
}
