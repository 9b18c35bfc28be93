/** GitHub's alerts: a quotation that begins with a line such as `[!NOTE]`. */
import type { Element, Root } from "hast";
import { eachElement } from "./walk.ts";

export const alertKinds = ["note", "tip", "important", "warning", "caution"] as const;
export type AlertKind = (typeof alertKinds)[number];

const mark = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i;

/** Puts the kind into `dataAlert` of the quotation, which nobody can write there, and takes the mark away. */
export function markAlerts(root: Root): void {
  eachElement(root, (element) => {
    if (element.tagName !== "blockquote") return;
    const paragraph = element.children.find((child) => child.type === "element");
    if (paragraph?.type !== "element" || paragraph.tagName !== "p") return;
    const kind = takeMark(paragraph);
    if (kind === undefined) return;
    element.properties["dataAlert"] = kind;
    if (paragraph.children.length === 0)
      element.children = element.children.filter((child) => child !== paragraph);
  });
}

/** The kind as `dataAlert` has it. */
export function alertKindOf(value: unknown): AlertKind | undefined {
  return alertKinds.find((kind) => kind === value);
}

function takeMark(paragraph: Element): string | undefined {
  const [first, second] = paragraph.children;
  if (first?.type !== "text") return undefined;
  const found = mark.exec(first.value);
  if (!found?.[1]) return undefined;
  const isWholeNode = found[0].length === first.value.length;
  // `[!NOTE] **words**` is a quotation that begins with brackets.
  if (isWholeNode && !found[0].endsWith("\n") && second && !isBreak(second)) return undefined;
  const rest = first.value.slice(found[0].length);
  const after = paragraph.children.slice(second && isWholeNode && isBreak(second) ? 2 : 1);
  paragraph.children = rest === "" ? after : [{ ...first, value: rest }, ...after];
  return found[1].toLowerCase();
}

function isBreak(node: Element["children"][number]): boolean {
  return node.type === "element" && node.tagName === "br";
}
