/**
 * Shows a run while it is in progress: log lines behind the name of their job, the name of each step above its lines, and one
 * line for each job and stage that ended. On a terminal with colours, and a last line that tells what runs now and for
 * how long; plain text when piped.
 */
import { finalStatuses } from "@forgeline/client/generated/statuses.ts";
import { colors } from "./colors.ts";
import type { WatchedStatus, WatchHandlers } from "@forgeline/client/watch-session.ts";
import { createFooter } from "./footer.ts";
import { createHeldLines } from "./held-lines.ts";
import { createLineSplitter, type LineSplitter } from "./line-splitter.ts";
import { formatSpan, jobPaint, paintStatus, statusMark } from "./style.ts";
import { inOneLine, terminalSafe } from "./terminal-safe.ts";

export interface WatchView extends WatchHandlers {
  /** A line that is of no job. */
  note(text: string): void;
  /** Removes the last line; nothing is shown afterwards. */
  close(): void;
}

export interface WatchViewOptions {
  /** Show log lines too. */
  logs: boolean;
  /** Labels of the jobs, as far as they are known before the first line. */
  jobs: readonly string[];
  out: NodeJS.WriteStream;
}

const final: ReadonlySet<string> = new Set(finalStatuses);

export function createWatchView(options: WatchViewOptions): WatchView {
  const footer = createFooter(options.out);
  const splitters = new Map<string, LineSplitter>();
  const label = createLabels(options.jobs);
  const changes = createChanges();
  const print = (text: string) => footer.around(() => options.out.write(`${text}\n`));
  const inJob = (job: string, mark: string, text: string) => print(`${label(job)} ${mark} ${text}`);

  const held = createHeldLines();
  const headings = createHeadings();
  /** When the first line of a step comes or it is known to run, whichever is first. */
  const head = (step: Headed, kind = "step") => {
    if (options.logs && headings.isDue(step, kind)) inJob(step.job, colors.dim("▸"), headingOf(step, kind));
  };

  return {
    onStatus(status) {
      const change = changes.take(status);
      if (!change) return;
      // How all stands was told before, and by now the streams too.
      if (!change.isFirst) held.began();
      const { node, name, attempt } = status;
      const job = status.job_label ?? name;
      if (node === "job") footer.track(job, status.status === "running");
      // Whoever joins a run first sees what is running now; lines of earlier steps are still to come. And a step may be told to
      // run when its lines, and those of the next one, have come already.
      const step = { job, name, attempt: attempt ?? 1 };
      if (
        node === "step" &&
        status.status === "running" &&
        headings.hasLines(job) &&
        !headings.wasShown(step)
      )
        head(step);
      const text = describe(status, change.span, options.logs);
      if (text === undefined) return;
      const mark = statusMark(status.status);
      const tell = () => (node === "stage" ? print(`${label("")} ${mark} ${text}`) : inJob(job, mark, text));
      // What was skipped has no log to wait for.
      if (!options.logs || !final.has(status.status) || status.status === "skipped") return tell();
      held.add({ job: node === "stage" ? null : job, step: node === "step" ? name : null, attempt }, tell);
    },
    onStream(stream) {
      held.opened(stream);
      const paint = stream.kind === "setup" ? colors.dim : (text: string) => text;
      const show = (line: string) => inJob(stream.jobLabel, colors.dim("│"), paint(terminalSafe(line)));
      splitters.set(stream.id, createLineSplitter(show));
    },
    onBytes(stream, bytes) {
      if (!options.logs) return;
      held.began();
      headings.noteLines(stream.jobLabel);
      if (stream.kind !== "setup") head({ ...stream, job: stream.jobLabel }, stream.kind);
      splitters.get(stream.id)?.push(bytes);
    },
    onStreamEnd(stream, end) {
      const splitter = splitters.get(stream.id);
      if (!splitter || !options.logs) return;
      splitter.end();
      splitters.delete(stream.id);
      if (!end.complete)
        inJob(
          stream.jobLabel,
          colors.yellow("│"),
          colors.yellow(`this log is not complete (${end.bytes} bytes arrived)`),
        );
      held.over(stream);
    },
    onReconnect: (delayMs, why) =>
      print(colors.dim(`… connection lost (${why}); trying again in ${delayMs} ms`)),
    onBusy: (delayMs, why) => print(busyText(delayMs, why)),
    note: (text) => print(`${label("")} ${text}`),
    close() {
      held.release();
      footer.close();
    },
  };
}

