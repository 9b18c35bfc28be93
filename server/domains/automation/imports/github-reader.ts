/** GitHub's REST API, version 2022-11-28 (docs.github.com/rest). Issues and pull requests share numbers, as here. */
import { z } from "zod";
import * as field from "./fields.ts";
import { beyond, pathOf, single } from "./github-paths.ts";
import type { SourceItem, SourceLabel } from "./source-item.ts";
import {
  perPage,
  type ReadPlace,
  type ReadStep,
  type SourceReader,
  type Unreadable,
} from "./source-reader.ts";

const User = z.object({ login: field.text }).nullish();
const Label = z.object({
  id: field.idOrNone,
  name: field.text,
  color: field.color,
  description: field.textOrNone,
});

const WorkItem = z.object({
  id: field.id,
  number: field.number,
  title: field.text,
  body: field.textOrNone,
  user: User,
  labels: field.few(z.union([Label, field.text]), 100).catch([]),
  assignees: field.few(User, 100).nullish().catch([]),
  milestone: z.object({ title: field.text }).nullish(),
  locked: field.flag,
  created_at: field.time,
  updated_at: field.time,
  closed_at: field.timeOrNone,
  state: z.enum(["open", "closed"]),
});

const reasons = { completed: "completed", not_planned: "not_planned", duplicate: "duplicate" } as const;
const Issue = WorkItem.extend({ state_reason: z.enum(reasons).nullish().catch(null) });

const Repository = z.object({ id: field.id }).nullish();
const Pull = WorkItem.extend({
  draft: field.flag,
  merged_at: field.timeOrNone,
  merge_commit_sha: field.commit,
  head: z.object({ ref: field.text, sha: field.commit, repo: Repository }),
  base: z.object({ ref: field.text, sha: field.commit, repo: Repository }),
});

const Milestone = z.object({
  number: field.number,
  title: field.text,
  description: field.textOrNone,
  due_on: field.day,
  state: z.enum(["open", "closed"]),
  closed_at: field.timeOrNone,
  created_at: field.time,
});

/** The number at the end of an address. */
const numberAt = z
  .string()
  .transform((url) => Number(/\/(\d{1,9})$/.exec(url)?.[1]))
  .pipe(field.number);

const Comment = z.object({
  id: field.id,
  issue_url: numberAt,
  user: User,
  body: field.textOrNone,
  created_at: field.time,
  updated_at: field.time,
});

const reviewStates = {
  COMMENTED: "commented",
  APPROVED: "approved",
  CHANGES_REQUESTED: "changes_requested",
  DISMISSED: "dismissed",
} as const;
const Review = z.object({
  id: field.id,
  user: User,
  body: field.textOrNone,
  state: z.enum(["COMMENTED", "APPROVED", "CHANGES_REQUESTED", "DISMISSED"]),
  submitted_at: field.time,
  commit_id: field.commit,
});

const LineComment = z.object({
  id: field.id,
  pull_request_url: numberAt,
  pull_request_review_id: field.idOrNone,
  in_reply_to_id: field.idOrNone,
  user: User,
  body: field.textOrNone,
  path: field.text,
  line: field.line,
  original_line: field.line,
  original_start_line: field.line,
  side: z.string().nullish(),
  original_commit_id: field.commit,
  diff_hunk: field.textOrNone,
  subject_type: z.string().nullish(),
  created_at: field.time,
  updated_at: field.time,
});

export function createGithubReader(repository: string): SourceReader {
  const newest = `state=all&sort=created&direction=desc&per_page=${perPage}`;
  const base = `/repos/${repository.split("/").map(encodeURIComponent).join("/")}`;
  return {
    scope: {
      labels: "whole",
      milestones: "whole",
      issues: "whole",
      merge_requests: "whole",
      comments: "whole",
      reviews: "merge_request",
      line_comments: "whole",
    },
    // A repository may have only one of both.
    newest: { issues: `${base}/issues?${newest}`, merge_requests: `${base}/pulls?${newest}` },
    sharesNumbers: true,
    numberOf: (record) => z.object({ number: field.number }).safeParse(record).data?.number,
    path: (step, at) => `${base}${pathOf(step, at)}`,
    after: (given) => `after=${encodeURIComponent(given)}`,
    beyond,
    single,
    read(step, answer, at) {
      if (!Array.isArray(answer) || answer.length > perPage) return undefined;
      return answer.flatMap((record: unknown) => readOne(step, record, at) ?? []);
    },
    headRef: (ref) => {
      const found = /^refs\/pull\/(\d{1,9})\/head$/.exec(ref)?.[1];
      return found === undefined ? undefined : Number(found);
    },
  };
}

