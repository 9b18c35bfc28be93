/** A thread for tests of pools: it gets no processor for `waitMs`, then works for `workMs`. */
import { parentPort } from "node:worker_threads";

export interface WaitingTask {
  waitMs: number;
  workMs: number;
}

parentPort?.on("message", ({ waitMs, workMs }: WaitingTask) => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
  const from = performance.now();
  while (performance.now() - from < workMs);
  parentPort?.postMessage("done");
});
