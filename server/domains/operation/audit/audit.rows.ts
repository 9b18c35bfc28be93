/** Made by `node scripts/generate-rows.ts` from the statements of audit.store.ts; do not edit. */
import type { AuditEntry } from "@forgeline/schemas/audit/resource.ts";

export interface AuditRows {
  insertEntry: never;
  listEntries: {
    id: string;
    at: Date;
    actor_id: string | null;
    actor_username: string;
    ip_address: string | null;
    action: string;
    target_type: string;
    target_id: string;
    target_name: string;
    details: Record<string, unknown>;
    user_agent: string | null;
    geo: AuditEntry["geo"] | null;
    request_id: string | null;
    number: number | null;
    hash: string | null;
  };
}
