/** Made by `node scripts/generate-rows.ts` from the statements of discussions.store.ts; do not edit. */

export interface DiscussionsRows {
  belongs: {
    found: number;
  };
  takeNumber: {
    last: number;
  };
  insertDiscussion: never;
  findDiscussion: {
    id: string;
    number: number;
    team: string;
    title: string;
    body: string;
    author_id: string | null;
    author: unknown;
    private: boolean;
    locked: boolean;
    pinned_at: Date | null;
    replies_count: number;
    edited_at: Date | null;
    created_at: Date;
    updated_at: Date;
    issue: {
      full_name: string;
      number: number;
    } | null;
    is_issue: boolean;
    reactions: {
      name: "+1" | "-1" | "confused" | "eyes" | "heart" | "hooray" | "laugh" | "rocket";
      count: number;
      mine: boolean;
    }[];
  };
  listDiscussions: {
    id: string;
    number: number;
    team: string;
    title: string;
    body: string;
    author_id: string | null;
    author: unknown;
    private: boolean;
    locked: boolean;
    pinned_at: Date | null;
    replies_count: number;
    edited_at: Date | null;
    created_at: Date;
    updated_at: Date;
    issue: {
      full_name: string;
      number: number;
    } | null;
    is_issue: boolean;
    reactions: {
      name: "+1" | "-1" | "confused" | "eyes" | "heart" | "hooray" | "laugh" | "rocket";
      count: number;
      mine: boolean;
    }[];
  };
  lockDiscussion: {
    id: string;
  };
  countDiscussions: {
    count: number;
    pinned: number;
  };
  setTexts: never;
  setPinned: never;
  setLocked: never;
  setIssue: never;
  addReplies: never;
  deleteDiscussion: never;
}
