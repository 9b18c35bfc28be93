/** Makes links of the references in a text. */
import type { Element, ElementContent, Root, Text } from "hast";
import { referenceAddress, referenceInAddress } from "./addresses.ts";
import { findReferences, mayRefer, type FoundReference, type Reference } from "./find-references.ts";
import type { TextPlace } from "./place.ts";
import { eachElement, wordsOf, type Parent } from "./walk.ts";

/** Elements whose words are not read: they hold code, or are links already. */
const closedElements = new Set(["a", "code", "pre", "kbd", "samp", "tt"]);

export function isClosed(element: Element): boolean {
  return closedElements.has(element.tagName);
}

/** The class `reference` is on these links only: nobody can write it. */
export function linkReferences(root: Root, place: TextPlace): void {
  linkIn(root, place);
  eachElement(root, (element) => {
    if (element.tagName === "a") shorten(element, place);
    if (isClosed(element)) return false;
    linkIn(element, place);
    return true;
  });
}

function linkIn(parent: Parent, place: TextPlace): void {
  if (!parent.children.some((child) => child.type === "text" && mayRefer(child.value))) return;
  parent.children = (parent.children as ElementContent[]).flatMap((child) =>
    child.type === "text" ? withLinks(child, place) : [child],
  );
}

function withLinks(text: Text, place: TextPlace): ElementContent[] {
  const parts: ElementContent[] = [];
  let at = 0;
  const addWords = (to: number) => {
    if (to > at) parts.push({ type: "text", value: text.value.slice(at, to) });
  };
  for (const found of findReferences(text.value)) {
    const address = referenceAddress(found.reference, place);
    if (address === undefined) continue;
    addWords(found.from);
    parts.push(linkOf(found, address, text.value));
    at = found.to;
  }
  if (parts.length === 0) return [text];
  addWords(text.value.length);
  return parts;
}

function linkOf({ reference, from, to }: FoundReference, address: string, words: string): Element {
  const value = reference.kind === "commit" ? wordsFor(reference, undefined) : words.slice(from, to);
  return {
    type: "element",
    tagName: "a",
    properties: { href: address, className: ["reference", reference.kind] },
    children: [{ type: "text", value }],
  };
}

/** A bare full address of something here is shown as short as people would write it. */
function shorten(link: Element, place: TextPlace): void {
  const { href } = link.properties;
  if (typeof href !== "string") return;
  const reference = referenceInAddress(href, place);
  const address = reference && referenceAddress(reference, place);
  if (!reference || address === undefined) return;
  const isBare = wordsOf(link) === href;
  link.properties["href"] = `${address}${/[?#].*$/.exec(href)?.[0] ?? ""}`;
  link.properties["className"] = ["reference", reference.kind];
  if (isBare) link.children = [{ type: "text", value: wordsFor(reference, place.repository) }];
}

function wordsFor(reference: Reference, here: string | undefined): string {
  if (!("repository" in reference)) return "";
  const { repository = "" } = reference;
  const before = repository.toLowerCase() === here?.toLowerCase() ? "" : repository;
  if (reference.kind === "commit") return `${before && `${before}@`}${reference.sha.slice(0, 10)}`;
  return `${before}${reference.kind === "issue" ? "#" : "!"}${reference.number}`;
}
