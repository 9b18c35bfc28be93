/** What is removed of archives: those whose time is over, what imports do not need any more, and bytes that no row has. */
import type { Database } from "../../../../platform/db/database.ts";
import { inBatches } from "../../../../platform/objects/in-batches.ts";
import type { ArchiveBytes } from "./archive-bytes.ts";
import { removeRecords, statements } from "./archives.store.ts";

const batch = 100;

export function createArchiveUpkeep({
  db,
  archiveBytes,
}: {
  db: Database;
  archiveBytes: Pick<ArchiveBytes, "ids" | "remove">;
}): { removeOldArchives(signal: AbortSignal): Promise<void> } {
  /** The row is there before the bytes are. */
  async function removeAbsent(ids: readonly string[]): Promise<void> {
    const present = new Set((await db.query(statements.listPresent, [ids])).map(({ id }) => id));
    for (const id of ids) if (!present.has(id)) await archiveBytes.remove(id);
  }

  async function removeLost(signal: AbortSignal): Promise<void> {
    for await (const ids of inBatches(archiveBytes.ids(), batch, signal)) await removeAbsent(ids);
  }

  return {
    async removeOldArchives(signal) {
      while (!signal.aborted && (await db.query(statements.removeExpired)).length > 0);
      while (!signal.aborted && (await removeRecords(db)));
      await removeLost(signal);
    },
  };
}
