/** What a Node process that does not end is doing: its log's end, its stack, and what keeps its event loop alive. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually } from "./eventually.ts";

interface Stuck {
  pid: number;
  /** Where the process, started with `--report-on-signal`, writes its reports. */
  directory: string;
  logFile: string;
}

interface Report {
  javascriptStack?: { message?: string; stack?: string[] };
  libuv: ({ type: string; is_active?: boolean; is_referenced?: boolean } & Record<string, unknown>)[];
}

/** Never rejects: what cannot be found out is said so. */
export async function describeProcess({ pid, directory, logFile }: Stuck): Promise<string> {
  const log = await readFile(logFile, "utf8").catch(String);
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(String);
  const state = /^State:.*$/m.exec(status)?.[0] ?? status;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(String);
  const report = await askForReport(pid, directory).catch(
    (error: Error) => `no report: it does not even handle signals (${error.message})`,
  );
  return [`${state}; children: ${children || "none"}`, report, "The end of its log:", log.slice(-4000)].join(
    "\n",
  );
}

async function askForReport(pid: number, directory: string): Promise<string> {
  process.kill(pid, "SIGUSR2");
  const report = await eventually(
    async () => {
      const name = (await readdir(directory)).find(
        (entry) => entry.startsWith("report.") && entry.includes(`.${pid}.`),
      );
      return name === undefined
        ? undefined
        : (JSON.parse(await readFile(join(directory, name), "utf8")) as Report);
    },
    { timeoutMs: 5_000, intervalMs: 100 },
  );
  const handles = report.libuv.filter((handle) => handle.is_active && handle.is_referenced);
  return [
    `stack: ${report.javascriptStack?.message ?? ""} ${(report.javascriptStack?.stack ?? []).join(" < ")}`,
    ...handles.map((handle) => JSON.stringify(handle)),
  ].join("\n");
}
