/** The one way to record a significant action: in the transaction that does it. */
import type { Transaction } from "../../db/database.ts";
import { newId } from "../../platform/ids.ts";
import type { Actor } from "../identity/actor.ts";

export interface AuditEntry {
  action: string;
  target: { type: string; id: string; name: string };
  details?: Record<string, unknown>;
}

export async function recordAudit(tx: Transaction, actor: Actor, entry: AuditEntry): Promise<void> {
  await tx.query(
    `insert into audit_log (id, actor_id, actor_username, ip_address, action, target_type, target_id, target_name,
       details, user_agent, request_id)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      newId("evt"),
      actor.userId,
      actor.username,
      actor.request?.ipAddress ?? null,
      entry.action,
      entry.target.type,
      entry.target.id,
      entry.target.name,
      JSON.stringify(entry.details ?? {}),
      actor.request?.userAgent ?? null,
      actor.request?.id ?? null,
    ],
  );
}
