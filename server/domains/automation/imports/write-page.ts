/** Writes one page of records in one transaction: what was written before stays as it is, and what cannot be kept is noted. */
import type { ImportKind } from "@forgeline/schemas/imports/resource.ts";
import { maxItemLabels } from "@forgeline/schemas/work-items/resource.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import type { ImportWriter, Written } from "../../collaboration/domain.ts";
import type { ImportContext } from "./import-context.ts";
import { importedTitle, shortText } from "./imported-text.ts";
import * as store from "./imports.store.ts";
import type { MergeRequestFacts } from "./merge-request-facts.ts";
import type {
  SourceComment,
  SourceIssue,
  SourceItem,
  SourceLabel,
  SourceMergeRequest,
} from "./source-item.ts";
import type { Unreadable } from "./source-reader.ts";
import { writeLineComment, writeReview } from "./write-review.ts";

export interface PageToWrite {
  items: readonly (SourceItem | Unreadable)[];
  /** Of the merge requests among them. */
  facts: ReadonlyMap<number, MergeRequestFacts>;
  /** Of the commits that comments name, those that are not here. */
  missing: ReadonlySet<string>;
}

/** What became of a page. */
export interface PageWritten {
  counts: Partial<Record<ImportKind, number>>;
  notes: store.Note[];
}

export interface Writing {
  tx: Transaction;
  writer: ImportWriter;
  context: ImportContext;
  page: PageToWrite;
  note(note: store.Note): void;
  /** Remembered for what answers it later. */
  remember(kind: string, source: string, id: string): void;
  /** What was written under this id there. */
  find(kind: string, source: string): Promise<string | undefined>;
}

const kindOf: Record<SourceItem["kind"], ImportKind> = {
  label: "labels",
  milestone: "milestones",
  issue: "issues",
  merge_request: "merge_requests",
  comment: "comments",
  line_comment: "comments",
  review: "reviews",
};

const unreadable = "Its record could not be read.";

export async function writePage(
  tx: Transaction,
  { writer, context, page }: Pick<Writing, "writer" | "context" | "page">,
): Promise<PageWritten> {
  const notes: store.Note[] = [];
  const counts: PageWritten["counts"] = {};
  const fresh: store.ItemWritten[] = [];
  const writing: Writing = {
    tx,
    writer,
    context,
    page,
    note: (note) => void notes.push(note),
    remember: (kind, source, id) => void fresh.push({ kind, source_id: source, local_id: id }),
    async find(kind, source) {
      const found = fresh.find((item) => item.kind === kind && item.source_id === source);
      if (found) return found.local_id;
      return (await store.knownItems(tx, context.row.id, { kind, sources: [source] })).get(source);
    },
  };
  for (const item of page.items) {
    if (item.kind === "unreadable") {
      notes.push({ kind: context.row.step, source: item.source, reason: item.reason ?? unreadable });
      continue;
    }
    if ((await writing.find(item.kind, item.source)) !== undefined) continue;
    const written = await writeOne(writing, item);
    if ("leftOut" in written) {
      if (written.leftOut !== "")
        notes.push({ kind: item.kind, source: item.source, reason: written.leftOut });
      continue;
    }
    writing.remember(item.kind, item.source, written.id);
    counts[kindOf[item.kind]] = (counts[kindOf[item.kind]] ?? 0) + 1;
  }
  await store.insertItems(tx, context.row.id, fresh);
  await store.insertNotes(tx, context.row.id, notes);
  return { counts, notes };
}

function writeOne(writing: Writing, item: SourceItem): Promise<Written> {
  const { tx, writer, context, note } = writing;
  const { repositoryId } = context;
  // An issue that was brought over and then moved here may have such a number.
  if ("number" in item && item.number > context.row.last_number) return Promise.resolve(tooNew(item));
  switch (item.kind) {
    case "label":
      return writer.label(tx, repositoryId, labelOf(item));
    case "milestone":
      return writer.milestone(tx, repositoryId, {
        ...item,
        title: importedTitle(item.title),
        description: context.text({ ...item, body: item.description }, note),
      });
    case "issue":
    case "merge_request":
      return writeItem(writing, item);
    case "comment":
      return writeComment(writing, item);
    case "review":
      return writeReview(writing, item);
    case "line_comment":
      return writeLineComment(writing, item);
  }
}

async function writeComment({ tx, writer, context, note }: Writing, item: SourceComment): Promise<Written> {
  const { repositoryId, row } = context;
  const texts = { ...item, by: context.by(item.author), body: context.text(item, note) };
  const written = await writer.comment(tx, repositoryId, texts);
  // One list has the comments of both; those of what nobody wanted are no loss.
  const isWhole = row.include.includes("issues") && row.include.includes("merge_requests");
  return "leftOut" in written && !isWhole ? { leftOut: "" } : written;
}

function labelOf({ name, color, description }: SourceLabel) {
  return { name: shortText(name, 100) || "label", color, description: shortText(description, 200) };
}

const tooNew = ({ kind }: SourceItem) => ({
  leftOut:
    kind === "issue" || kind === "merge_request"
      ? "It was opened after the import had begun."
      : "It is about something that was opened after the import had begun.",
});

async function writeItem(writing: Writing, item: SourceIssue | SourceMergeRequest): Promise<Written> {
  const { tx, writer, context, page, note } = writing;
  const { row, repositoryId } = context;
  if (item.kind === "issue" && row.number_offset > 0 && item.number > row.number_offset) return tooNew(item);
  const labels = item.labels.slice(0, maxItemLabels).map(labelOf);
  // Labels of a group are not in the list of the repository.
  for (const label of labels) if (row.include.includes("labels")) await writer.label(tx, repositoryId, label);
  const shared = {
    ...item,
    title: importedTitle(item.title),
    body: context.text(item, note),
    by: context.by(item.author),
    labels: labels.map(({ name }) => name),
    ...context.assigneesOf(item.assignees),
    milestone: item.milestone === null ? null : importedTitle(item.milestone),
  };
  if (item.kind === "issue") {
    const { state, reason } = item;
    return writer.issue(tx, repositoryId, { ...shared, state, reason });
  }
  const facts = page.facts.get(item.number);
  if (!facts) return { leftOut: "The repository has no commits that it could be about." };
  if (facts.changed !== null) note({ kind: item.kind, source: item.source, reason: facts.changed });
  const { draft, mergedAt, mergeSha } = item;
  return writer.mergeRequest(tx, repositoryId, {
    ...shared,
    ...facts,
    draft,
    mergedAt,
    mergeSha,
    source: shortText(facts.source, 255) || "unknown",
    target: shortText(item.targetBranch, 255) || "unknown",
  });
}
