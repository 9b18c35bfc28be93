/**
 * What the fake engine does with a script: nothing of it is executed, only lines of the form `fake: …` or
 * `# fake: …` have a meaning, one after the other. So one script can serve the fake and a real shell.
 *   fake: echo TEXT · fake: lines N ("line 1" … "line N") · fake: sleep MS · fake: output KEY=VALUE (to $CI_OUTPUT)
 *   fake: exit N · fake: oom · fake: lost · fake: hang (until killed)
 */
import type { StepExit } from "../engine.ts";

export type TimelineAction =
  | { kind: "write"; file: "output" | "ci"; text: string }
  | { kind: "sleep"; ms: number }
  | { kind: "end"; exit: StepExit };

const directive = /^\s*(?:#\s*)?fake:\s*(\w+)(?: (.*))?$/;

function numberOf(text: string | undefined): number {
  const value = Number(text);
  if (text === undefined || !Number.isInteger(value) || value < 0)
    throw new Error(`${String(text)} is not a number`);
  return value;
}

function numberedLines(count: number): string {
  let text = "";
  for (let line = 1; line <= count; line += 1) text += `line ${String(line)}\n`;
  return text;
}

function actionOf(word: string, rest: string | undefined): TimelineAction {
  switch (word) {
    case "echo":
      return { kind: "write", file: "output", text: `${rest ?? ""}\n` };
    case "lines":
      return { kind: "write", file: "output", text: numberedLines(numberOf(rest)) };
    case "output":
      return { kind: "write", file: "ci", text: `${rest ?? ""}\n` };
    case "sleep":
      return { kind: "sleep", ms: numberOf(rest) };
    case "hang":
      return { kind: "sleep", ms: Number.POSITIVE_INFINITY };
    case "exit":
      return { kind: "end", exit: { kind: "exited", code: numberOf(rest) } };
    case "oom":
      return { kind: "end", exit: { kind: "oom" } };
    case "lost":
      return { kind: "end", exit: { kind: "container_lost", message: "The fake container was lost." } };
    default:
      throw new Error(`fake: ${word} is unknown`);
  }
}

/** Ends with exactly one `end`; what stands after it is left out. A directive that is wrong ends with exit 2. */
export function parseTimeline(script: string): TimelineAction[] {
  const actions: TimelineAction[] = [];
  for (const line of script.split("\n")) {
    const match = directive.exec(line);
    if (match === null) continue;
    try {
      const action = actionOf(match[1] ?? "", match[2]);
      actions.push(action);
      if (action.kind === "end") return actions;
    } catch (error) {
      actions.push({ kind: "write", file: "output", text: `${(error as Error).message}\n` });
      actions.push({ kind: "end", exit: { kind: "exited", code: 2 } });
      return actions;
    }
  }
  actions.push({ kind: "end", exit: { kind: "exited", code: 0 } });
  return actions;
}
