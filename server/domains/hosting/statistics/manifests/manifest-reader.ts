/** Reads manifests one after the other, each within bounds of time and memory. */
import { createThreadPool } from "../../../../platform/thread-pool.ts";
import type { ReadManifest } from "./read-manifest.ts";

export interface ManifestReader {
  /** A file that cannot be read within the limits gets a problem; never throws. */
  read(format: string, text: string): Promise<ReadManifest>;
  close(): Promise<void>;
}

const timeoutMs = 30_000;
const memoryMb = 384;

export function createManifestReader(): ManifestReader {
  const pool = createThreadPool<{ format: string; text: string }, ReadManifest>({
    script: new URL("./manifest-thread.ts", import.meta.url),
    threads: 1,
    timeoutMs,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  const problem = (text: string): ReadManifest => ({ dependencies: [], problem: text });
  return {
    async read(format, text) {
      try {
        return (await pool.run({ format, text })) ?? problem("It takes too long to read.");
      } catch {
        return problem("It takes too much memory to read.");
      }
    },
    close: () => pool.close(),
  };
}
