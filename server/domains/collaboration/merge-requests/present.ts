/** Merge requests as the REST interface and webhooks show them. */
import type { QueuePlace } from "@forgeline/schemas/merge-queue/resource.ts";
import type { MergeRequest } from "@forgeline/schemas/merge-requests/resource.ts";
import { levelCovers } from "@forgeline/schemas/core/repository-levels.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import { presentEventUser } from "../../accounts/domain.ts";
import { repositoryAddress } from "../../hosting/domain.ts";
import { presentReactions } from "../reactions/present.ts";
import { mayChange, type Viewer } from "../work-items/may-change.ts";
import { namesOf, presentImportedAuthor, presentPersonOrNull } from "../work-items/present.ts";
import type { MergeRequestRow, QueuedSnapshot } from "./merge-requests.store.ts";

/** As an event keeps it, where times are text. */
export type MergeRequestSnapshot = Omit<MergeRequestRow, TimeName | NewName> & {
  [Name in TimeName]: MergeRequestRow[Name] | string;
} & Partial<Pick<MergeRequestRow, NewName>>;
/** Events of earlier releases lack it. */
type NewName =
  | "reviewers"
  | "asks_teams"
  | "merge_queue"
  | "auto_merge"
  | "reactions"
  | "maintainer_can_modify";
type TimeName = "created_at" | "updated_at" | "edited_at" | "closed_at" | "merged_at" | "pinned_at";

export interface MergeRequestView {
  repository: { owner: string; name: string };
  viewer: Viewer;
  /** Runs of a public repository need not be for everyone. */
  seesRuns: boolean;
  /** What the rules of the target branch say, as far as they were asked. */
  standing: { blockedBy: string[]; mayMerge: boolean };
  /** Lists do not ask. */
  closes: MergeRequest["closes"];
  /** Those that are asked for a review and that the viewer may see, by merge request. */
  teams: ReadonlyMap<string, string[]>;
  addresses: Addresses;
}

export function presentMergeRequest(
  row: MergeRequestSnapshot,
  { repository, viewer, seesRuns, teams, addresses, standing, closes }: MergeRequestView,
): MergeRequest {
  const may = mayChange(viewer, row);
  const merge = viewer.userId !== null && !viewer.archived && levelCovers(viewer.level, "write");
  const shown = presentEventMergeRequest(row, repository, addresses);
  const blockedBy = [...shown.blocked_by, ...standing.blockedBy];
  return {
    ...shown,
    blocked_by: blockedBy,
    mergeable: mergeableOf(row, blockedBy),
    closes,
    reviewer_teams: teams.get(row.id) ?? [],
    pipeline: seesRuns ? shown.pipeline : null,
    reactions: presentReactions(row.reactions ?? []),
    viewer_may: { ...may, merge: merge && standing.mayMerge },
  };
}

/** What does not depend on who sees it. */
export function presentEventMergeRequest(
  row: MergeRequestSnapshot,
  repository: { owner: string; name: string },
  addresses: Addresses,
): Omit<MergeRequest, "viewer_may" | "reviewer_teams" | "closes" | "reactions"> {
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
    imported_author: presentImportedAuthor(row.imported_author),
    ...presentBranches(row, addresses),
    reviewers: (row.reviewers ?? []).map((user) => presentEventUser(user, addresses)),
    assignees: row.assignees.map((user) => presentEventUser(user, addresses)),
    labels: row.labels,
    milestone: row.milestone,
    pipeline: row.pipeline && {
      ...row.pipeline,
      web_url: address.web("pipelines", String(row.pipeline.number)),
      merged_result: mergedResultOf(row),
    },
    merge_queue: row.state === "open" && row.merge_queue ? presentPlace(row.merge_queue, addresses) : null,
    auto_merge: row.auto_merge ? presentAutoMerge(row.auto_merge, addresses) : null,
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

function mergedResultOf({ pipeline, target_sha: target }: MergeRequestSnapshot) {
  const tested = pipeline?.merged_result;
  return tested ? { ...tested, is_current: tested.target_sha === target } : null;
}

function presentPlace(
  { queued_by: user, queued_at: time, ...place }: QueuedSnapshot,
  addresses: Addresses,
): QueuePlace {
  return {
    ...place,
    queued_by: presentPersonOrNull(user, addresses),
    queued_at: new Date(time).toISOString(),
  };
}

function presentBranches(row: MergeRequestSnapshot, addresses: Addresses) {
  const blockedBy = row.state === "open" && row.draft ? [draftText] : [];
  return {
    source_branch: row.source_branch,
    source_problem: sourceProblem(row),
    maintainer_can_modify: row.maintainer_can_modify ?? false,
    target_branch: row.target_branch,
    source_repo: row.source_repo && {
      ...row.source_repo,
      url: repositoryAddress(addresses, namesOf(row.source_repo.full_name)).api(),
    },
    head_sha: row.head_sha,
    base_sha: row.target_sha,
    merge_base_sha: row.merge_base_sha,
    mergeable: mergeableOf(row, blockedBy),
    blocked_by: blockedBy,
    conflicts: row.conflicts,
  };
}

/** `ann:topic` for a branch of another repository. */
export function sourceName({
  repository_id: targetId,
  source_branch: branch,
  source_repo: repository,
}: Pick<MergeRequestRow, "repository_id" | "source_branch" | "source_repo">): string {
  return repository === null || repository.id === targetId
    ? branch
    : `${namesOf(repository.full_name).owner}:${branch}`;
}

const sourceProblems = {
  access:
    "What is pushed to the source branch does not come here: the author may not push there any more, or not see this repository.",
  visibility:
    "What is pushed to the source branch does not come here: fewer people see its repository now. It comes again when the author closes and reopens this.",
  size: "What was pushed to the source branch does not come here: this repository would get too large.",
};

/** An event of an earlier release has no such column. */
function sourceProblem({ state, source_problem: problem }: Partial<MergeRequestSnapshot>): string | null {
  return state === "open" && problem ? sourceProblems[problem] : null;
}

function mergeableOf({ mergeability }: MergeRequestSnapshot, blockedBy: readonly string[]) {
  return mergeability === "clean" && blockedBy.length > 0 ? ("blocked" as const) : mergeability;
}

export const draftText = "It is a draft: mark it as ready first.";

function timeOrNull(time: Date | string | null): string | null {
  return time && new Date(time).toISOString();
}

function presentAutoMerge(
  wait: NonNullable<MergeRequestRow["auto_merge"]>,
  addresses: Addresses,
): MergeRequest["auto_merge"] {
  return {
    ...wait,
    enabled_by: presentPersonOrNull(wait.enabled_by, addresses),
    enabled_at: new Date(wait.enabled_at).toISOString(),
  };
}
