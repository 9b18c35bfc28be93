/** Issues as the REST interface and webhooks show them. */
import { type CloseReason, type Issue, IssueState } from "@forgeline/schemas/issues/resource.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentEventUser } from "../../accounts/domain.ts";
import { repositoryAddress } from "../../hosting/domain.ts";
import { presentReactions } from "../reactions/present.ts";
import { mayChange, type Viewer } from "../work-items/may-change.ts";
import { namesOf, presentImportedAuthor, presentPersonOrNull } from "../work-items/present.ts";
import type { IssueRow } from "./issues.store.ts";

/** As an event keeps it: times are text. */
export type IssueSnapshot = Omit<IssueRow, Time | NoTime | NewName> &
  Partial<Pick<IssueRow, NewName>> &
  Record<Time, Date | string> &
  Record<NoTime, Date | string | null>;
/** Events of earlier releases lack it. */
type NewName = "reactions" | "duplicate";
type Time = "created_at" | "updated_at";
type NoTime = "closed_at" | "edited_at" | "pinned_at";

export interface IssueView {
  repository: { owner: string; name: string };
  viewer: Viewer;
  /** Absent in lists. */
  closing?: Issue["closing_merge_requests"];
  addresses: Addresses;
}

export function presentIssue(
  row: IssueSnapshot,
  { repository, viewer, addresses, closing = [] }: IssueView,
): Issue {
  return {
    ...presentEventIssue(row, repository, addresses),
    duplicate_of: presentDuplicate(row.duplicate ?? null, addresses),
    reactions: presentReactions(row.reactions ?? []),
    closing_merge_requests: closing,
    viewer_may: mayChange(viewer, row),
  };
}

function presentDuplicate(row: IssueRow["duplicate"], addresses: Addresses): Issue["duplicate_of"] {
  if (row === null) return null;
  const { full_name: repository, number, title, state } = row;
  const address = repositoryAddress(addresses, namesOf(repository));
  return { repository, number, title, state, web_url: address.web("issues", String(number)) };
}

/** What does not depend on who sees it. */
export function presentEventIssue(
  row: IssueSnapshot,
  repository: { owner: string; name: string },
  addresses: Addresses,
): Omit<Issue, "viewer_may" | "reactions" | "duplicate_of" | "closing_merge_requests"> {
  const address = repositoryAddress(addresses, repository);
  const number = String(row.number);
  return {
    id: row.id,
    number: row.number,
    title: row.title,
    body: row.body,
    state: IssueState.parse(row.state),
    state_reason: row.state_reason as CloseReason | null,
    author: presentPersonOrNull(row.author, addresses),
    imported_author: presentImportedAuthor(row.imported_author),
    labels: row.labels,
    assignees: row.assignees.map((user) => presentEventUser(user, addresses)),
    milestone: row.milestone,
    due_on: row.due_on,
    locked: row.locked,
    pinned: row.pinned_at !== null,
    comments_count: row.comments_count,
    closed_at: timeOrNull(row.closed_at),
    closed_by: presentPersonOrNull(row.closed_by, addresses),
    edited_at: timeOrNull(row.edited_at),
    url: address.api("issues", number),
    web_url: address.web("issues", number),
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}

function timeOrNull(time: Date | string | null): string | null {
  return time && new Date(time).toISOString();
}
