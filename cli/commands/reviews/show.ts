/** Reviews and threads as people read them. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { renderFields } from "../../output/fields.ts";
import { safeLines } from "../../output/safe-lines.ts";
import { shownCell } from "../../output/table.ts";
import { renderComment } from "../comments/show.ts";

export type Review = Schemas["Review"];
export type Thread = Schemas["Thread"];

/** In few words. */
export function standingOf({ state, counts, stale }: Review): string {
  const isDecision = state === "approved" || state === "changes_requested";
  return [
    state.replace("_", " "),
    ...(isDecision && !counts ? ["does not count"] : []),
    ...(stale && state !== "dismissed" ? ["of an earlier commit"] : []),
  ].join(", ");
}

/** `src/upload.ts:40-42`. */
export function placeOf({
  path,
  start_line: start,
  line,
}: Pick<Thread, "path" | "start_line" | "line">): string {
  if (line === null) return path;
  return `${path}:${start === null ? "" : `${start}-`}${line}`;
}

/** Among the comments of a merge request: who reviewed it, what they decided, and their text. */
export function renderRemark(review: Review): string {
  const { author, submitted_at: at, body } = review;
  const who = [author?.username ?? "a deleted account", at ?? "not submitted", standingOf(review)];
  return [`${shownCell(who.join(", "))}:`, ...(body.trim() === "" ? [] : [safeLines(body)])].join("\n");
}

export function renderReview(review: Review, comments: readonly Schemas["Comment"][]): string {
  const { author, body, dismissed_by: by, dismissed_reason: reason } = review;
  const fields = renderFields([
    ["review", review.id],
    ["author", author?.username ?? "a deleted account"],
    ["says", standingOf(review)],
    ...(reason === null ? [] : [["dismissed", `${by?.username ?? "a deleted account"}: ${reason}`] as const]),
    ["commit", review.commit_sha],
    ["submitted", review.submitted_at ?? "not yet"],
    ["page", review.web_url],
  ]);
  const shown = comments.map((comment) => {
    const { path, line } = comment;
    const where = path === null ? "" : `${shownCell(placeOf({ path, line, start_line: null }))}\n`;
    return `${where}${renderComment(comment)}`;
  });
  return [fields, ...(body.trim() === "" ? [] : [safeLines(body)]), ...shown].join("\n\n");
}

export function renderThread(thread: Thread): string {
  const { current, excerpt, comments, comments_count: count } = thread;
  const notes = [
    ...(thread.side === "old" ? ["before the change"] : []),
    ...(thread.outdated ? ["outdated"] : []),
    ...(thread.resolved ? ["resolved"] : []),
    ...(thread.pending ? ["pending"] : []),
  ];
  const place = placeOf(current ?? thread);
  const more = count - comments.length;
  return [
    shownCell(`${place}${notes.length > 0 ? ` (${notes.join(", ")})` : ""} ${thread.id}`),
    ...(excerpt === "" ? [] : [safeLines(excerpt)]),
    ...comments.map((comment) => renderComment(comment)),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join("\n");
}
