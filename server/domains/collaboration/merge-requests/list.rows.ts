/** Made by `node scripts/generate-rows.ts` from the statements of list.store.ts; do not edit. */
import type { Status } from "@forgeline/schemas/pipelines/status.ts";

export interface ListRows {
  listMergeRequests: {
    id: string;
    repository_id: string;
    number: number;
    title: string;
    body: string;
    state: "closed" | "merged" | "open";
    state_reason: "completed" | "duplicate" | "not_planned" | null;
    author_id: string | null;
    imported_author: string | null;
    locked: boolean;
    comments_count: number;
    due_on: string | null;
    pinned_at: Date | null;
    closed_at: Date | null;
    edited_at: Date | null;
    created_at: Date;
    updated_at: Date;
    author: unknown;
    closed_by: unknown;
    labels: {
      id: string;
      name: string;
      color: string;
      description: string;
    }[];
    assignees: unknown[];
    milestone: {
      id: string;
      title: string;
      state: "closed" | "open";
      due_on: string | null;
    } | null;
    reactions: {
      name: "+1" | "-1" | "confused" | "eyes" | "heart" | "hooray" | "laugh" | "rocket";
      count: number;
      mine: boolean;
    }[];
    source_repository_id: string | null;
    source_branch: string;
    source_problem: "access" | "size" | "visibility" | null;
    target_branch: string;
    is_open: boolean;
    draft: boolean;
    maintainer_can_modify: boolean;
    head_sha: string;
    target_sha: string;
    merge_base_sha: string | null;
    mergeability: "checking" | "clean" | "conflict";
    conflicts: string[];
    merging_sha: string | null;
    merged_at: Date | null;
    merge_sha: string | null;
    merge_strategy: "fast_forward" | "merge" | "rebase" | "squash" | null;
    merged_by: unknown;
    source_repo: {
      id: string;
      full_name: string;
    } | null;
    pipeline: {
      id: string;
      number: number;
      status: Status;
      merged_result: {
        sha: string;
        target_sha: string | null;
      } | null;
    } | null;
    auto_merge: {
      strategy: "fast_forward" | "merge" | "rebase" | "squash";
      enabled_by: unknown;
      enabled_at: string;
      delete_source_branch: boolean;
      sha: string | null;
      problem: string | null;
    } | null;
    merge_queue: {
      position: number;
      state: "landing" | "queued" | "testing";
      queued_by: unknown;
      queued_at: string;
    } | null;
    reviewers: unknown[];
    asks_teams: boolean;
    is_look_due: boolean;
    decisions: {
      user_id: string;
      person: unknown;
      state: "approved" | "changes_requested" | "commented" | "dismissed" | "pending";
      head_sha: string;
      may_write: boolean;
    }[] | null;
  };
}
