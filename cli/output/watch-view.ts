/**
 * Shows a run while it goes on: one line a status change, and the log lines of each job behind the job's name. On a
 * terminal with colours, and a last line that tells what runs now and for how long; plain text when piped.
 */
import pc from "picocolors";
import type {
  WatchedStatus,
  WatchedStream,
  WatchHandlers,
  WatchResult,
} from "@forgeline/client/watch-logs.ts";
import { createLineSplitter, type LineSplitter } from "./line-splitter.ts";
import { jobPaint, paintStatus, statusMark } from "./style.ts";
import { terminalSafe } from "./terminal-safe.ts";

export interface WatchView extends WatchHandlers {
  finish(result: WatchResult): void;
  close(): void;
}

export interface WatchViewOptions {
  /** Show log lines too. */
  logs: boolean;
  out: NodeJS.WriteStream;
}

const footerIntervalMs = 250;

export function createWatchView(options: WatchViewOptions): WatchView {
  const footer = createFooter(options.out);
  const splitters = new Map<string, LineSplitter>();
  const jobs: string[] = [];
  const lastStatus = new Map<string, string>();

  const print = (text: string) => footer.around(() => options.out.write(`${text}\n`));
  const label = (job: string) => {
    if (!jobs.includes(job)) jobs.push(job);
    return jobPaint(jobs.indexOf(job))(job.padEnd(Math.max(...jobs.map((j) => j.length))));
  };

  const showStatus = (status: WatchedStatus) => {
    const key = `${status.id}:${status.attempt ?? 0}`;
    if (lastStatus.get(key) === status.status) return;
    lastStatus.set(key, status.status);
    if (status.node === "job") footer.track(status.name, status.status);
    if (!isWorthALine(status)) return;
    const attempt =
      status.attempt !== null && status.attempt > 1 ? pc.dim(` (attempt ${status.attempt})`) : "";
    const why = status.message ?? status.reason;
    const reason = why && status.status !== "running" ? pc.dim(` – ${terminalSafe(why)}`) : "";
    print(
      `${statusMark(status.status)} ${describe(status, label)}${attempt} ${paintStatus(status.status)}${reason}`,
    );
  };

  return {
    onStatus: showStatus,
    onStream(stream) {
      const name = stream.kind === "setup" ? pc.dim : (text: string) => text;
      splitters.set(
        stream.id,
        createLineSplitter((line) =>
          print(`${label(stream.job)} ${pc.dim("│")} ${name(terminalSafe(line))}`),
        ),
      );
    },
    onBytes(stream: WatchedStream, bytes) {
      if (options.logs) splitters.get(stream.id)?.push(bytes);
    },
    onStreamEnd(stream, end) {
      if (!options.logs) return;
      splitters.get(stream.id)?.end();
      if (!end.complete)
        print(`${label(stream.job)} ${pc.yellow(`│ this log is not complete (${end.bytes} bytes arrived)`)}`);
    },
    onReconnect: (delayMs, why) => print(pc.dim(`… connection lost (${why}); trying again in ${delayMs} ms`)),
    finish(result) {
      footer.close();
      const reason = result.reason ? pc.dim(` – ${result.reason}`) : "";
      options.out.write(
        `${statusMark(result.status)} ${pc.bold("pipeline")} ${paintStatus(result.status)}${reason}\n`,
      );
    },
    close: () => footer.close(),
  };
}

function isWorthALine(status: WatchedStatus): boolean {
  if (status.node === "pipeline") return status.status === "running";
  return !["created", "waiting", "queued"].includes(status.status);
}

function describe(status: WatchedStatus, label: (job: string) => string): string {
  if (status.node === "pipeline") return pc.bold("pipeline");
  if (status.node === "stage") return `${pc.bold("stage")} ${pc.bold(status.name)}`;
  if (status.node === "job") return `${label(status.name)} job`;
  return `${label(status.job ?? "")} step ${pc.bold(terminalSafe(status.name))}`;
}

/** The last line of the terminal; nothing where the output is not one. */
function createFooter(out: NodeJS.WriteStream) {
  const running = new Map<string, number>();
  let shown = false;
  const clear = () => {
    if (shown) out.write("\r\u001b[2K");
    shown = false;
  };
  const draw = () => {
    if (!out.isTTY || running.size === 0) return;
    const parts = [...running].map(
      ([name, since]) => `${name} ${Math.round((performance.now() - since) / 1000)}s`,
    );
    out.write(pc.dim(`  ● ${parts.join("  ● ")}`.slice(0, Math.max(10, (out.columns ?? 80) - 1))));
    shown = true;
  };
  const timer = out.isTTY ? setInterval(() => (clear(), draw()), footerIntervalMs) : undefined;
  timer?.unref();
  return {
    around(write: () => void) {
      clear();
      write();
      draw();
    },
    track(job: string, status: string) {
      if (status === "running") running.set(job, performance.now());
      else running.delete(job);
    },
    close() {
      clearInterval(timer);
      clear();
      running.clear();
    },
  };
}
