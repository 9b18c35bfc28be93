/**
 * GitLab's REST API, version 4 (docs.gitlab.com/api/rest). Issues and merge requests are numbered separately there: merge requests get
 * numbers after the highest issue.
 */
import { z } from "zod";
import * as field from "./fields.ts";
import {
  Approvals,
  Discussion,
  Issue,
  Label,
  maxNotes,
  MergeRequest,
  Milestone,
  Note,
  type WorkItem,
} from "./gitlab-records.ts";
import type { SourceItem, SourceLabel, SourceLineComment } from "./source-item.ts";
import {
  perPage,
  type ReadPlace,
  type ReadStep,
  type SourceReader,
  type Unreadable,
} from "./source-reader.ts";

export function createGitlabReader(repository: string): SourceReader {
  const base = `/projects/${encodeURIComponent(repository)}`;
  const newest = `order_by=created_at&sort=desc&per_page=${perPage}`;
  const oldest = "order_by=created_at&sort=asc";
  const path = (step: ReadStep, { number, offset }: ReadPlace): string => {
    const lists: Record<ReadStep, string> = {
      labels: "/labels?",
      milestones: "/milestones?include_ancestors=true&",
      issues: `/issues?scope=all&${oldest}&`,
      merge_requests: `/merge_requests?scope=all&state=all&${oldest}&`,
      comments: `/issues/${number}/notes?${oldest}&`,
      reviews: `/merge_requests/${number - offset}/approvals?`,
      line_comments: `/merge_requests/${number - offset}/discussions?`,
    };
    return lists[step];
  };
  return {
    scope: {
      labels: "whole",
      milestones: "whole",
      issues: "whole",
      merge_requests: "whole",
      comments: "issue",
      reviews: "merge_request",
      line_comments: "merge_request",
    },
    newest: {
      issues: `${base}/issues?scope=all&${newest}`,
      merge_requests: `${base}/merge_requests?scope=all&state=all&${newest}`,
    },
    // Owners may set when something was opened, and no list is ordered by number.
    above(kind, number) {
      const numbers = Array.from({ length: perPage }, (_, index) => `iids[]=${number + 1 + index}`);
      return `${base}/${kind}?scope=all&state=all&per_page=${perPage}&${numbers.join("&")}`;
    },
    sharesNumbers: false,
    numberOf: (record) => z.object({ iid: field.number }).safeParse(record).data?.iid,
    path: (step, at) => `${base}${path(step, at)}per_page=${perPage}&page=${at.page}`,
    read(step, answer, at) {
      if (step === "reviews") return approvalsOf(answer, at);
      if (!Array.isArray(answer) || answer.length > perPage || countNotes(answer) > maxNotes)
        return undefined;
      return answer.flatMap((record: unknown) => readers[step](record, at) ?? unreadable(record));
    },
    headRef: (ref) => {
      const found = /^refs\/merge-requests\/(\d{1,9})\/head$/.exec(ref)?.[1];
      return found === undefined ? undefined : Number(found);
    },
  };
}

function countNotes(discussions: readonly unknown[]): number {
  const notes = discussions.map((each) => Object(each).notes as unknown);
  return notes.reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
}

function unreadable(record: unknown): Unreadable {
  const known = z
    .object({ iid: field.id })
    .or(z.object({ id: field.id }).transform(({ id }) => ({ iid: id })));
  return { kind: "unreadable", source: known.safeParse(record).data?.iid ?? "?" };
}

/** Here everybody who reads the repository would see it. */
const leftOut = (source: string): Unreadable => ({
  kind: "unreadable",
  source,
  reason: "It is confidential there, so it was left out.",
});
const isInternal = ({ internal, confidential }: Note): boolean => internal || confidential;

type Read = SourceItem | Unreadable;
type Reader = (record: unknown, at: ReadPlace) => Read | Read[] | undefined;

