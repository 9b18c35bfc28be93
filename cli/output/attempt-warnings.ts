/** What a runner noticed about a job beside its result, such as files of later steps that something in it had made. */
import { terminalSafe } from "./terminal-safe.ts";

export interface WarnedJob {
  attempts: readonly { attempt: number; warnings: readonly string[]; warnings_omitted: number }[];
}

/** A line each, and one for those that the answer leaves out; with the number of the attempt where there were several. */
export function attemptWarnings({ attempts }: WarnedJob): string[] {
  return attempts.flatMap(({ attempt, warnings, warnings_omitted: omitted }) =>
    [...warnings, ...(omitted > 0 ? [`${omitted} more ${omitted === 1 ? "warning" : "warnings"}`] : [])].map(
      (warning) => terminalSafe(attempts.length > 1 ? `Attempt ${attempt}: ${warning}` : warning),
    ),
  );
}
