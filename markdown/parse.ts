/**
 * From Markdown to a tree of harmless elements (hast), the one way for pages, previews and whatever else shows or reads the
 * texts of users: no markup of theirs reaches a reader that has not passed the list in `sanitize-schema.ts`.
 */
import type { Root, RootContent } from "hast";
import { raw } from "hast-util-raw";
import { sanitize } from "hast-util-sanitize";
import { toHast } from "mdast-util-to-hast";
import { markAlerts } from "./alerts.ts";
import { isTooCostly } from "./cost.ts";
import { stripBackticks } from "./formulas.ts";
import { linkReferences } from "./link-references.ts";
import { nameHeadings } from "./name-headings.ts";
import type { TextPlace } from "./place.ts";
import { schemaFor } from "./sanitize-schema.ts";
import { readMarkdown } from "./syntax.ts";
import { keepOwnTasks, markTasks } from "./tasks.ts";

export interface ParsedText {
  root: Root;
  /** Too long, or made so that reading it would take too long: `root` is the text as it was written. */
  isPlain: boolean;
}

/** Never throws, and takes at most about a second, whatever the text is. */
export function parse(text: string, place: TextPlace = {}): ParsedText {
  if (isTooCostly(text)) return { root: asWritten(text), isPlain: true };
  const written = readMarkdown(text);
  const taskKey = crypto.randomUUID();
  markTasks(written, taskKey);
  const tree = toHast(written, { allowDangerousHtml: true, clobberPrefix: "" });
  const root = rootOf(sanitize(raw(tree), schemaFor(place.textId ?? "")));
  keepOwnTasks(root, taskKey);
  markAlerts(root);
  stripBackticks(root);
  nameHeadings(root, place.textId ?? "");
  if (place.references) linkReferences(root, place);
  return { root, isPlain: false };
}

function asWritten(text: string): Root {
  return {
    type: "root",
    children: [
      { type: "element", tagName: "pre", properties: {}, children: [{ type: "text", value: text }] },
    ],
  };
}

function rootOf(node: Root | RootContent): Root {
  return node.type === "root" ? node : { type: "root", children: [node] };
}
