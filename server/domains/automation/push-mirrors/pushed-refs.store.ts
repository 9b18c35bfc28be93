/** Rows of `pushed_refs`: what the refs of a target are because of us. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { KnownRef } from "./plan-push.ts";
import type { PushedRefsRows } from "./pushed-refs.rows.ts";

export const statements = defineStatements<PushedRefsRows>({
  listKnown: "select ref, oid, sent_oid from pushed_refs where push_mirror_id = $1",
  noteSending: `
    insert into pushed_refs (push_mirror_id, ref, sent_oid) select $1, s.ref, s.oid from unnest($2::text[], $3::text[]) as s (ref, oid)
    on conflict (push_mirror_id, ref) do update set sent_oid = excluded.sent_oid`,
  noteEqual: `
    insert into pushed_refs (push_mirror_id, ref, oid) select $1, s.ref, s.oid from unnest($2::text[], $3::text[]) as s (ref, oid)
    on conflict (push_mirror_id, ref) do update set oid = excluded.oid, sent_oid = null`,
  forget: "delete from pushed_refs where push_mirror_id = $1 and ref = any($2)",
  forgetAll: "delete from pushed_refs where push_mirror_id = $1",
});

export async function listKnown(db: Queryable, mirrorId: string): Promise<Map<string, KnownRef>> {
  const rows = await db.query(statements.listKnown, [mirrorId]);
  return new Map(rows.map(({ ref, ...known }) => [ref, known]));
}

type Values = ReadonlyMap<string, string>;

/** Written before they are sent: whoever comes after a crash knows whose they are. */
export async function noteSending(db: Queryable, mirrorId: string, values: Values): Promise<void> {
  if (values.size > 0)
    await db.query(statements.noteSending, [mirrorId, [...values.keys()], [...values.values()]]);
}

export async function noteEqual(db: Queryable, mirrorId: string, values: Values): Promise<void> {
  if (values.size > 0)
    await db.query(statements.noteEqual, [mirrorId, [...values.keys()], [...values.values()]]);
}

export async function forget(db: Queryable, mirrorId: string, refs: readonly string[]): Promise<void> {
  if (refs.length > 0) await db.query(statements.forget, [mirrorId, refs]);
}

/** Of another target nothing is known. */
export async function forgetAll(db: Queryable, mirrorId: string): Promise<void> {
  await db.query(statements.forgetAll, [mirrorId]);
}
