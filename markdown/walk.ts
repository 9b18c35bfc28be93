/** Going through a tree of elements without recursion: whoever wrote the text chooses how deep it is. */
import type { Element, ElementContent, Root } from "hast";

export type Parent = Root | Element;

/** Calls `visit` for every element in the order of the text, and does not go into it if the answer is false. */
export function eachElement(root: Root, visit: (element: Element, parent: Parent) => boolean | void): void {
  const left: [Element, Parent][] = [];
  const add = (parent: Parent) => {
    for (let index = parent.children.length - 1; index >= 0; index -= 1) {
      const child = parent.children[index];
      if (child?.type === "element") left.push([child, parent]);
    }
  };
  add(root);
  for (let next = left.pop(); next; next = left.pop()) {
    const [element, parent] = next;
    if (visit(element, parent) !== false) add(element);
  }
}

export function wordsOf(node: ElementContent | Root): string {
  let words = "";
  const left: (ElementContent | Root)[] = [node];
  for (let next = left.pop(); next; next = left.pop()) {
    if (next.type === "text") words += next.value;
    else if ("children" in next)
      for (const child of (next.children as ElementContent[]).toReversed()) left.push(child);
  }
  return words;
}

export function classesOf({ properties }: Element): readonly string[] {
  const { className } = properties;
  return Array.isArray(className) ? className.map(String) : [];
}