const readers: Record<Exclude<ReadStep, "reviews">, Reader> = {
  labels(record) {
    const { data } = Label.safeParse(record);
    return data && { ...data, kind: "label", source: data.id };
  },
  milestones(record) {
    const { data } = Milestone.safeParse(record);
    if (!data) return undefined;
    const { id: source, title, description, due_date: dueOn, created_at: createdAt } = data;
    const isClosed = data.state === "closed";
    return { kind: "milestone", source, title, description, dueOn, isClosed, closedAt: null, createdAt };
  },
  issues(record) {
    const { data } = Issue.safeParse(record);
    if (!data) return undefined;
    if (data.confidential) return leftOut(String(data.iid));
    const isClosed = data.state === "closed";
    const reason = isClosed ? ("completed" as const) : null;
    return { ...itemOf(data, 0), kind: "issue", state: isClosed ? "closed" : "open", reason };
  },
  merge_requests(record, { offset }) {
    const { data } = MergeRequest.safeParse(record);
    return data && mergeRequestOf(data, offset);
  },
  comments(record, { number }) {
    const { data } = Note.safeParse(record);
    if (!data) return undefined;
    if (data.system) return [];
    return isInternal(data) ? leftOut(data.id) : commentOf(data, number);
  },
  line_comments(record, { number }) {
    const { data } = Discussion.safeParse(record);
    if (!data) return undefined;
    const notes = data.notes.map((note) => Note.safeParse(note).data);
    const known = notes.filter((note) => note !== undefined).filter(({ system }) => !system);
    const [first] = known;
    return known.map((note) => {
      if (isInternal(note) || (first && isInternal(first))) return leftOut(note.id);
      return first?.position ? lineCommentOf(note, { first, number }) : commentOf(note, number);
    });
  },
};

const labelOf = (name: string): SourceLabel => ({
  kind: "label",
  source: name,
  name,
  color: null,
  description: "",
});

function itemOf(data: z.output<typeof WorkItem>, offset: number) {
  return {
    source: String(data.iid),
    number: data.iid + offset,
    title: data.title,
    body: data.description,
    author: field.loginOf(data.author),
    labels: data.labels.map(labelOf),
    milestone: data.milestone?.title ?? null,
    assignees: (data.assignees ?? []).map(field.loginOf),
    locked: data.discussion_locked,
    closedAt: data.closed_at,
    createdAt: data.created_at,
    updatedAt: data.updated_at,
  };
}

const states = { opened: "open", closed: "closed", locked: "closed", merged: "merged" } as const;

function mergeRequestOf(data: z.output<typeof MergeRequest>, offset: number): SourceItem {
  const isMerged = data.state === "merged";
  return {
    ...itemOf(data, offset),
    kind: "merge_request",
    state: states[data.state],
    draft: data.draft,
    sourceBranch: data.source_branch,
    isOwnBranch: data.source_project_id !== null && data.source_project_id === data.target_project_id,
    targetBranch: data.target_branch,
    head: data.sha,
    // Lists do not say it: what both branches have in common is looked for.
    base: null,
    mergedAt: isMerged ? data.merged_at : null,
    mergeSha: isMerged ? (data.merge_commit_sha ?? data.squash_commit_sha) : null,
  };
}

function textOf(data: Note, number: number) {
  return {
    source: data.id,
    number,
    author: field.loginOf(data.author),
    body: data.body,
    createdAt: data.created_at,
    updatedAt: data.updated_at,
  };
}

const commentOf = (data: Note, number: number): SourceItem => ({ ...textOf(data, number), kind: "comment" });

function lineCommentOf(data: Note, { first, number }: { first: Note; number: number }): SourceLineComment {
  const at = first.position;
  const side = at?.new_line === null && at.old_line !== null ? "old" : "new";
  const line = (side === "new" ? at?.new_line : at?.old_line) ?? null;
  const start = at?.line_range?.start?.[side === "new" ? "new_line" : "old_line"] ?? null;
  return {
    ...textOf(data, number),
    kind: "line_comment",
    path: (side === "new" ? at?.new_path : at?.old_path) ?? "",
    side,
    line,
    startLine: start !== null && line !== null && start < line ? start : null,
    commit: (side === "new" ? at?.head_sha : at?.base_sha) ?? null,
    isOutdated: false,
    resolvedAt: first.resolved ? (first.resolved_at ?? first.updated_at) : null,
    hunk: "",
    replyTo: data === first ? null : first.id,
    review: null,
  };
}

/** When somebody approved is told by newer versions; otherwise it is when the merge request last changed. */
function approvalsOf(answer: unknown, { number }: ReadPlace): (SourceItem | Unreadable)[] | undefined {
  const { data } = Approvals.safeParse(answer);
  return data?.approved_by.map(({ user, approved_at: at }) => {
    const author = field.loginOf(user);
    const createdAt = at ?? data.updated_at;
    const review = { source: `${number}:${author}`, number, author, body: "", createdAt, head: null };
    return { ...review, kind: "review", state: "approved" };
  });
}
