/** Made by `node scripts/generate-rows.ts` from the statements of subscriptions.store.ts; do not edit. */

export interface SubscriptionsRows {
  findRepository: {
    level: "custom" | "muted" | "watching";
    kinds: string[];
  };
  putRepository: never;
  watchOwn: never;
  removeRepository: never;
  findItem: {
    id: string;
    kind: "issue" | "merge_request";
    is_author: boolean;
    is_assignee: boolean;
    is_reviewer: boolean;
    has_commented: boolean;
    thread: "muted" | "subscribed" | null;
    thread_reason: "manual" | "mention" | null;
    level: "custom" | "muted" | "watching" | null;
    kinds: string[];
    notification_id: string | null;
    unread: boolean | null;
  };
  muteIfThere: never;
  putItem: never;
}
