/** Suggestions as the REST interface shows them. */
import type { CommentSuggestions, Suggestion } from "@forgeline/schemas/suggestions/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentPersonOrNull } from "../work-items/present.ts";
import type { Located } from "./located.ts";
import type { SuggestingRow } from "./suggestions.store.ts";

export function presentSuggestions(
  row: SuggestingRow,
  located: readonly Located[],
  { mayApply, addresses }: { mayApply: boolean; addresses: Addresses },
): CommentSuggestions {
  return {
    comment_id: row.id,
    thread_id: row.thread_id,
    resolved: row.is_resolved,
    suggestions: located
      .filter((each) => each.row.id === row.id)
      .map((each) => presentSuggestion(each, addresses)),
    viewer_may: { apply: mayApply },
  };
}

function presentSuggestion(located: Located, addresses: Addresses): Suggestion {
  const { index, path, from, to, sha, before, lines, state, applied } = located;
  return {
    index,
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
