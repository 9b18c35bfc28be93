/**
 * From Markdown to a tree of harmless elements (hast), the one way for pages, previews and whatever else shows or reads the
 * texts of users: no markup of theirs reaches a reader that has not passed the list in `sanitize-schema.ts`.
 */
import type { Nodes, Root } from "hast";
import { sanitize } from "hast-util-sanitize";
import { markAlerts } from "./alerts.ts";
import { isTooCostly, becomesTooMuch } from "./cost.ts";
import { boundDrawnCode } from "./drawn-code.ts";
import { linkReferences } from "./link-references.ts";
import { nameHeadings } from "./name-headings.ts";
import type { TextPlace } from "./place.ts";
import { readMarkup } from "./read-markup.ts";
import { schemaFor } from "./sanitize-schema.ts";
import { readMarkdown, writeMarkup } from "./syntax.ts";
import { keepOwnTasks } from "./tasks.ts";

export interface ParsedText {
  root: Root;
  /** Too long, or made so that reading it would take too long: `root` is the text as it was written. */
  isPlain: boolean;
}

/** Never throws, and takes less than two seconds of CPU, whatever the text is (`docs/decisions/0048-markdown-package.md`). */
export function parse(text: string, place: TextPlace = {}): ParsedText {
  const root = isTooCostly(text) ? undefined : read(text, place);
  return root ? { root, isPlain: false } : { root: asWritten(text), isPlain: true };
}

function read(text: string, place: TextPlace): Root | undefined {
  const { textId = "", references = false } = place;
  const kind = { isComment: references };
  const found = readMarkdown(text, kind);
  if (becomesTooMuch(found.tokens)) return undefined;
  const tree = readMarkup(writeMarkup(found, kind));
  if (!tree) return undefined;
  const root = rootOf(sanitize(tree, schemaFor(textId)));
  keepOwnTasks(root, found.environment.key);
  boundDrawnCode(root);
  markAlerts(root);
  nameHeadings(root, textId);
  if (references) linkReferences(root, place);
  return root;
}

function asWritten(text: string): Root {
  return {
    type: "root",
    children: [
      { type: "element", tagName: "pre", properties: {}, children: [{ type: "text", value: text }] },
    ],
  };
}

function rootOf(node: Nodes): Root {
  if (node.type === "root") return node;
  return { type: "root", children: node.type === "doctype" ? [] : [node] };
}
