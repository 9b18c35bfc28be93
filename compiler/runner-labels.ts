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
  const single = labels.flatMap((label, index) =>
    problemsOfLabel(label, labels).map((problem) => ({ ...problem, index })),
  );
  const bytes = new TextEncoder().encode(labels.join("")).length;
  if (single.length > 0 || bytes <= maxLabelsBytes) return single;
  const message = `the labels of "runner" add up to ${bytes} bytes; at most ${maxLabelsBytes} are allowed`;
  return [{ code: "P308", message, hint: "ask for fewer labels, or for shorter ones", index: null }];
}

function problemsOfLabel(label: string, all: readonly string[]): Omit<LabelProblem, "index">[] {
  const isRuledOut = label.startsWith("!");
  const plain = isRuledOut ? label.slice(1) : label;
  if (plain.length > maxLabelChars) {
    const message = `the label ${quote(plain)} has ${plain.length} characters; at most ${maxLabelChars} are allowed`;
    return [{ code: "P308", message, hint }];
  }
  if (!isRuledOut) return [];
  if (plain.trim() === "")
    return [
      { code: "P103", message: 'no label follows the "!"', hint: "write '!gpu' for a runner without gpu" },
    ];
  const asked = all.find(
    (other) => other === plain || (plain.endsWith("=*") && other.startsWith(plain.slice(0, -1))),
  );
  if (asked === undefined) return [];
  const message = `no runner can have ${quote(asked)} and not have ${quote(plain)}`;
  return [{ code: "P113", message, hint: "remove one of the two labels" }];
}
