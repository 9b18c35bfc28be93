/** The thread that reads reports: files of one job in, what they say out. */
import { parentPort } from "node:worker_threads";
import { readReports, type GivenReport } from "./parse/read-reports.ts";

parentPort?.on("message", (given: GivenReport[]) => parentPort?.postMessage(readReports(given)));
