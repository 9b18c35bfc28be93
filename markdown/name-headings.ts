/** Headings get ids from their words, as at GitHub, so that a link can lead to them. */
import type { Root } from "hast";
import { idOf } from "./sanitize-schema.ts";
import { eachElement, wordsOf } from "./walk.ts";

export function nameHeadings(root: Root, textId: string): void {
  const uses = new Map<string, number>();
  eachElement(root, (element) => {
    if (!/^h[1-6]$/.test(element.tagName)) return;
    if (element.properties["id"] !== undefined) return;
    const slug = slugOf(wordsOf(element));
    const earlier = uses.get(slug) ?? 0;
    uses.set(slug, earlier + 1);
    element.properties["id"] = idOf(textId, earlier === 0 ? slug : `${slug}-${earlier}`);
  });
}

function slugOf(words: string): string {
  return words
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}
