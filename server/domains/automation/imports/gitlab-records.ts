/** Records of GitLab's API, as far as they are read. */
import { z } from "zod";
import * as field from "./fields.ts";

const User = z.object({ username: field.text }).nullish();

export const Label = z.object({
  id: field.id,
  name: field.text,
  color: field.color,
  description: field.textOrNone,
});

export const Milestone = z.object({
  id: field.id,
  title: field.text,
  description: field.textOrNone,
  due_date: field.day,
  state: z.enum(["active", "closed"]),
  created_at: field.time,
});

export const WorkItem = z.object({
  iid: field.number,
  title: field.text,
  description: field.textOrNone,
  author: User,
  labels: field.few(field.text, 100).catch([]),
  assignees: field.few(User, 100).nullish().catch([]),
  milestone: z.object({ title: field.text }).nullish(),
  discussion_locked: field.flag,
  created_at: field.time,
  updated_at: field.time,
  closed_at: field.timeOrNone,
});

export const Issue = WorkItem.extend({ confidential: field.flag, state: z.enum(["opened", "closed"]) });

export const MergeRequest = WorkItem.extend({
  state: z.enum(["opened", "closed", "locked", "merged"]),
  draft: field.flag,
  source_branch: field.text,
  target_branch: field.text,
  source_project_id: field.idOrNone,
  target_project_id: field.idOrNone,
  sha: field.commit,
  merge_commit_sha: field.commit,
  squash_commit_sha: field.commit,
  merged_at: field.timeOrNone,
});

const LineRange = z.object({ new_line: field.line, old_line: field.line }).nullish().catch(null);
const Position = z.object({
  base_sha: field.commit,
  head_sha: field.commit,
  new_path: field.textOrNone,
  old_path: field.textOrNone,
  new_line: field.line,
  old_line: field.line,
  line_range: z.object({ start: LineRange }).nullish().catch(null),
});

export const Note = z.object({
  id: field.id,
  system: field.flag,
  internal: field.flag,
  /** As above, before version 15.3. */
  confidential: field.flag,
  author: User,
  body: field.textOrNone,
  created_at: field.time,
  updated_at: field.time,
  position: Position.nullish().catch(null),
  resolved: field.flag,
  resolved_at: field.timeOrNone,
});
export type Note = z.output<typeof Note>;

/** Of one discussion; those of a page have as many together. */
export const maxNotes = 5_000;
export const Discussion = z.object({ id: field.id, notes: z.array(z.unknown()).min(1).max(maxNotes) });
export const Approvals = z.object({
  updated_at: field.time,
  approved_by: field.few(z.object({ user: User, approved_at: field.timeOrNone }), 500),
});
