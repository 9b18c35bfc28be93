/**
 * Writes issues, merge requests and what is below them as another host had them. Nobody is told: no events, no mentions, and of the timeline only reviews.
 * Whoever imports writes in the own transaction, and asks for nothing twice.
 */
import { maxComments } from "@forgeline/schemas/comments/resource.ts";
import { labelColors } from "@forgeline/schemas/labels/resource.ts";
import { maxReviews, maxThreads } from "@forgeline/schemas/reviews/resource.ts";
import type { Database, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import * as people from "./imported-people.store.ts";
import * as store from "./imported.store.ts";

/** Who wrote it: the user here, if there is one, and `HOST/NAME` there. */
export interface ImportedBy {
  userId: string | null;
  name: string;
}

export interface NewLabel {
  name: string;
  color: string | null;
  description: string;
}

export interface NewMilestone {
  title: string;
  description: string;
  dueOn: string | null;
  closedAt: Date | null;
  isClosed: boolean;
  createdAt: Date;
}

interface NewItem {
  number: number;
  title: string;
  body: string;
  by: ImportedBy;
  labels: readonly string[];
  assigneeIds: readonly string[];
  /** HOST/LOGIN of assignees whom nobody here is named for. */
  unnamedAssignees?: readonly string[];
  milestone: string | null;
  locked: boolean;
  closedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

export interface NewIssue extends NewItem {
  state: "open" | "closed";
  reason: "completed" | "not_planned" | "duplicate" | null;
}

export interface NewMergeRequest extends NewItem {
  state: "open" | "closed" | "merged";
  draft: boolean;
  source: string;
  target: string;
  head: string;
  targetSha: string;
  base: string | null;
  mergedAt: Date | null;
  mergeSha: string | null;
}

export interface NewText {
  number: number;
  body: string;
  by: ImportedBy;
  createdAt: Date;
  updatedAt: Date;
}

export interface NewReview extends Omit<NewText, "updatedAt"> {
  state: "commented" | "approved" | "changes_requested" | "dismissed";
  headSha: string | null;
}

export interface NewLineComment extends NewText {
  reviewId: string | null;
  thread:
    | { id: string }
    | {
        path: string;
        side: "old" | "new";
        line: number | null;
        startLine: number | null;
        sha: string;
        excerpt: string;
        isOutdated: boolean;
        resolvedAt: Date | null;
      };
}

/** What became of one: its id here, or why it was left out. */
export type Written = { id: string } | { leftOut: string };

export type ImportWriter = ReturnType<typeof createImportWriter>;

const taken = { leftOut: "Something here has its number already." };
const absent = { leftOut: "The issue or merge request that it belongs to did not come." };

export function createImportWriter({ db }: { db: Database }) {
  return {
    reserveNumbers: store.reserveNumbers,
    findItem: (repositoryId: string, number: number) => store.findItem(db, repositoryId, number),
    listUnnamed: (wanted: Parameters<typeof people.listUnnamed>[1]) => people.listUnnamed(db, wanted),
    findUnnamed: (wanted: Parameters<typeof people.findUnnamed>[1]) => people.findUnnamed(db, wanted),
    give: people.giveSome,
    nextItem: (repositoryId: string, wanted: { kind: "issue" | "merge_request"; after: number }) =>
      store.nextItem(db, repositoryId, wanted),
    label,
    milestone,
    issue,
    mergeRequest,
    comment,
    review,
    lineComment,
  };
}

async function label(tx: Transaction, repositoryId: string, wanted: NewLabel): Promise<Written> {
  const id = newId("lbl");
  const values = [id, repositoryId, wanted.name, wanted.color ?? labelColors[0], wanted.description];
  return (await store.has(tx, "insertLabel", values))
    ? { id }
    : { leftOut: "There is a label with this name, in whatever case." };
}

async function milestone(tx: Transaction, repositoryId: string, wanted: NewMilestone): Promise<Written> {
  const id = newId("mst");
  const { title, description, dueOn, isClosed, closedAt, createdAt } = wanted;
  const state = isClosed ? "closed" : "open";
  const closed = isClosed ? (closedAt ?? createdAt) : null;
  const values = [id, repositoryId, title, description, dueOn, state, closed, createdAt];
  return (await store.has(tx, "insertMilestone", values))
    ? { id }
    : { leftOut: "There is a milestone with this title, in whatever case." };
}

async function insertItem(
  tx: Transaction,
  repositoryId: string,
  { id, kind, state, reason, item }: ItemRow,
): Promise<boolean> {
  const {
    number,
    title,
    body,
    by,
    milestone: titleOfMilestone,
    locked,
    closedAt,
    createdAt,
    updatedAt,
  } = item;
  const closed = state === "open" ? null : (closedAt ?? updatedAt);
  const texts = [id, repositoryId, number, kind, title, body, state, reason, by.userId, by.name];
  const rest = [titleOfMilestone, locked, closed, createdAt, updatedAt];
  if (!(await store.insertItem(tx, [...texts, ...rest]))) return false;
  const labels = item.labels.map((name) => name.toLowerCase());
  if (labels.length > 0) await tx.query(store.statements.addLabels, [id, repositoryId, labels]);
  await people.addUnnamed(tx, id, item.unnamedAssignees ?? []);
  if (item.assigneeIds.length > 0) await tx.query(store.statements.addAssignees, [id, [...item.assigneeIds]]);
  return true;
}

interface ItemRow {
  id: string;
  kind: "issue" | "merge_request";
  state: string;
  reason: string | null;
  item: NewItem;
}

async function issue(tx: Transaction, repositoryId: string, item: NewIssue): Promise<Written> {
  const id = newId("iss");
  const { state, reason } = item;
  const row = { id, kind: "issue" as const, state, reason: state === "open" ? null : reason, item };
  return (await insertItem(tx, repositoryId, row)) ? { id } : taken;
}

/** Without an own branch for its source, or next to another open one with its branches, it is closed. */
async function mergeRequest(tx: Transaction, repositoryId: string, item: NewMergeRequest): Promise<Written> {
  const id = newId("mr");
  const { source, target, draft, head, targetSha, base, mergedAt, mergeSha } = item;
  const isRival = item.state === "open" && (await store.hasOpen(tx, repositoryId, { source, target }));
  const state = isRival ? "closed" : item.state;
  if (!(await insertItem(tx, repositoryId, { id, kind: "merge_request", state, reason: null, item })))
    return taken;
  const merged = state === "merged" ? [mergedAt ?? item.updatedAt, mergeSha ?? head] : [null, null];
  const branches = [source, target, state === "open", draft, head, targetSha, base];
  await tx.query(store.statements.insertMergeRequest, [id, repositoryId, ...branches, ...merged]);
  return { id };
}

async function comment(tx: Transaction, repositoryId: string, wanted: NewText): Promise<Written> {
  const item = await store.findItem(tx, repositoryId, wanted.number);
  if (!item) return absent;
  return insertComment(tx, { item, repositoryId, wanted, threadId: null, reviewId: null });
}

async function insertComment(
  tx: Transaction,
  { item, repositoryId, wanted, threadId, reviewId }: CommentRow,
): Promise<Written> {
  if (item.comments_count >= maxComments)
    return { leftOut: `An issue or merge request has at most ${maxComments} comments.` };
  const id = newId("cmt");
  const { body, by, createdAt, updatedAt } = wanted;
  const values = [
    id,
    item.id,
    repositoryId,
    by.userId,
    by.name,
    body,
    threadId,
    reviewId,
    createdAt,
    updatedAt,
  ];
  await tx.query(store.statements.insertComment, values);
  await tx.query(store.statements.countComment, [item.id]);
  return { id };
}

interface CommentRow {
  item: store.ImportedItem;
  repositoryId: string;
  wanted: NewText;
  threadId: string | null;
  reviewId: string | null;
}

async function review(tx: Transaction, repositoryId: string, wanted: NewReview): Promise<Written> {
  const item = await store.findItem(tx, repositoryId, wanted.number);
  if (item?.kind !== "merge_request") return absent;
  if ((await store.countOf(tx, "reviews", item.id)) >= maxReviews)
    return { leftOut: `A merge request has at most ${maxReviews} reviews.` };
  const id = newId("rev");
  const { by, state, body, createdAt } = wanted;
  const head = wanted.headSha ?? item.head_sha;
  const values = [id, item.id, repositoryId, by.userId, by.name, state, body, head, createdAt];
  await tx.query(store.statements.insertReview, values);
  // Reviews stand in the conversation where the timeline has them.
  await tx.query(store.statements.insertReviewed, [item.id, by.userId, id, state, createdAt]);
  return { id };
}

/** `threadId` is that of the thread it is in. */
async function lineComment(
  tx: Transaction,
  repositoryId: string,
  wanted: NewLineComment,
): Promise<{ id: string; threadId: string } | { leftOut: string }> {
  const item = await store.findItem(tx, repositoryId, wanted.number);
  if (item?.kind !== "merge_request") return absent;
  const { thread, reviewId, by, createdAt } = wanted;
  const isNew = !("id" in thread);
  if (isNew && (await store.countOf(tx, "threads", item.id)) >= maxThreads)
    return { leftOut: `A merge request has at most ${maxThreads} threads.` };
  const threadId = isNew ? newId("thr") : thread.id;
  if (isNew) {
    const { path, side, startLine, line, sha, excerpt, isOutdated, resolvedAt } = thread;
    const place = [path, side, startLine, line, sha, excerpt, isOutdated, resolvedAt, createdAt];
    await tx.query(store.statements.insertThread, [threadId, item.id, repositoryId, by.userId, ...place]);
  }
  const written = await insertComment(tx, { item, repositoryId, wanted, threadId, reviewId });
  return "id" in written ? { ...written, threadId } : written;
}
