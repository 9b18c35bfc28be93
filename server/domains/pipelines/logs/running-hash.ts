/**
 * SHA-256 of streams while their bytes pass through this process. Only a stream that passed from its first byte
 * on has one; for the others the end of the stream is checked by reading what is stored.
 */
import { createHash, type Hash } from "node:crypto";

/** Limits the hashes of streams that never end. */
const maxHashes = 10_000;

export interface RunningHashes {
  /** Adds bytes that start at `offset`; a stream with a gap loses its hash. */
  add(streamId: string, offset: number, bytes: Uint8Array): void;
  /** Forgets a stream whose bytes were not stored after all. */
  drop(streamId: string): void;
  /** Hexadecimal digest if exactly `length` bytes were added, and forgets the stream. */
  finish(streamId: string, length: number): string | undefined;
}

export function createRunningHashes(): RunningHashes {
  const hashes = new Map<string, { hash: Hash; length: number }>();
  return {
    add(streamId, offset, bytes) {
      let entry = hashes.get(streamId);
      if (!entry && offset === 0 && hashes.size < maxHashes) {
        entry = { hash: createHash("sha256"), length: 0 };
        hashes.set(streamId, entry);
      }
      if (!entry) return;
      if (entry.length !== offset) {
        hashes.delete(streamId);
        return;
      }
      entry.hash.update(bytes);
      entry.length += bytes.length;
    },
    drop: (streamId) => void hashes.delete(streamId),
    finish(streamId, length) {
      const entry = hashes.get(streamId);
      hashes.delete(streamId);
      return entry?.length === length ? entry.hash.digest("hex") : undefined;
    },
  };
}
