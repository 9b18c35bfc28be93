/** Reads files that only a merge may have written, with what Git sees there. */
import type { RunGit } from "../processes/run-git.ts";
import type { CombinedPlace } from "./combined-objects.ts";

export interface BlobBounds {
  maxBytes: number;
  /** Of all that are read, in the order in which they are named. */
  maxAllBytes: number;
}

export interface Blob {
  sizeBytes: number;
  /** Null past the bounds. */
  bytes: Buffer | null;
}

/** By id. Throws `GitError`, and the signal's reason. */
export async function readBlobs(
  runGit: RunGit,
  place: CombinedPlace,
  { oids, maxBytes, maxAllBytes }: BlobBounds & { oids: readonly string[] },
): Promise<Map<string, Blob>> {
  const blobs = new Map<string, Blob>();
  if (oids.length === 0) return blobs;
  const ask = (question: string, ids: readonly string[], maxOutputBytes: number) =>
    runGit({ ...place, args: ["cat-file", question], input: `${ids.join("\n")}\n`, maxOutputBytes });
  const wanted: string[] = [];
  let rest = maxAllBytes;
  const sizes = await ask("--batch-check", oids, (oids.length + 1) * headBytes);
  for (const line of sizes.stdout.toString("latin1").split("\n")) {
    const [oid = "", type, size = "0"] = line.split(" ");
    if (type !== "blob" || blobs.has(oid)) continue;
    const sizeBytes = Number(size);
    const isRead = sizeBytes <= maxBytes && sizeBytes <= rest;
    if (isRead) {
      rest -= sizeBytes;
      wanted.push(oid);
    }
    blobs.set(oid, { sizeBytes, bytes: null });
  }
  if (wanted.length === 0) return blobs;
  const { stdout } = await ask("--batch", wanted, maxAllBytes - rest + (wanted.length + 1) * headBytes);
  let at = 0;
  for (const oid of wanted) {
    const start = stdout.indexOf(0x0a, at) + 1;
    const { sizeBytes } = blobs.get(oid)!;
    blobs.set(oid, { sizeBytes, bytes: stdout.subarray(start, start + sizeBytes) });
    at = start + sizeBytes + 1;
  }
  return blobs;
}

/** Of the line before each object. */
const headBytes = 128;
