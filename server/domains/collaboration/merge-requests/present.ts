/** Merge requests as the REST interface and webhooks show them. */
import type { MergeRequest } from "@forgeline/schemas/merge-requests/resource.ts";
import { levelCovers } from "@forgeline/schemas/core/repository-levels.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentEventUser } from "../../accounts/domain.ts";
import { repositoryAddress } from "../../hosting/domain.ts";
import { mayChange, type Viewer } from "../work-items/may-change.ts";
import { presentPersonOrNull } from "../work-items/present.ts";
import type { MergeRequestRow } from "./merge-requests.store.ts";

/** As an event keeps it, where times are text. */
export type MergeRequestSnapshot = Omit<MergeRequestRow, TimeName | NewName> & {
  [Name in TimeName]: MergeRequestRow[Name] | string;
} & Partial<Pick<MergeRequestRow, NewName>>;
/** Events of earlier releases lack it. */
type NewName = "reviewers" | "asks_teams";
type TimeName = "created_at" | "updated_at" | "edited_at" | "closed_at" | "merged_at" | "pinned_at";

export interface MergeRequestView {
  repository: { owner: string; name: string };
  viewer: Viewer;
  /** Runs of a public repository need not be for everyone. */
  seesRuns: boolean;
  /** Those that are asked for a review and that the viewer may see, by merge request. */
  teams: ReadonlyMap<string, string[]>;
  addresses: Addresses;
}

export function presentMergeRequest(
  row: MergeRequestSnapshot,
  { repository, viewer, seesRuns, teams, addresses }: MergeRequestView,
): MergeRequest {
  const may = mayChange(viewer, row);
  const merge = viewer.userId !== null && !viewer.archived && levelCovers(viewer.level, "write");
  const shown = presentEventMergeRequest(row, repository, addresses);
  return {
    ...shown,
    reviewer_teams: teams.get(row.id) ?? [],
    pipeline: seesRuns ? shown.pipeline : null,
    viewer_may: { ...may, merge },
  };
}

/** What does not depend on who sees it. */
export function presentEventMergeRequest(
  row: MergeRequestSnapshot,
  repository: { owner: string; name: string },
  addresses: Addresses,
): Omit<MergeRequest, "viewer_may" | "reviewer_teams"> {
  const address = repositoryAddress(addresses, repository);
  const number = String(row.number);
  return {
    id: row.id,
    number: row.number,
    title: row.title,
    description: row.body,
    state: row.state,
    draft: row.draft,
    author: presentPersonOrNull(row.author, addresses),
    ...presentBranches(row, addresses),
    reviewers: (row.reviewers ?? []).map((user) => presentEventUser(user, addresses)),
    assignees: row.assignees.map((user) => presentEventUser(user, addresses)),
    labels: row.labels,
    milestone: row.milestone,
    pipeline: row.pipeline && {
      ...row.pipeline,
      web_url: address.web("pipelines", String(row.pipeline.number)),
    },
    merged_at: timeOrNull(row.merged_at),
    merged_by: presentPersonOrNull(row.merged_by, addresses),
    merge_sha: row.merge_sha,
    merge_strategy: row.merge_strategy,
    closed_at: timeOrNull(row.closed_at),
    closed_by: presentPersonOrNull(row.closed_by, addresses),
    locked: row.locked,
    comments_count: row.comments_count,
    edited_at: timeOrNull(row.edited_at),
    url: address.api("merge-requests", number),
    web_url: address.web("merge-requests", number),
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}

function presentBranches(row: MergeRequestSnapshot, addresses: Addresses) {
  const blockedBy = row.state === "open" && row.draft ? [draftText] : [];
  const isBlocked = row.mergeability === "clean" && blockedBy.length > 0;
  return {
    source_branch: row.source_branch,
    target_branch: row.target_branch,
    source_repo: row.source_repo && {
      ...row.source_repo,
      url: repositoryAddress(addresses, namesOf(row.source_repo.full_name)).api(),
    },
    head_sha: row.head_sha,
    base_sha: row.target_sha,
    merge_base_sha: row.merge_base_sha,
    mergeable: isBlocked ? ("blocked" as const) : row.mergeability,
    blocked_by: blockedBy,
    conflicts: row.conflicts,
  };
}

export const draftText = "It is a draft: mark it as ready first.";

function namesOf(fullName: string): { owner: string; name: string } {
  const [owner = "", name = ""] = fullName.split("/");
  return { owner, name };
}

function timeOrNull(time: Date | string | null): string | null {
  return time && new Date(time).toISOString();
}
