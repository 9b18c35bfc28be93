/**
 * Whom and what a text names, for who is told of it and what is linked back. The same tree is read that readers see, so what
 * stands in code, in comments or in markup that nobody is shown names nothing.
 */
import type { Root } from "hast";
import { referenceInAddress } from "./addresses.ts";
import { findReferences, type Reference } from "./find-references.ts";
import { isClosed } from "./link-references.ts";
import { parse } from "./parse.ts";
import type { TextPlace } from "./place.ts";
import { eachElement, type Parent } from "./walk.ts";

/** Of one text; whatever it names beyond that is left out. */
export const maxMentions = 100;
export const maxReferences = 200;

export interface Mentions {
  /** Names of users or organizations, as they were written; each once, whatever its case. */
  users: string[];
  /** `org/team` or `org/parent/child`. */
  teams: string[];
}

/** Whether anybody of these names exists is for the caller to find out. */
export function mentionsOf(text: string): Mentions {
  const found = referencesIn(text, {}).map(({ reference }) => reference);
  const named = (kind: "user" | "team") =>
    unique(
      found.flatMap((reference) => (reference.kind === kind ? [reference.name] : [])),
      (name) => name.toLowerCase(),
    ).slice(0, maxMentions);
  return { users: named("user"), teams: named("team") };
}

export type RecordReference = Extract<Reference, { kind: "issue" | "merge_request" | "commit" }>;

/** Each once. Those without a repository are of the one in which the text stands. */
export function referencesOf(text: string, place: Pick<TextPlace, "instance"> = {}): RecordReference[] {
  const found = referencesIn(text, place).flatMap(({ reference }) =>
    reference.kind === "issue" || reference.kind === "merge_request" || reference.kind === "commit"
      ? [reference]
      : [],
  );
  return unique(found, keyOf).slice(0, maxReferences);
}

export type ClosingReference = Extract<Reference, { kind: "issue" }>;

/** Issues that the text says are done with it: "Fixes #12", "closes owner/repo#3". One word of closing for each. */
export function closingReferencesOf(
  text: string,
  place: Pick<TextPlace, "instance"> = {},
): ClosingReference[] {
  const found = referencesIn(text, place).flatMap(({ reference, before }) =>
    reference.kind === "issue" && closingWord.test(before) ? [reference] : [],
  );
  return unique(found, keyOf).slice(0, maxReferences);
}

/** GitHub's nine. */
const closingWord = /(?<![\w-])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?[ \t\n]{1,20}$/i;
/** The longest of them with what may be between it and the reference. */
const lookedAtBefore = 40;

interface ReferenceInText {
  reference: Reference;
  /** The end of the words before it. */
  before: string;
}

function referencesIn(text: string, place: Pick<TextPlace, "instance">): ReferenceInText[] {
  const { root, isPlain } = parse(text);
  if (isPlain) return [];
  const found = referencesUnder(root, place);
  eachElement(root, (element) => {
    if (isClosed(element)) return false;
    found.push(...referencesUnder(element, place));
    return true;
  });
  return found;
}

function referencesUnder(parent: Parent, place: Pick<TextPlace, "instance">): ReferenceInText[] {
  let before = "";
  return (parent as Root).children.flatMap((child) => {
    const words = child.type === "text" ? child.value : "";
    const earlier = before;
    before = words.slice(-lookedAtBefore);
    if (child.type === "text")
      return findReferences(words).map(({ reference, from }) => ({
        reference,
        before: words.slice(Math.max(0, from - lookedAtBefore), from),
      }));
    const href = child.type === "element" && child.tagName === "a" ? child.properties["href"] : undefined;
    const reference = typeof href === "string" ? referenceInAddress(href, place) : undefined;
    return reference ? [{ reference, before: earlier }] : [];
  });
}

function unique<T>(all: readonly T[], key: (one: T) => string): T[] {
  const byKey = new Map<string, T>();
  for (const one of all) if (!byKey.has(key(one))) byKey.set(key(one), one);
  return [...byKey.values()];
}

function keyOf(reference: RecordReference): string {
  const name = reference.kind === "commit" ? reference.sha : String(reference.number);
  return [reference.kind, reference.repository?.toLowerCase() ?? "", name].join(" ");
}
