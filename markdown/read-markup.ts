/**
 * From markup to a tree of elements (hast), in time and memory that are in proportion to it: unlike a browser, this opens no
 * element again that was left open. What comes of it is never written as markup again, so that does no harm.
 */
import type { Element, Properties, Root } from "hast";
import { Parser } from "htmlparser2";
import { find, html } from "property-information";
import type { Parent } from "./walk.ts";

/** Deeper than that is no text for people, and too deep for functions that call themselves. */
const maxDepth = 250;

/** Undefined if the elements are in each other too deeply. */
export function readMarkup(markup: string): Root | undefined {
  const root: Root = { type: "root", children: [] };
  const open: Parent[] = [root];
  let isTooDeep = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      const element: Element = {
        type: "element",
        tagName: name,
        properties: propertiesOf(attributes),
        children: [],
      };
      open.at(-1)?.children.push(element);
      open.push(element);
      if (open.length <= maxDepth) return;
      isTooDeep = true;
      parser.pause();
    },
    ontext: (words) => addWords(open.at(-1) ?? root, words),
    onclosetag: () => void open.pop(),
  });
  parser.write(markup);
  if (isTooDeep) return undefined;
  parser.end();
  return root;
}

function addWords(parent: Parent, words: string): void {
  const last = parent.children.at(-1);
  if (last?.type === "text") last.value += words;
  else parent.children.push({ type: "text", value: words });
}

function propertiesOf(attributes: Record<string, string>): Properties {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => {
      const { property, boolean, spaceSeparated } = find(html, name);
      return [property, boolean ? true : spaceSeparated ? value.split(/\s+/) : value];
    }),
  );
}
