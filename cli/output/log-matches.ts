/** Lines that a search of logs found, in a terminal. */
import { colors } from "./colors.ts";
import { terminalSafe } from "./terminal-safe.ts";

export interface ShownMatch {
  pipeline_number: number;
  job_label: string;
  step: string;
  number: number;
  text: string;
  is_cut: boolean;
  ranges: readonly { start: number; end: number }[];
}

/** `job › step:line: text`, behind the number of its run where several are searched. */
export function renderMatch(match: ShownMatch, { hasRun }: { hasRun: boolean }): string {
  const run = hasRun ? `${colors.bold(`#${match.pipeline_number}`)} ` : "";
  const place = `${terminalSafe(match.job_label)} › ${terminalSafe(match.step)}:${match.number}`;
  return `${run}${colors.dim(`${place}:`)} ${highlight(match)}${match.is_cut ? colors.dim(" …") : ""}`;
}

function highlight({ text, ranges }: ShownMatch): string {
  let shown = "";
  let at = 0;
  for (const { start, end } of ranges) {
    shown +=
      terminalSafe(text.slice(at, start)) + colors.red(colors.bold(terminalSafe(text.slice(start, end))));
    at = end;
  }
  return shown + terminalSafe(text.slice(at));
}
