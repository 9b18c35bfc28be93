/** Made by `node scripts/generate-rows.ts` from the statements of telling.store.ts; do not edit. */

export interface TellingRows {
  readTold: {
    id: string;
    mentions: string[];
    assignee_ids: string[];
    reviewer_ids: string[];
  };
  writeTold: never;
  findUsers: {
    id: string;
  };
  findTeams: {
    id: string;
  };
  insertTellings: never;
  takeDue: {
    position: number;
    event: string;
    only_named: boolean;
    told_up_to: string;
    attempts: number;
    kind: "issue" | "merge_request";
  };
  listPeople: {
    user_id: string;
    may_read: boolean;
    mentioned: boolean;
    team_mentioned: boolean;
    newly_assigned: boolean;
    newly_asked: boolean;
    team_asked: boolean;
    is_asker: boolean;
    is_reviewer: boolean;
    is_author: boolean;
    is_assignee: boolean;
    has_commented: boolean;
    thread: "muted" | "subscribed" | null;
    level: "custom" | "muted" | "watching" | null;
    kinds: string[];
  };
  tell: never;
  subscribeMentioned: never;
  moveOn: never;
  end: never;
  postpone: never;
  measure: {
    waiting: number;
    seconds: number;
  };
}
