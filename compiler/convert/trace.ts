/**
 * What becomes of each construct of a file: every key is counted when a converter takes it, and every one that does not come
 * through whole is noted with its place. Keys that no converter takes are noted too, so that nothing is lost in silence.
 */
import type { Path } from "../path.ts";
import { createSource, type Source } from "../source.ts";
import { quote } from "../suggest.ts";
import type { MapNode, TreeNode } from "../tree.ts";

/** Something that a person has to look at. Lines and columns count from 1 and are those of the source. */
export interface ConversionNote {
  line: number;
  column: number;
  /** The key in the source, with `*` for names that its author chose: `jobs.*.permissions`. */
  construct: string;
  message: string;
  suggestion: string | null;
}

/** Where the comment belongs in the new file: before this key or item, or at the end of its parent when it does not exist. */
export type PlacedNote = ConversionNote & { at: Path };

/** How often a construct was met, and how often it did not come through whole. */
export interface ConstructCount {
  found: number;
  noted: number;
}

export interface NoteText {
  construct: string;
  message: string;
  suggestion?: string | null;
}

export interface Trace {
  source: Source;
  note(span: { start: number }, at: Path, text: NoteText): void;
  count(construct: string): void;
  notes(): PlacedNote[];
  counts(): ReadonlyMap<string, ConstructCount>;
}

/** At most so many notes; a file that needs more has to be written anew. */
const maxNotes = 500;

export function createTrace(file: string, text: string): Trace {
  const source = createSource(file, text);
  const notes = new Map<string, PlacedNote>();
  const counts = new Map<string, ConstructCount>();
  const countOf = (construct: string) => {
    const count = counts.get(construct) ?? { found: 0, noted: 0 };
    counts.set(construct, count);
    return count;
  };
  return {
    source,
    note({ start }, at, { construct, message, suggestion = null }) {
      // What several places take from one anchor is noted at each of them.
      const id = `${start}:${construct}:${message}:${at.join("/")}`;
      if (notes.has(id) || notes.size >= maxNotes) return;
      const count = countOf(construct);
      count.noted += 1;
      count.found = Math.max(count.found, count.noted);
      notes.set(id, { ...source.position(start), construct, message, suggestion, at });
    },
    count: (construct) => void (countOf(construct).found += 1),
    notes: () => [...notes.values()].sort((a, b) => a.line - b.line || a.column - b.column),
    counts: () => counts,
  };
}

/** A mapping of the source whose keys are taken one by one. */
export interface Section {
  node: MapNode;
  trace: Trace;
  /** What its keys are called in notes: `jobs.*`. */
  label: string;
  /** Where comments about it go. */
  at: Path;
  /** The value of a key, counted; undefined where there is none. */
  take(key: string): TreeNode | undefined;
  /** Says what is not carried over, or not as it was. */
  note(key: string, text: { message: string; suggestion?: string | null; at?: Path }): void;
  /** Notes all keys that nobody took; `advice` has what to say of those that are known. */
  finish(advice: Advice): void;
}

/** By key: why it is not carried over, and what to do. An empty message: nothing is lost without it. */
export type Advice = Readonly<Record<string, readonly [message: string, suggestion?: string]>>;

export function openSection(
  node: TreeNode | undefined,
  label: string,
  place: { trace: Trace; at: Path },
): Section {
  const map: MapNode =
    node?.kind === "map"
      ? node
      : { kind: "map", span: node?.span ?? { start: 0, end: 0 }, entries: new Map() };
  const { trace, at } = place;
  const taken = new Set<string>();
  const name = (key: string) => [label, key].filter((part) => part !== "").join(".");
  return {
    node: map,
    trace,
    label,
    at,
    take(key) {
      const entry = map.entries.get(key);
      if (entry && !taken.has(key)) trace.count(name(key));
      taken.add(key);
      return entry?.value;
    },
    note(key, { message, suggestion = null, at: elsewhere }) {
      const span = map.entries.get(key)?.keySpan ?? map.span;
      trace.note(span, elsewhere ?? at, { construct: name(key), message, suggestion });
    },
    finish(advice) {
      for (const { key, keySpan } of map.entries.values()) {
        if (taken.has(key)) continue;
        const known = Object.hasOwn(advice, key) ? advice[key] : undefined;
        trace.count(Object.hasOwn(advice, key) ? name(key) : name("(unknown key)"));
        if (known?.[0] === "") continue;
        const construct = known ? name(key) : name("(unknown key)");
        const message = known?.[0] ?? `the key ${quote(key)} is unknown here`;
        trace.note(keySpan, at, { construct, message, suggestion: known?.[1] ?? null });
      }
    },
  };
}
