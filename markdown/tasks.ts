/** Items of task lists, and ticking one in the text that they are written in. */
import type { Element, Root } from "hast";
import { isTooCostly } from "./cost.ts";
import type { WrittenTask } from "./environment.ts";
import { readMarkdown } from "./syntax.ts";
import { eachElement, wordsOf } from "./walk.ts";

/**
 * The text with the task of this number (from 0, in the order of the text) ticked or not. Unchanged if there is none; then the
 * text is not the one that was shown.
 */
export function toggleTask(text: string, index: number, checked: boolean): string {
  const task = tasksIn(text)[index];
  if (!task) return text;
  const lines = text.split(/(\r\n|\n|\r)/);
  // Every second part is the end of a line.
  const at = task.line * 2;
  lines[at] = (lines[at] ?? "").replace(markBefore, `$1${checked ? "x" : " "}`);
  return lines.join("");
}

/** Of a line: what may stand before its box, which are marks of quotations and lists. */
const markBefore = /^((?:[\s>]|[-*+](?=\s)|\d{1,9}[.)](?=\s))*\[)[ xX](?=\])/;

function tasksIn(text: string): readonly WrittenTask[] {
  return isTooCostly(text) ? [] : readMarkdown(text, { isComment: true }).environment.tasks;
}

/** Leaves the number, and what the task is called, at boxes that bear the key, and no number at others. */
export function keepOwnTasks(root: Root, key: string): void {
  let item: Element | undefined;
  eachElement(root, (element) => {
    if (element.tagName === "li") item = element;
    const { dataTask } = element.properties;
    if (dataTask === undefined) return;
    delete element.properties["dataTask"];
    if (typeof dataTask !== "string" || !dataTask.startsWith(`${key}-`)) return;
    element.properties["dataTask"] = Number(dataTask.slice(key.length + 1));
    if (item) element.properties["ariaLabel"] = labelOf(item);
  });
}

const maxLabelLength = 200;

function labelOf(item: Element): string {
  const [line = ""] = wordsOf(item).trim().split("\n", 1);
  return line.slice(0, maxLabelLength);
}
