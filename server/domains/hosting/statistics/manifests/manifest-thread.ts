/** Reads manifests in a thread of its own: strangers wrote them, and a thread can be ended. */
import { parentPort } from "node:worker_threads";
import { readManifest } from "./read-manifest.ts";

parentPort?.on("message", ({ format, text }: { format: string; text: string }) => {
  parentPort?.postMessage(readManifest(format, text));
});
