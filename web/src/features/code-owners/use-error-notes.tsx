/** What is wrong with a CODEOWNERS file, as notes at its lines. */
import { useMemo, type ReactElement } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/code-owners.ts";
import { Badge } from "../../ui/badge.tsx";
import styles from "./code-owners.module.css";
import { useCodeOwnersErrors, useCodeOwnersFile } from "./use-code-owners.ts";

interface ErrorNotes {
  /** Above the lines. */
  summary: ReactElement | null;
  ofLines: ReadonlyMap<number, readonly ReactElement[]>;
}

/** Of the file at the place; none if it is no such file. */
export function useErrorNotes(place: { ref: string; path: string }): ErrorNotes {
  const counting = useCodeOwnersFile(place.ref);
  const found = useCodeOwnersErrors(place);
  const isLikeOne = /(?:^|\/)CODEOWNERS$/.test(place.path);
  return useMemo(() => {
    if (found) return { summary: summaryOf(found), ofLines: notesOf(found.errors) };
    const isOther = isLikeOne && counting !== undefined && counting !== place.path;
    const summary = isOther ? <p className={styles.summary}>{text.doesNotCount(counting)}</p> : null;
    return { summary, ofLines: new Map() };
  }, [found, isLikeOne, counting, place.path]);
}

function summaryOf({ total, errors }: Schemas["CodeOwnersErrors"]) {
  if (total === 0) return null;
  return (
    <p className={styles.summary}>
      {text.errors(total)}
      {errors.length < total ? ` ${text.onlyFirst(errors.length)}` : null}
    </p>
  );
}

function notesOf(errors: Schemas["CodeOwnersErrors"]["errors"]) {
  const notes = new Map<number, ReactElement[]>();
  for (const [index, error] of errors.entries()) {
    const note = <Note key={`code-owners-${index}`} error={error} />;
    notes.set(error.line, [...(notes.get(error.line) ?? []), note]);
  }
  return notes;
}

function Note({ error: { message, suggestion } }: { error: Schemas["CodeOwnersError"] }) {
  return (
    <div className={styles.note} role="note">
      <Badge tone="bad">{text.error}</Badge>
      <div className={styles.message}>
        {message}
        {suggestion === null ? null : ` ${text.meant(suggestion)}`}
      </div>
    </div>
  );
}
