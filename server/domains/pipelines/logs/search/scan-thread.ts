/** The thread that searches logs: a batch of frames in, the lines found out. */
import { parentPort } from "node:worker_threads";
import { scanFrames, type ScanTask } from "./scan-frames.ts";

parentPort?.on("message", (task: ScanTask) => parentPort?.postMessage(scanFrames(task)));
