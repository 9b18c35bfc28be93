/** Suggestions as the REST interface shows them. */
import {
  maxOldLinesBytes,
  type CommentSuggestions,
  type Suggestion,
} from "@forgeline/schemas/suggestions/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentPersonOrNull } from "../work-items/present.ts";
import type { Located, LocatedOnes } from "./located.ts";
import type { SuggestingRow } from "./suggestions.store.ts";

export interface SuggestionsView {
  mayApply: boolean;
  addresses: Addresses;
  /** Commits whose lines everybody sees who sees the merge request. */
  shown: ReadonlySet<string>;
}

/** Of each comment, in their order. */
export function presentSuggestions(
  rows: readonly SuggestingRow[],
  { found, incomplete }: LocatedOnes,
  { mayApply, addresses, shown }: SuggestionsView,
): CommentSuggestions[] {
  const ofComment = Map.groupBy(found, ({ row }) => row.id);
  let room = maxOldLinesBytes;
  const present = (located: Located) => {
    const { before, sha } = located;
    const isShown = before !== null && shown.has(sha) && before.length <= room;
    if (isShown) room -= before.length;
    return presentSuggestion({ ...located, before: isShown ? before : null }, addresses);
  };
  return rows.map((row) => ({
    comment_id: row.id,
    thread_id: row.thread_id,
    resolved: row.is_resolved,
    suggestions: (ofComment.get(row.id) ?? []).map(present),
    incomplete: incomplete.has(row.id),
    viewer_may: { apply: mayApply },
  }));
}

function presentSuggestion(located: Located, addresses: Addresses): Suggestion {
  const { index, digest, path, from, to, sha, before, lines, state, applied } = located;
  return {
    index,
    digest,
    path,
    start_line: Math.max(1, from),
    line: to,
    commit_sha: sha,
    old_lines:
      before &&
      before
        .toString("utf8")
        .replace(/\r?\n$/, "")
        .split(/\r?\n/),
    new_lines: lines,
    state,
    applied: applied
      ? {
          sha: applied.sha,
          by: presentPersonOrNull(applied.applied_by, addresses),
          at: applied.applied_at.toISOString(),
        }
      : null,
  };
}
