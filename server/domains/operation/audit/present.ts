/** The audit log as the REST interface shows it. */
import type { AuditEntry } from "@forgeline/schemas/audit/resource.ts";
import type { EntryRow } from "./audit.store.ts";
import type { Point } from "./chain.store.ts";

export function presentEntry(row: EntryRow): AuditEntry {
  return {
    id: row.id,
    seq: row.number,
    hash: row.hash,
    timestamp: row.at.toISOString(),
    actor: { id: row.actor_id, username: row.actor_username, ip_address: row.ip_address },
    action: row.action,
    target: { type: row.target_type, id: row.target_id, name: row.target_name },
    details: row.details,
    user_agent: row.user_agent,
    geo: row.geo,
    request_id: row.request_id,
  };
}

/** The current end of a chain of entries. */
export function presentPoint({ number, hash, at }: Point) {
  return { seq: number, hash, at: at.toISOString() };
}
