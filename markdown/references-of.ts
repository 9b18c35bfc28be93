/**
 * Whom and what a text names, for who is told of it and what is linked back. What stands in code, in comments or in markup that
 * nobody is shown names nothing.
 */
import { referenceInAddress } from "./addresses.ts";
import { findReferences, type Reference } from "./find-references.ts";
import type { TextPlace } from "./place.ts";
import { blank, visibleWords } from "./visible-words.ts";

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

// oxlint-disable-next-line no-control-regex -- it stands for what is blanked out
const address = /https?:\/\/[^\s<>"()\u0001]{1,2000}/g;

/** What stands in an address is no short reference. */
export function blankAddresses(words: string): string {
  return words.replaceAll(address, (whole) => blank.repeat(whole.length));
}

function referencesIn(text: string, place: Pick<TextPlace, "instance">): ReferenceInText[] {
  const words = visibleWords(text);
  const found: (ReferenceInText & { from: number })[] = [];
  const before = (from: number) => words.slice(Math.max(0, from - lookedAtBefore), from);
  const rest = words.replaceAll(address, (whole, from: number) => {
    const reference = referenceInAddress(whole.replace(/[.,;:!?'*_]+$/, ""), place);
    if (reference) found.push({ reference, from, before: before(from) });
    return blank.repeat(whole.length);
  });
  for (const { reference, from } of findReferences(rest))
    found.push({ reference, from, before: before(from) });
  return found.toSorted((one, other) => one.from - other.from);
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
