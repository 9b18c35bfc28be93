/** Made by `node scripts/generate-rows.ts` from the statements of search.store.ts; do not edit. */

export interface SearchRows {
  search: {
    total: number;
    held: "read" | "triage" | "write" | "maintain" | "admin";
    full_name: string;
    kind: "issue" | "merge_request";
    draft: boolean;
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
  };
  limitTime: {
    set_config: string | null;
  };
}
