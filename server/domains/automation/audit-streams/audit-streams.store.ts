/** Rows of `audit_streams`, as people configure them. */
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { defineStatements, type RowOf } from "../../../platform/db/statement.ts";
import type { AuditStreamsRows } from "./audit-streams.rows.ts";
import type { ShownTarget } from "./target-settings.ts";

interface Row {
  /** As `insertStream` and `updateStream` were given it. */
  target: ShownTarget;
  /** There is one so far. */
  disabled_reason: "stopped" | null;
}

interface Known {
  /** The same columns. */
  findStream: Row;
}

export type StreamRow = RowOf<typeof statements.findStream>;

export const statements = defineStatements<AuditStreamsRows, Known>({
  /** `oldest_at`: of the first entry that waits. */
  findStream: `
    select s.*, o.name as organization, coalesce(h.number, 0) as head_number, l.entry_at as oldest_at, (
      select coalesce(sum(a.last - greatest(a.first - 1, s.sent_number)), 0)::float8 from audit_anchors a
      where a.chain = s.chain and a.last > s.sent_number) as expired
    from audit_streams s left join owners o on o.id = s.organization_id left join audit_heads h on h.chain = s.chain
    left join lateral (
      select k.entry_at from audit_links k where k.chain = s.chain and k.number > s.sent_number order by k.number limit 1) l on true
    where s.organization_id is not distinct from $1`,
  lockStream:
    "select id, revision from audit_streams where organization_id is not distinct from $1 for update",
  insertStream: `
    insert into audit_streams (id, organization_id, kind, target, sealed_secrets, ca_certificate, enabled, sent_number, created_by)
    values ($1, $2, $3, $4::jsonb, $5, $6, $7, $8, $9) on conflict (chain) do nothing returning id`,
  updateStream: `
    update audit_streams set kind = $2, target = $3::jsonb, sealed_secrets = $4, ca_certificate = $5, enabled = $6,
      sent_number = coalesce($7, sent_number),
      previous_until = case when $8::int is null then previous_until when $8 > 0 then now() + make_interval(hours => $8) end,
      revision = revision + 1, failures = 0, failing_since = null, last_error = null, next_attempt_at = null, busy_until = null,
      disabled_reason = null, updated_at = now()
    where id = $1`,
  deleteStream: "delete from audit_streams where organization_id is not distinct from $1 returning id",
});

/** `owner` null: the instance's. */
export function findStream(db: Queryable, owner: string | null): Promise<StreamRow | undefined> {
  return db.one(statements.findStream, [owner]);
}

/** Until the transaction ends. */
export function lockStream(
  tx: Transaction,
  owner: string | null,
): Promise<AuditStreamsRows["lockStream"] | undefined> {
  return tx.one(statements.lockStream, [owner]);
}

export interface StoredStream {
  id: string;
  target: ShownTarget;
  sealedSecrets: Buffer;
  caCertificate: string | null;
  enabled: boolean;
}

/** False where there is one already. */
export async function insertStream(
  tx: Transaction,
  owner: string | null,
  { stream, sentNumber, createdBy }: { stream: StoredStream; sentNumber: number; createdBy: string | null },
): Promise<boolean> {
  const { id, target, sealedSecrets, caCertificate, enabled } = stream;
  const row = await tx.one(statements.insertStream, [
    id,
    owner,
    target.kind,
    JSON.stringify(target),
    sealedSecrets,
    caCertificate,
    enabled,
    sentNumber,
    createdBy,
  ]);
  return row !== undefined;
}

/** What has failed is forgotten. `sentNumber` null: as it is; `previousTokenHours` null: as it is, 0: it ends. */
export async function updateStream(
  tx: Transaction,
  stream: StoredStream,
  { sentNumber, previousTokenHours }: { sentNumber: number | null; previousTokenHours: number | null },
): Promise<void> {
  await tx.query(statements.updateStream, [
    stream.id,
    stream.target.kind,
    JSON.stringify(stream.target),
    stream.sealedSecrets,
    stream.caCertificate,
    stream.enabled,
    sentNumber,
    previousTokenHours,
  ]);
}

export async function deleteStream(tx: Transaction, owner: string | null): Promise<boolean> {
  return (await tx.one(statements.deleteStream, [owner])) !== undefined;
}
