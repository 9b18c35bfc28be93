/** Brings the Git LFS objects that a project export of GitLab has. Archives of GitHub have none. */
import type { Readable } from "node:stream";
import type { LfsObject } from "../../mirrors/lfs-server.ts";
import type { Note } from "../imports.store.ts";
import { advice, bounded, sentenceOf, type LargeFilesDeps } from "../take-large-files.ts";
import { archiveEntries, type ArchiveBounds } from "./archive-entries.ts";

interface Taking {
  repositoryId: string;
  objects: readonly LfsObject[];
  open(): Promise<Readable>;
  bounds: ArchiveBounds;
  isLastTry: boolean;
  signal: AbortSignal;
}

const objectAt = /^(?:[^/]+\/)?lfs-objects\/([0-9a-f]{64})$/;

/** What did not come. Throws `SourceProblem`, `SourceUnavailable`, the signal's reason, and what `open` throws. */
export async function takeArchivedLargeFiles(
  { lfs }: Pick<LargeFilesDeps, "lfs">,
  { repositoryId, objects, open, bounds, isLastTry, signal }: Taking,
): Promise<Note[]> {
  const missing = new Map(
    (await lfs.findMissing(repositoryId, objects)).map((object) => [object.oid, object] as const),
  );
  const lost: Note[] = [];
  if (missing.size === 0) return lost;
  const lose = (oid: string, why: string) =>
    lost.push({ kind: "lfs", source: oid, reason: `The Git LFS object did not come: ${why}` });
  for await (const { path, bytes } of archiveEntries(await open(), bounds, signal)) {
    const object = missing.get(objectAt.exec(path)?.[1] ?? "");
    if (!object) continue;
    missing.delete(object.oid);
    await lfs.transfers.receive({ repositoryId, userId: null }, object, bytes).catch((error: unknown) => {
      signal.throwIfAborted();
      lose(object.oid, sentenceOf(error, isLastTry));
    });
  }
  for (const oid of missing.keys()) lose(oid, `it is not in the archive. ${advice}`);
  return bounded(lost);
}
