/**
 * What stands below the lines of changed files: threads, and the form for a new one. A store beside React, because each file is told
 * of its own changes only: a page may show a thousand files.
 */
import { lastLineOf, type LineRange } from "./line-range.ts";
import { noThreads, threadsByPath, type FileThreads } from "./place-threads.ts";
import type { Thread } from "./review.ts";

/** Where somebody writes a comment: on lines, or (null) on the file as a whole. */
export interface ThreadForm {
  range: LineRange | null;
  /** The head whose lines were shown. */
  seen: string;
}

export interface FileNotes {
  threads: FileThreads;
  form: ThreadForm | undefined;
  /** Lines that have a thread or the form: `L4` or `R4`. */
  lines: readonly string[];
}

const noNotes: FileNotes = { threads: noThreads, form: undefined, lines: [] };

export interface ReviewStore {
  subscribe: (listener: () => void) => () => void;
  notesOf: (path: string) => FileNotes;
  paths: () => readonly string[];
  setThreads: (threads: readonly Thread[]) => void;
  openForm: (path: string, form: ThreadForm) => void;
  closeForm: (path: string) => void;
  /** Paths of files that the reader has marked as viewed. */
  viewed: () => ReadonlySet<string>;
  setViewed: (paths: ReadonlySet<string>) => void;
  /** Lines chosen to be commented on. */
  selection: () => LineRange | undefined;
  select: (range: LineRange | undefined) => void;
}

export function createReviewStore(): ReviewStore {
  const notes = new Map<string, FileNotes>();
  const listeners = new Set<() => void>();
  let selected: LineRange | undefined;
  let paths: readonly string[] = [];
  let viewed: ReadonlySet<string> = new Set();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const change = (path: string, part: Partial<Pick<FileNotes, "threads" | "form">>) => {
    const before = notes.get(path) ?? noNotes;
    const { threads, form } = { ...before, ...part };
    notes.set(path, { threads, form, lines: linesOf(threads, form) });
  };
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    notesOf: (path) => notes.get(path) ?? noNotes,
    paths: () => paths,
    setThreads(threads) {
      const found = threadsByPath(threads);
      for (const path of new Set([...notes.keys(), ...found.keys()])) {
        const next = found.get(path) ?? noThreads;
        if (!isSame(notes.get(path)?.threads ?? noThreads, next)) change(path, { threads: next });
      }
      if (!sameItems(paths, [...found.keys()])) paths = [...found.keys()];
      tell();
    },
    openForm(path, form) {
      selected = form.range ?? undefined;
      change(path, { form });
      tell();
    },
    closeForm(path) {
      if (selected?.path === path) selected = undefined;
      change(path, { form: undefined });
      tell();
    },
    viewed: () => viewed,
    setViewed(next) {
      viewed = next;
      tell();
    },
    selection: () => selected,
    select(range) {
      selected = range;
      tell();
    },
  };
}

function linesOf({ ofLines }: FileThreads, form: FileNotes["form"]): string[] {
  const lines = [...ofLines.keys()];
  return form?.range ? [...lines, lastLineOf(form.range)] : lines;
}

/** Records that did not change are the same objects after they were asked for again. */
function isSame(one: FileThreads, other: FileThreads): boolean {
  const parts = ["ofFile", "outdated"] as const;
  const lists = (threads: FileThreads) => [...threads.ofLines.values()];
  return (
    parts.every((part) => sameItems(one[part], other[part])) &&
    sameItems([...one.ofLines.keys()], [...other.ofLines.keys()]) &&
    lists(one).every((list, index) => sameItems(list, lists(other)[index] ?? []))
  );
}

function sameItems<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}
