/** Comments as the REST interface and webhooks show them. */
import type { Comment } from "@forgeline/schemas/comments/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { levelCovers } from "@forgeline/schemas/core/repository-levels.ts";
import { repositoryAddress } from "../../hosting/domain.ts";
import { presentReactions } from "../reactions/present.ts";
import { mayChange, type Viewer } from "../work-items/may-change.ts";
import { presentImportedAuthor, presentPersonOrNull } from "../work-items/present.ts";
import type { CommentRow } from "./comments.store.ts";

type PlaceName =
  | "is_pending"
  | "review_id"
  | "thread_id"
  | "path"
  | "line"
  | "side"
  | "commit_sha"
  | "resolved"
  | "item_author_id"
  | "reactions";

/** As an event keeps it: times are text, and events of earlier releases know no lines. */
export type CommentSnapshot = Omit<CommentRow, "created_at" | "updated_at" | "edited_at" | PlaceName> &
  Partial<Pick<CommentRow, PlaceName>> &
  Record<"created_at" | "updated_at", Date | string> & { edited_at: Date | string | null };

export interface CommentView {
  repository: { owner: string; name: string };
  viewer: Viewer;
  addresses: Addresses;
}

export function presentComment(
  row: CommentSnapshot,
  { repository, viewer, addresses }: CommentView,
): Comment {
  return {
    ...presentEventComment(row, repository, addresses),
    reactions: presentReactions(row.reactions ?? []),
    viewer_may: { ...mayChangeComment(viewer, row), react: mayReact(viewer, row) },
  };
}

/** The author changes and deletes the own one; Maintain changes, and Admin deletes, those of others. */
export function mayChangeComment(
  viewer: Viewer,
  row: { author_id: string | null },
): { edit: boolean; delete: boolean } {
  if (viewer.userId === null || viewer.archived) return { edit: false, delete: false };
  const isAuthor = viewer.userId === row.author_id;
  return {
    edit: isAuthor || levelCovers(viewer.level, "maintain"),
    delete: isAuthor || levelCovers(viewer.level, "admin"),
  };
}

/** Whoever may comment there; on a comment that waits for its review, nobody. */
export function mayReact(
  viewer: Viewer,
  row: Pick<CommentSnapshot, "item_author_id" | "locked" | "is_pending">,
): boolean {
  const item = { author_id: row.item_author_id ?? null, locked: row.locked };
  return row.is_pending !== true && mayChange(viewer, item).comment;
}

/** What does not depend on who sees it. */
export function presentEventComment(
  row: CommentSnapshot,
  repository: { owner: string; name: string },
  addresses: Addresses,
): Omit<Comment, "viewer_may" | "reactions"> {
  const address = repositoryAddress(addresses, repository);
  const place = row.kind === "issue" ? "issues" : "merge-requests";
  return {
    id: row.id,
    body: row.body,
    author: presentPersonOrNull(row.author, addresses),
    imported_author: presentImportedAuthor(row.imported_author),
    edited_at: row.edited_at && new Date(row.edited_at).toISOString(),
    ...presentPlace(row),
    url: address.api("comments", row.id),
    web_url: `${address.web(place, String(row.number))}#${row.id}`,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}

function presentPlace(row: CommentSnapshot) {
  return {
    path: row.path ?? null,
    line: row.line ?? null,
    side: row.side ?? null,
    commit_sha: row.commit_sha ?? null,
    resolved: row.resolved ?? null,
    thread_id: row.thread_id ?? null,
    review_id: row.review_id ?? null,
    pending: row.is_pending ?? false,
  };
}
