/** Items of task lists, and ticking one in the text that they are written in. */
import type { Element, Root } from "hast";
import type { ListItem, Nodes, Root as Written } from "mdast";
import { isTooCostly } from "./cost.ts";
import { readMarkdown } from "./syntax.ts";
import { eachElement, wordsOf } from "./walk.ts";

/**
 * The text with the task of this number (from 0, in the order of the text) ticked or not. Unchanged if there is none; then the
 * text is not the one that was shown.
 */
export function toggleTask(text: string, index: number, checked: boolean): string {
  if (isTooCostly(text)) return text;
  const offset = tasksIn(readMarkdown(text))[index]?.position?.start.offset;
  if (offset === undefined) return text;
  const box = text.slice(offset).search(/\[[ \t\r\nxX]\]/);
  if (box < 0) return text;
  const at = offset + box + 1;
  return `${text.slice(0, at)}${checked ? "x" : " "}${text.slice(at + 1)}`;
}

export interface TaskCount {
  done: number;
  total: number;
}

/** For "2 of 5 tasks". */
export function countTasks(text: string): TaskCount {
  const tasks = isTooCostly(text) ? [] : tasksIn(readMarkdown(text));
  return { done: tasks.filter(({ checked }) => checked).length, total: tasks.length };
}

/** Gives each task its number. The key tells it from an element that somebody wrote as HTML. */
export function markTasks(root: Written, key: string): void {
  for (const [index, item] of tasksIn(root).entries())
    item.data = { ...item.data, hProperties: { dataTask: `${key}-${index}` } };
}

/** Leaves the number, and what the task is called, at its box: the first one in the item. */
export function keepOwnTasks(root: Root, key: string): void {
  let number: number | undefined;
  let label = "";
  eachElement(root, (element) => {
    const { dataTask } = element.properties;
    delete element.properties["dataTask"];
    if (typeof dataTask === "string" && dataTask.startsWith(`${key}-`)) {
      number = Number(dataTask.slice(key.length + 1));
      label = labelOf(element);
    } else if (element.tagName === "input" && number !== undefined) {
      element.properties["dataTask"] = number;
      element.properties["ariaLabel"] = label;
      number = undefined;
    }
  });
}

const maxLabelLength = 200;

function labelOf(item: Element): string {
  const lines = wordsOf(item).trim().split("\n", 1);
  return (lines[0] ?? "").slice(0, maxLabelLength);
}

function tasksIn(root: Written): ListItem[] {
  const tasks: ListItem[] = [];
  const left: Nodes[] = [root];
  for (let next = left.pop(); next; next = left.pop()) {
    if (next.type === "listItem" && typeof next.checked === "boolean") tasks.push(next);
    if ("children" in next) for (const child of next.children.toReversed()) left.push(child);
  }
  return tasks;
}
