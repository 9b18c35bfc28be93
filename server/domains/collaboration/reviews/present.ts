/** Reviews and threads as the REST interface and webhooks show them. */
import type { Comment } from "@forgeline/schemas/comments/resource.ts";
import { levelCovers } from "@forgeline/schemas/core/repository-levels.ts";
import type { Review, Thread } from "@forgeline/schemas/reviews/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { repositoryAddress } from "../../hosting/domain.ts";
import { presentReactions } from "../reactions/present.ts";
import { mayChange, type Viewer } from "../work-items/may-change.ts";
import { presentImportedAuthor, presentPersonOrNull } from "../work-items/present.ts";
import type { ReviewRow } from "./reviews.store.ts";
import type { ThreadRow } from "./threads.store.ts";

type TimeName = "created_at" | "updated_at" | "submitted_at" | "dismissed_at";
/** As an event keeps it, where times are text. */
export type ReviewSnapshot = Omit<ReviewRow, TimeName | NewName> & {
  [Name in TimeName]: ReviewRow[Name] | string;
};
/** Events of earlier releases lack it, and none shows it. */
type NewName = "reactions" | "proposer_id" | "locked";

export interface ReviewView {
  repository: { owner: string; name: string };
  viewer: Viewer;
  addresses: Addresses;
}

export function presentReview(row: ReviewRow, { repository, viewer, addresses }: ReviewView): Review {
  const { proposer_id: authorId, locked } = row;
  const mayComment = mayChange(viewer, { author_id: authorId, locked }).comment;
  return {
    ...presentEventReview(row, repository, addresses),
    reactions: presentReactions(row.reactions),
    viewer_may: { ...mayChangeReview(viewer, row), react: mayComment && row.state !== "pending" },
  };
}

const decided: readonly string[] = ["approved", "changes_requested"];

/** Its author has it as long as it is pending, and changes its text afterwards; Maintain dismisses, and whoever wrote it. */
export function mayChangeReview(
  viewer: Viewer,
  row: Pick<ReviewRow, "author_id" | "state">,
): Omit<Review["viewer_may"], "react"> {
  const isSignedIn = viewer.userId !== null && !viewer.archived;
  const isAuthor = isSignedIn && viewer.userId === row.author_id;
  const isPending = row.state === "pending";
  const maintains = isSignedIn && levelCovers(viewer.level, "maintain");
  return {
    edit: isAuthor && row.state !== "dismissed",
    delete: isAuthor && isPending,
    submit: isAuthor && isPending,
    dismiss: decided.includes(row.state) && (isAuthor || maintains),
  };
}

/** What does not depend on who sees it. */
export function presentEventReview(
  row: ReviewSnapshot,
  repository: { owner: string; name: string },
  addresses: Addresses,
): Omit<Review, "viewer_may" | "reactions"> {
  const address = repositoryAddress(addresses, repository);
  const number = String(row.number);
  return {
    id: row.id,
    author: presentPersonOrNull(row.author, addresses),
    imported_author: presentImportedAuthor(row.imported_author),
    state: row.state,
    body: row.body,
    commit_sha: row.head_sha,
    comments_count: row.comments_count,
    counts: row.counts,
    stale: row.stale,
    submitted_at: timeOrNull(row.submitted_at),
    dismissed_at: timeOrNull(row.dismissed_at),
    dismissed_by: presentPersonOrNull(row.dismissed_by, addresses),
    dismissed_reason: row.dismissed_reason,
    url: address.api("merge-requests", number, "reviews", row.id),
    web_url: `${address.web("merge-requests", number)}#${row.id}`,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}

export function presentThread(
  row: ThreadRow,
  comments: readonly Comment[],
  { repository, viewer, addresses }: ReviewView,
): Thread {
  const address = repositoryAddress(addresses, repository);
  return {
    id: row.id,
    path: row.path,
    side: row.side,
    line: row.line,
    start_line: row.start_line,
    commit_sha: row.commit_sha,
    current: row.is_outdated ? null : presentCurrent(row),
    outdated: row.is_outdated,
    excerpt: row.excerpt,
    resolved: row.resolved_at !== null,
    resolved_by: presentPersonOrNull(row.resolved_by, addresses),
    resolved_at: timeOrNull(row.resolved_at),
    pending: row.is_pending,
    comments: [...comments],
    comments_count: row.comments_count,
    viewer_may: {
      resolve: mayResolve(viewer, row),
      reply: mayChange(viewer, { author_id: row.proposer_id, locked: row.locked }).comment,
    },
    url: address.api("merge-requests", String(row.number), "threads", row.id),
    web_url: `${address.web("merge-requests", String(row.number))}#${row.id}`,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

function presentCurrent(row: ThreadRow) {
  const { current_path: path, current_line: line, current_start_line: startLine, current_sha: sha } = row;
  return { path, line, start_line: startLine, commit_sha: sha };
}

/** Who proposed the merge request, who began the thread, and from Write on. */
export function mayResolve(
  viewer: Viewer,
  row: Pick<ThreadRow, "author_id" | "proposer_id" | "is_pending">,
): boolean {
  if (viewer.userId === null || viewer.archived || row.is_pending) return false;
  return [row.author_id, row.proposer_id].includes(viewer.userId) || levelCovers(viewer.level, "write");
}

function timeOrNull(time: Date | string | null): string | null {
  return time && new Date(time).toISOString();
}
