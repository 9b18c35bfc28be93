/** Rows of `lfs_uploads`: objects that are being uploaded through any server. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { UploadRows } from "./upload.rows.ts";
import { reservationMinutes, uploadLeaseSeconds } from "./expiry.ts";

export interface UploadPlace {
  repositoryId: string;
  oid: string;
  /** Names this one upload. */
  holder: string;
}

export interface UploadsUnderWay {
  /** Of all repositories of the owner. */
  ofOwner: number;
  /** Since when the object itself is being sent; null where it is not. */
  sameForSeconds: number | null;
}

const lease = `clock_timestamp() + interval '${uploadLeaseSeconds} seconds'`;

export const statements = defineStatements<UploadRows>({
  countUploads: `
    select count(*)::int as "ofOwner", max(extract(epoch from clock_timestamp() - u.started_at))
        filter (where u.repository_id = $1 and u.oid = $2)::int as "sameForSeconds"
    from lfs_uploads u join repositories r on r.id = u.repository_id
    where u.expires_at > clock_timestamp() and r.owner_id = (select owner_id from repositories where id = $1)`,
  putUpload: `
    insert into lfs_uploads (repository_id, oid, holder, expires_at) values ($1, $2, $3, ${lease})
    on conflict (repository_id, oid) do update
      set holder = excluded.holder, started_at = excluded.started_at, expires_at = excluded.expires_at`,
  keepUpload: `
    with kept as (
      update lfs_uploads set expires_at = ${lease} where repository_id = $1 and oid = $2 and holder = $3
      returning repository_id, oid),
    renewed as (
      update lfs_objects o set expires_at = clock_timestamp() + interval '${reservationMinutes} minutes'
      from kept where o.repository_id = kept.repository_id and o.oid = kept.oid and o.expires_at > clock_timestamp()
        and o.expires_at < clock_timestamp() + interval '${reservationMinutes - 10} minutes')
    select from kept`,
  deleteUpload: "delete from lfs_uploads where repository_id = $1 and oid = $2 and holder = $3",
  deleteDeadUploads: "delete from lfs_uploads where expires_at < clock_timestamp()",
});

/** Exact after `lockUse` of the repository's owner. */
export async function countUploads(
  tx: Queryable,
  repositoryId: string,
  oid: string,
): Promise<UploadsUnderWay> {
  const row = await tx.one(statements.countUploads, [repositoryId, oid]);
  return row ?? { ofOwner: 0, sameForSeconds: null };
}

/** Replaces an expired one, whose server died. */
export async function putUpload(tx: Queryable, { repositoryId, oid, holder }: UploadPlace): Promise<void> {
  await tx.query(statements.putUpload, [repositoryId, oid, holder]);
}

/** Keeps the place, and what is reserved for the object; false when the place is another's now. */
export async function keepUpload(
  db: Queryable,
  { repositoryId, oid, holder }: UploadPlace,
): Promise<boolean> {
  const rows = await db.query(statements.keepUpload, [repositoryId, oid, holder]);
  return rows.length > 0;
}

export async function deleteUpload(db: Queryable, { repositoryId, oid, holder }: UploadPlace): Promise<void> {
  await db.query(statements.deleteUpload, [repositoryId, oid, holder]);
}

/** Removes rows of servers that died. */
export async function deleteDeadUploads(db: Queryable): Promise<void> {
  await db.query(statements.deleteDeadUploads);
}