/** Says that the server has no room for it now, in the server's words, and when it is tried again. */
export function busyText(delayMs: number, why: string): string {
  return colors.dim(`… ${terminalSafe(why)} Trying again in ${Math.ceil(delayMs / 1000)} s.`);
}

interface Headed {
  job: string;
  attempt: number;
  name: string;
}

/** Which heading stands above the next line: steps of a job follow each other, services run beside them. */
function createHeadings() {
  const begun = new Set<string>();
  const current = new Map<string, string>();
  const services = new Set<string>();
  const shown = new Set<string>();
  const keyOf = ({ job, attempt, name }: Headed) => JSON.stringify([job, attempt, name]);
  return {
    noteLines: (job: string) => void begun.add(job),
    hasLines: (job: string) => begun.has(job),
    wasShown: (step: Headed) => shown.has(keyOf(step)),
    /** Takes note of it: true once, and for a step again when lines of another step stood between. */
    isDue(step: Headed, kind: string): boolean {
      const key = keyOf(step);
      const isDue = kind === "step" ? current.get(step.job) !== key : !services.has(key);
      shown.add(key);
      if (kind === "step") current.set(step.job, key);
      else services.add(key);
      return isDue;
    },
  };
}

/** The name of a job, as wide as the widest, in a colour that stays its own. */
function createLabels(known: readonly string[]): (job: string) => string {
  const jobs = [...known];
  return (job) => {
    if (job !== "" && !jobs.includes(job)) jobs.push(job);
    const padded = job.padEnd(Math.max(0, ...jobs.map((j) => j.length)));
    // The values of a matrix may come from what a job printed.
    return job === "" ? padded : jobPaint(jobs.indexOf(job))(terminalSafe(padded));
  };
}

interface Change {
  /** From its start to its end; undefined before, and when its start was not seen. */
  span: number | undefined;
  /** Nothing was told of it before. */
  isFirst: boolean;
}

/** After a reconnect the server tells everything again; only what is new is taken. */
function createChanges() {
  const last = new Map<string, string>();
  const startedAt = new Map<string, number>();
  return {
    take(status: WatchedStatus): Change | undefined {
      const key = `${status.id}:${status.attempt ?? 0}`;
      if (last.get(key) === status.status) return undefined;
      const isFirst = !last.has(key);
      last.set(key, status.status);
      const time = Date.parse(status.time);
      if (status.status === "running") startedAt.set(key, time);
      const start = startedAt.get(key);
      return { span: start === undefined || !final.has(status.status) ? undefined : time - start, isFirst };
    },
  };
}

function headingOf(step: { attempt: number; name: string }, kind: string): string {
  const service = kind === "service" ? colors.dim("service ") : "";
  return `${service}${colors.bold(terminalSafe(step.name))}${step.attempt > 1 ? colors.dim(` (attempt ${step.attempt})`) : ""}`;
}

/** The line for a status; undefined for what needs none, because its heading and its log lines tell. */
function describe(status: WatchedStatus, span: number | undefined, logs: boolean): string | undefined {
  const { node, status: word } = status;
  const good = word === "success";
  if (node === "pipeline" || (!final.has(word) && (word !== "running" || logs || node === "stage")))
    return undefined;
  if (node === "step" && logs && good) return undefined;
  const time = span === undefined ? "" : colors.dim(`  ${formatSpan(span)}`);
  const why = status.message ?? status.reason;
  // A skipped step needs no sentence: its condition is in the file.
  const reason =
    why && !good && !(node === "step" && word === "skipped") ? colors.dim(` – ${inOneLine(why)}`) : "";
  const attempt =
    node === "job" && (status.attempt ?? 1) > 1 ? colors.dim(` (attempt ${status.attempt})`) : "";
  const name =
    node === "step"
      ? `${terminalSafe(status.name)} `
      : node === "stage"
        ? `stage ${colors.bold(status.name)} `
        : "";
  return `${name}${paintStatus(word)}${attempt}${time}${reason}`;
}
