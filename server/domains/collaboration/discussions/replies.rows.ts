/** Made by `node scripts/generate-rows.ts` from the statements of replies.store.ts; do not edit. */

export interface RepliesRows {
  insertReply: never;
  findReply: {
    id: string;
    body: string;
    author_id: string | null;
    author: unknown;
    reply_to: string | null;
    edited_at: Date | null;
    created_at: Date;
    updated_at: Date;
    reactions: {
      name: "+1" | "-1" | "confused" | "eyes" | "heart" | "hooray" | "laugh" | "rocket";
      count: number;
      mine: boolean;
    }[];
  };
  listReplies: {
    id: string;
    body: string;
    author_id: string | null;
    author: unknown;
    reply_to: string | null;
    edited_at: Date | null;
    created_at: Date;
    updated_at: Date;
    reactions: {
      name: "+1" | "-1" | "confused" | "eyes" | "heart" | "hooray" | "laugh" | "rocket";
      count: number;
      mine: boolean;
    }[];
  };
  setBody: never;
  deleteReply: never;
}
