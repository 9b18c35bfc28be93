/** Reads manifests in a separate thread: they are not trusted, and a thread can be ended. */
import { parentPort } from "node:worker_threads";
import { readManifest } from "./read-manifest.ts";

parentPort?.on("message", ({ format, text }: { format: string; text: string }) => {
  parentPort?.postMessage(readManifest(format, text));
});
