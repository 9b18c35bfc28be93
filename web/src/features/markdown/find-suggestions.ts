/** Which blocks of code suggest changes, numbered in the order of the text. */
import type { Element, Root } from "hast";
import { classesOf, eachElement } from "@forgeline/markdown/walk.ts";

const language = /^language-suggestion(?::|$)/;

export function findSuggestions(root: Root): ReadonlyMap<Element, number> {
  const found = new Map<Element, number>();
  eachElement(root, (element) => {
    if (element.tagName !== "pre") return;
    const [code] = element.children;
    if (code?.type === "element" && classesOf(code).some((name) => language.test(name)))
      found.set(element, found.size);
  });
  return found;
}
