/** Whether the labels that a job asks for are as many and as long as a runner's may be. */
import { maxLabelChars, maxLabels, maxLabelsBytes } from "@forgeline/schemas/runners/label.ts";
import type { Code } from "./codes.ts";
import { quote } from "./suggest.ts";

export interface LabelProblem {
  code: Code;
  message: string;
  hint: string | null;
  /** Which of the labels; null where it is all of them together. */
  index: number | null;
}

const hint = `runner labels have at most ${maxLabelChars} characters, so no runner can have this one`;

export function labelProblems(labels: readonly string[]): LabelProblem[] {
  if (labels.length > maxLabels) {
    const message = `"runner" has ${labels.length} entries; at most ${maxLabels} are allowed`;
    return [{ code: "P305", message, hint: null, index: null }];
  }
  const long = labels.flatMap((label, index): LabelProblem[] => {
    if (label.length <= maxLabelChars) return [];
    const message = `the label ${quote(label)} has ${label.length} characters; at most ${maxLabelChars} are allowed`;
    return [{ code: "P308", message, hint, index }];
  });
  const bytes = new TextEncoder().encode(labels.join("")).length;
  if (long.length > 0 || bytes <= maxLabelsBytes) return long;
  const message = `the labels of "runner" add up to ${bytes} bytes; at most ${maxLabelsBytes} are allowed`;
  return [{ code: "P308", message, hint: "ask for fewer labels, or for shorter ones", index: null }];
}
