/** Made by `node scripts/generate-rows.ts` from the statements of boards.store.ts; do not edit. */

export interface BoardsRows {
  listBoards: {
    id: string;
    name: string;
    filter: string;
    created_at: Date;
    updated_at: Date;
    labels: {
      id: string;
      name: string;
      color: string;
      description: string;
      max_issues: number | null;
    }[];
  };
  findBoard: {
    id: string;
    name: string;
    filter: string;
    created_at: Date;
    updated_at: Date;
    labels: {
      id: string;
      name: string;
      color: string;
      description: string;
      max_issues: number | null;
    }[];
  };
  lockBoard: {
    id: string;
  };
  holdRepository: {
    id: string;
  };
  countBoards: {
    count: number;
  };
  findRival: {
    id: string;
  };
  insertBoard: never;
  updateBoard: never;
  deleteBoard: {
    name: string;
  };
  removeColumns: never;
  insertColumns: never;
  limitColumn: never;
  labelsOfItem: {
    id: string;
    name: string;
  };
  listOpen: {
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
}
