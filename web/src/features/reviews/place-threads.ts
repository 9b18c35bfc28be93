/** Which threads stand where in the changed files. */
import { lastLineOf, rangeOf } from "./line-range.ts";
import type { Thread } from "./review.ts";

export interface FileThreads {
  /** By the line below which they stand: `L4` or `R4`. */
  ofLines: ReadonlyMap<string, readonly Thread[]>;
  /** About the file as a whole. */
  ofFile: readonly Thread[];
  /** About lines that have changed since. */
  outdated: readonly Thread[];
}

export const noThreads: FileThreads = { ofLines: new Map(), ofFile: [], outdated: [] };

/** The file in which a thread is listed. */
export function pathOf({ current, path }: Thread): string {
  return current?.path ?? path;
}

export function threadsByPath(threads: readonly Thread[]): Map<string, FileThreads> {
  return new Map([...Map.groupBy(threads, pathOf)].map(([path, found]) => [path, placed(found)]));
}

function placed(threads: readonly Thread[]): FileThreads {
  const isWhole = (thread: Thread) => thread.line === null;
  const ofLines = Map.groupBy(
    threads.filter((thread) => rangeOf(thread) !== null),
    (thread) => lineNameOf(thread) ?? "",
  );
  return {
    ofLines,
    ofFile: threads.filter(isWhole),
    outdated: threads.filter((thread) => !isWhole(thread) && rangeOf(thread) === null),
  };
}

export function lineNameOf(thread: Thread): string | undefined {
  const range = rangeOf(thread);
  return range ? lastLineOf(range) : undefined;
}

/** As they stand on the page: by file, what is about the whole file first, then by line. */
export function inPageOrder(threads: readonly Thread[]): Thread[] {
  return threads.toSorted((a, b) => {
    const [one, other] = [pathOf(a), pathOf(b)];
    if (one !== other) return one < other ? -1 : 1;
    return placeInFile(a) - placeInFile(b) || (a.created_at < b.created_at ? -1 : 1);
  });
}

function placeInFile(thread: Thread): number {
  return rangeOf(thread)?.end ?? 0;
}

/** The thread after (or before) another one; at the end it begins again. Without another one the first (or last). */
export function threadNextTo(
  threads: readonly Thread[],
  id: string | undefined,
  step: 1 | -1,
): Thread | undefined {
  const at = threads.findIndex((thread) => thread.id === id);
  if (at === -1) return threads.at(step === 1 ? 0 : -1);
  return threads[(at + step + threads.length) % threads.length];
}
