/** Made by `node scripts/generate-rows.ts` from the statements of comments.store.ts; do not edit. */

export interface CommentsRows {
  insertComment: never;
  findComment: {
    id: string;
    work_item_id: string;
    body: string;
    author_id: string | null;
    imported_author: string | null;
    edited_at: Date | null;
    created_at: Date;
    updated_at: Date;
    author: unknown;
    number: number;
    kind: "issue" | "merge_request";
    title: string;
    locked: boolean;
    item_author_id: string | null;
    is_pending: boolean;
    review_id: string | null;
    thread_id: string | null;
    path: string | null;
    line: number | null;
    side: "new" | "old" | null;
    commit_sha: string | null;
    resolved: boolean | null;
    reactions: {
      name: "+1" | "-1" | "confused" | "eyes" | "heart" | "hooray" | "laugh" | "rocket";
      count: number;
      mine: boolean;
    }[];
  };
  listComments: {
    id: string;
    work_item_id: string;
    body: string;
    author_id: string | null;
    imported_author: string | null;
    edited_at: Date | null;
    created_at: Date;
    updated_at: Date;
    author: unknown;
    number: number;
    kind: "issue" | "merge_request";
    title: string;
    locked: boolean;
    item_author_id: string | null;
    is_pending: boolean;
    review_id: string | null;
    thread_id: string | null;
    path: string | null;
    line: number | null;
    side: "new" | "old" | null;
    commit_sha: string | null;
    resolved: boolean | null;
    reactions: {
      name: "+1" | "-1" | "confused" | "eyes" | "heart" | "hooray" | "laugh" | "rocket";
      count: number;
      mine: boolean;
    }[];
  };
  lockComment: {
    id: string;
    work_item_id: string;
  };
  listOfThread: {
    id: string;
    work_item_id: string;
    body: string;
    author_id: string | null;
    imported_author: string | null;
    edited_at: Date | null;
    created_at: Date;
    updated_at: Date;
    author: unknown;
    number: number;
    kind: "issue" | "merge_request";
    title: string;
    locked: boolean;
    item_author_id: string | null;
    is_pending: boolean;
    review_id: string | null;
    thread_id: string;
    path: string | null;
    line: number | null;
    side: "new" | "old" | null;
    commit_sha: string | null;
    resolved: boolean | null;
    reactions: {
      name: "+1" | "-1" | "confused" | "eyes" | "heart" | "hooray" | "laugh" | "rocket";
      count: number;
      mine: boolean;
    }[];
  };
  countOfThread: {
    total: number;
  };
  firstOfThreads: {
    id: string;
    work_item_id: string;
    body: string;
    author_id: string | null;
    imported_author: string | null;
    edited_at: Date | null;
    created_at: Date;
    updated_at: Date;
    author: unknown;
    number: number;
    kind: "issue" | "merge_request";
    title: string;
    locked: boolean;
    item_author_id: string | null;
    is_pending: boolean;
    review_id: string | null;
    thread_id: string | null;
    path: string | null;
    line: number | null;
    side: "new" | "old" | null;
    commit_sha: string | null;
    resolved: boolean | null;
    reactions: {
      name: "+1" | "-1" | "confused" | "eyes" | "heart" | "hooray" | "laugh" | "rocket";
      count: number;
      mine: boolean;
    }[];
  };
  publish: {
    id: string;
    body: string;
  };
  removePending: never;
  countPending: {
    total: number;
  };
  setBody: never;
  deleteComment: never;
}
