/** Colours and marks of statuses, and how refs and spans are written. */
import { colors } from "./colors.ts";

export type Paint = (text: string) => string;

const paints: Record<string, Paint> = {
  success: colors.green,
  failed: colors.red,
  error: colors.magenta,
  cancelled: colors.yellow,
  cancelling: colors.yellow,
  skipped: colors.dim,
  running: colors.cyan,
  queued: colors.blue,
};

const marks: Record<string, string> = {
  success: "✓",
  failed: "✗",
  error: "!",
  cancelled: "⊘",
  skipped: "–",
  running: "●",
};

export function paintStatus(status: string): string {
  return (paints[status] ?? colors.dim)(status);
}

export function statusMark(status: string): string {
  return (paints[status] ?? colors.dim)(marks[status] ?? "○");
}

/** Of a job, where a failure that the file allows is no alarm. */
export function jobMark(job: { status: string; allowed_failure?: boolean }): string {
  return job.allowed_failure ? colors.yellow(marks[job.status] ?? "!") : statusMark(job.status);
}

/** What is said of such a failure. */
export const allowedText = "(allowed to fail)";

const jobPaints: Paint[] = [colors.cyan, colors.magenta, colors.yellow, colors.blue, colors.green];

/** The same colour for the same job throughout a run. */
export function jobPaint(index: number): Paint {
  return jobPaints[index % jobPaints.length] ?? colors.cyan;
}

/** A branch or tag as people call it. */
export function shortRef(ref: string): string {
  return ref.replace(/^refs\/(heads|tags)\//, "");
}

/** A commit as people can tell it from others. */
export function shortId(commit: string): string {
  return commit.slice(0, 10);
}

export function formatDuration(seconds: number | null): string {
  if (seconds === null) return "–";
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes}m${String(seconds % 60).padStart(2, "0")}s`
    : `${Math.floor(minutes / 60)}h${String(minutes % 60).padStart(2, "0")}m`;
}

/** Milliseconds for people: tenths below ten seconds, then as `formatDuration`. */
export function formatSpan(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  return seconds < 10 ? `${seconds.toFixed(1)}s` : formatDuration(Math.round(seconds));
}
