/** Made by `node scripts/generate-rows.ts` from the statements of news.store.ts; do not edit. */
import type { StoredRule } from "./decide-target.ts";

export interface NewsRows {
  listFacts: {
    team_id: string;
    path: string;
    team: string;
    rules: StoredRule[];
    address: string | null;
    digest: "daily" | "hourly" | "immediately";
    digest_at: string;
    time_zone: string;
    quiet_from: string | null;
    quiet_to: string | null;
    quiet_days: string[];
    repository_id: string;
    owner_id: string;
    kind: "issue" | "merge_request";
    number: number;
    title: string;
    may_read: boolean;
    in_organization: boolean;
    address_confirmed: boolean;
    has_webhook: boolean;
  };
  insertMails: never;
  noteAsked: {
    team_id: string;
  };
}
