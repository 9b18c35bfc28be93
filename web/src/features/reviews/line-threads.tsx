/** What stands below a line: its threads, and the form for a new one. */
import type { ReactNode } from "react";
import type { BelowLine } from "../diffs/slots.ts";
import type { FileDiff } from "../diffs/source.ts";
import { lastLineOf } from "./line-range.ts";
import { NewThreadForm } from "./new-thread-form.tsx";
import type { FileNotes } from "./review-store.ts";
import { useNotes } from "./use-notes.ts";
import { ThreadCard } from "./thread-card.tsx";

export function useLineThreads({ path }: FileDiff): BelowLine | undefined {
  const notes = useNotes(path);
  if (notes.lines.length === 0) return undefined;
  return (line, side) => {
    const number = side === "L" ? line.before : line.after;
    return number === null ? null : below(path, notes, `${side}${number}`);
  };
}

function below(path: string, { threads, form }: FileNotes, name: string): ReactNode {
  const found = threads.ofLines.get(name);
  const isWriting = form?.range && lastLineOf(form.range) === name;
  if (!found && !isWriting) return null;
  return (
    <>
      {found?.map((thread) => (
        <ThreadCard key={thread.id} thread={thread} />
      ))}
      {isWriting ? <NewThreadForm key={name} path={path} form={form} /> : null}
    </>
  );
}
