/** Reads manifests one after the other, each within bounds of time and memory. */
import { Worker } from "node:worker_threads";
import type { ReadManifest } from "./read-manifest.ts";

export interface ManifestReader {
  /** A file that cannot be read within the limits gets a problem; never throws. */
  read(format: string, text: string): Promise<ReadManifest>;
  close(): Promise<void>;
}

/** A new thread loads the readers first. */
const timeoutMs = 30_000;
const memoryMb = 384;

export function createManifestReader(): ManifestReader {
  let thread: Worker | undefined;

  async function end(): Promise<void> {
    const ended = thread;
    thread = undefined;
    ended
      ?.removeAllListeners("message")
      .removeAllListeners("error")
      .on("error", () => undefined);
    await ended?.terminate();
  }

  return {
    async read(format, text) {
      const worker = (thread ??= new Worker(new URL("./manifest-thread.ts", import.meta.url), {
        resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      }));
      const { promise, resolve } = Promise.withResolvers<ReadManifest | string>();
      const timer = setTimeout(() => resolve("It takes too long to read."), timeoutMs);
      worker.once("message", resolve).once("error", () => resolve("It takes too much memory to read."));
      worker.postMessage({ format, text });
      const answer = await promise;
      clearTimeout(timer);
      worker.removeAllListeners("message").removeAllListeners("error");
      if (typeof answer !== "string") return answer;
      await end();
      return { dependencies: [], problem: answer };
    },
    close: end,
  };
}
