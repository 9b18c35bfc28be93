/** Made by `node scripts/generate-rows.ts` from the statements of comments.store.ts; do not edit. */

export interface CommentsRows {
  insertComment: never;
  findComment: {
    id: string;
    work_item_id: string;
    body: string;
    author_id: string | null;
    edited_at: Date | null;
    created_at: Date;
    updated_at: Date;
    author: unknown;
    number: number;
    kind: "issue" | "merge_request";
    title: string;
    locked: boolean;
  };
  listComments: {
    id: string;
    work_item_id: string;
    body: string;
    author_id: string | null;
    edited_at: Date | null;
    created_at: Date;
    updated_at: Date;
    author: unknown;
    number: number;
    kind: "issue" | "merge_request";
    title: string;
    locked: boolean;
  };
  lockComment: {
    id: string;
    work_item_id: string;
  };
  setBody: never;
  deleteComment: never;
}