/** Undefined for what another step reads. */
function readOne(step: ReadStep, record: unknown, at: ReadPlace): SourceItem | Unreadable | undefined {
  const isPull = typeof record === "object" && record !== null && "pull_request" in record;
  if (step === "issues" && isPull) return undefined;
  const pending = z.object({ state: z.literal("PENDING") }).safeParse(record).success;
  if (step === "reviews" && pending) return undefined;
  const read = readers[step](record, at);
  if (read) return read;
  const known = z
    .object({ number: field.id })
    .or(z.object({ id: field.id }).transform(({ id }) => ({ number: id })));
  return { kind: "unreadable", source: known.safeParse(record).data?.number ?? "?" };
}

const readers: Record<ReadStep, (record: unknown, at: ReadPlace) => SourceItem | undefined> = {
  labels: (record) => {
    const { data } = Label.safeParse(record);
    return data && labelOf(data);
  },
  milestones(record) {
    const { data } = Milestone.safeParse(record);
    return (
      data && {
        kind: "milestone",
        source: String(data.number),
        title: data.title,
        description: data.description,
        dueOn: data.due_on,
        isClosed: data.state === "closed",
        closedAt: data.closed_at,
        createdAt: data.created_at,
      }
    );
  },
  issues(record) {
    const { data } = Issue.safeParse(record);
    return data && { ...itemOf(data), kind: "issue", state: data.state, reason: data.state_reason ?? null };
  },
  merge_requests(record) {
    const { data } = Pull.safeParse(record);
    return data && pullOf(data);
  },
  comments(record) {
    const { data } = Comment.safeParse(record);
    return data && { ...textOf(data, data.issue_url), kind: "comment", updatedAt: data.updated_at };
  },
  reviews(record, { number }) {
    const { data } = Review.safeParse(record);
    if (!data) return undefined;
    const text = textOf({ ...data, created_at: data.submitted_at }, number);
    return { ...text, kind: "review", state: reviewStates[data.state], head: data.commit_id };
  },
  line_comments(record) {
    const { data } = LineComment.safeParse(record);
    return data && lineCommentOf(data);
  },
};

function labelOf(data: z.output<typeof Label>): SourceLabel {
  const { name, color, description } = data;
  return { kind: "label", source: data.id ?? name, name, color, description };
}

function itemOf(data: z.output<typeof WorkItem>) {
  const { number, title, body, locked } = data;
  return {
    source: String(number),
    number,
    title,
    body,
    author: field.loginOf(data.user),
    labels: data.labels.map((label) =>
      labelOf(typeof label === "string" ? { id: null, name: label, color: null, description: "" } : label),
    ),
    milestone: data.milestone?.title ?? null,
    assignees: (data.assignees ?? []).map(field.loginOf),
    locked,
    closedAt: data.closed_at,
    createdAt: data.created_at,
    updatedAt: data.updated_at,
  };
}

function pullOf(data: z.output<typeof Pull>): SourceItem {
  const { head, base } = data;
  return {
    ...itemOf(data),
    kind: "merge_request",
    state: data.merged_at === null ? data.state : "merged",
    draft: data.draft,
    sourceBranch: head.ref,
    isOwnBranch: head.repo?.id !== undefined && head.repo.id === base.repo?.id,
    targetBranch: base.ref,
    head: head.sha,
    base: base.sha,
    mergedAt: data.merged_at,
    mergeSha: data.merged_at === null ? null : data.merge_commit_sha,
  };
}

function textOf(
  data: { id: string; user?: z.output<typeof User>; body: string; created_at: Date },
  number: number,
) {
  return {
    source: data.id,
    number,
    author: field.loginOf(data.user),
    body: data.body,
    createdAt: data.created_at,
  };
}

function lineCommentOf(data: z.output<typeof LineComment>): SourceItem {
  const line = data.original_line ?? data.line;
  const startLine = data.original_start_line;
  return {
    ...textOf(data, data.pull_request_url),
    kind: "line_comment",
    updatedAt: data.updated_at,
    path: data.path,
    side: data.side === "LEFT" ? "old" : "new",
    line,
    startLine: startLine !== null && line !== null && startLine < line ? startLine : null,
    commit: data.original_commit_id,
    isOutdated: data.line === null && data.subject_type !== "file",
    resolvedAt: null,
    hunk: data.diff_hunk,
    replyTo: data.in_reply_to_id,
    review: data.pull_request_review_id,
  };
}
