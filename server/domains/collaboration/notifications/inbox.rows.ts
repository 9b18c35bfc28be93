/** Made by `node scripts/generate-rows.ts` from the statements of inbox.store.ts; do not edit. */

export interface InboxRows {
  list: {
    id: string;
    reason: string;
    event: string;
    unread: boolean;
    new_events: number;
    saved_at: Date | null;
    done_at: Date | null;
    read_at: Date | null;
    created_at: Date;
    updated_at: Date;
    repository_id: string;
    actor: unknown;
    kind: "issue" | "merge_request";
    number: number;
    title: string;
    state: "closed" | "merged" | "open";
    ended_because: string | null;
    owner: string | null;
    name: string | null;
  };
  find: {
    id: string;
    reason: string;
    event: string;
    unread: boolean;
    new_events: number;
    saved_at: Date | null;
    done_at: Date | null;
    read_at: Date | null;
    created_at: Date;
    updated_at: Date;
    repository_id: string;
    actor: unknown;
    kind: "issue" | "merge_request";
    number: number;
    title: string;
    state: "closed" | "merged" | "open";
    ended_because: string | null;
    owner: string | null;
    name: string | null;
  };
  update: never;
  markRead: never;
  removeOld: {
    id: string;
  };
  removeBeyond: {
    id: string;
  };
  moveNotifications: never;
  moveTellings: never;
  removeForgotten: never;
}
