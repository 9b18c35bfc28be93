/** Rows of `log_stream_tickets`, and whether the credential behind a ticket is still valid. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { TicketsRows } from "./tickets.rows.ts";

export const statements = defineStatements<TicketsRows>({
  insertTicket: `
    with expired as (delete from log_stream_tickets where expires_at < now())
    insert into log_stream_tickets (ticket_hash, pipeline_id, actor, expires_at)
    values ($1, $2, $3, now() + make_interval(secs => $4)) returning expires_at`,
  takeTicket: `
    delete from log_stream_tickets where ticket_hash = $1
    returning case when pipeline_id = $2 and expires_at > now() then actor end as actor`,
  isLeased: "select 1 from job_attempts where id = $1 and state = 'leased'",
  isCredentialValid: `
    select 1 from users u left join access_tokens t on t.id = $2
       left join sessions s on s.id = $3
     where u.id = $1 and not u.suspended
       and ($2::text is null or (t.id is not null and t.revoked_at is null and coalesce(t.expires_at > now(), true)))
       and ($3::text is null or s.expires_at > now())`,
});

export interface NewTicket {
  hash: Buffer;
  pipelineId: string;
  /** JSON. */
  actor: string;
  lifetimeSeconds: number;
}

/** Also removes expired ones. */
export function insertTicket(db: Queryable, ticket: NewTicket): Promise<{ expires_at: Date } | undefined> {
  return db.one(statements.insertTicket, [
    ticket.hash,
    ticket.pipelineId,
    ticket.actor,
    ticket.lifetimeSeconds,
  ]);
}

/** Removes it; returns its actor if it is for this run and has not expired. */
export async function takeTicket(db: Queryable, hash: Buffer, pipelineId: string): Promise<unknown> {
  const row = await db.one(statements.takeTicket, [hash, pipelineId]);
  return row?.actor;
}

export async function isLeased(db: Queryable, attemptId: string): Promise<boolean> {
  const row = await db.one(statements.isLeased, [attemptId]);
  return row !== undefined;
}

export async function isCredentialValid(
  db: Queryable,
  actor: { userId: string | null; tokenId: string | null; sessionId: string | null },
): Promise<boolean> {
  const row = await db.one(statements.isCredentialValid, [actor.userId, actor.tokenId, actor.sessionId]);
  return row !== undefined;
}
