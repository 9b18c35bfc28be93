/** Rows of `oauth_apps`; the secret of an app is nowhere in them. */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Scope } from "@forgeline/schemas/core/scopes.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { AppRows } from "./app.rows.ts";

export type AppRow = AppRows["insertApp"];

const columns = `a.id, a.owner_id, o.name as owner, a.name, a.redirect_uris, a.homepage_url, a.scopes, a.confidential,
  a.created_at, a.updated_at`;

export const statements = defineStatements<AppRows>({
  insertApp: `
    with a as (
      insert into oauth_apps (id, owner_id, name, redirect_uris, scopes, confidential, secret_hash, homepage_url)
      values ($1, $2, $3, $4, $5, $6::bytea is not null, $6, $7) returning *)
    select ${columns} from a join owners o on o.id = a.owner_id`,
  countApps: "select count(*) as total from oauth_apps where owner_id = $1",
  listApps: `
    select ${columns} from oauth_apps a join owners o on o.id = a.owner_id where a.owner_id = $1
    order by a.id desc limit $2 offset $3`,
  findApp: `select ${columns} from oauth_apps a join owners o on o.id = a.owner_id where a.id = $2 and a.owner_id = $1`,
  lockApp: `
    select ${columns} from oauth_apps a join owners o on o.id = a.owner_id where a.id = $2 and a.owner_id = $1
    for update of a`,
  updateApp: `
    with a as (
      update oauth_apps set name = $2, redirect_uris = $3, homepage_url = $4, updated_at = now()
      where id = $1 returning *)
    select ${columns} from a join owners o on o.id = a.owner_id`,
  replaceSecret: `
    with a as (
      update oauth_apps set secret_hash = $3, updated_at = now()
      where id = $2 and owner_id = $1 and confidential returning *)
    select ${columns} from a join owners o on o.id = a.owner_id`,
  deleteApp: "delete from oauth_apps where id = $1",
  findClient: `
    select ${columns}, a.secret_hash from oauth_apps a join owners o on o.id = a.owner_id
    left join users u on u.id = a.owner_id where a.id = $1 and u.suspended is not true`,
});

export interface NewApp {
  id: string;
  ownerId: string;
  name: string;
  redirectUris: readonly string[];
  homepageUrl: string | null;
  scopes: readonly Scope[];
  secretHash: Buffer | null;
}

export async function insertApp(db: Queryable, app: NewApp): Promise<AppRow> {
  const row = await db.one(statements.insertApp, [
    app.id,
    app.ownerId,
    app.name,
    app.redirectUris,
    app.scopes,
    app.secretHash,
    app.homepageUrl,
  ]);
  if (!row) throw new Error("the insert gave no row");
  return row;
}

export async function listApps(
  db: Queryable,
  ownerId: string,
  page: PageQuery,
): Promise<{ rows: AppRow[]; total: number }> {
  const counted = await db.one(statements.countApps, [ownerId]);
  const rows = await db.query(statements.listApps, [ownerId, page.per_page, offsetOf(page)]);
  return { rows, total: counted?.total ?? 0 };
}

export function findApp(db: Queryable, ownerId: string, id: string): Promise<AppRow | undefined> {
  return db.one(statements.findApp, [ownerId, id]);
}

/** The app as it is, and no one else changes it until the transaction ends. */
export function lockApp(tx: Queryable, ownerId: string, id: string): Promise<AppRow | undefined> {
  return tx.one(statements.lockApp, [ownerId, id]);
}

export async function updateApp(
  tx: Queryable,
  id: string,
  app: Pick<AppRow, "name" | "redirect_uris" | "homepage_url">,
): Promise<AppRow> {
  const row = await tx.one(statements.updateApp, [id, app.name, app.redirect_uris, app.homepage_url]);
  if (!row) throw new Error("a locked app is gone");
  return row;
}

/** Undefined when the owner has no such confidential app. */
export function replaceSecret(
  db: Queryable,
  { ownerId, id, hash }: { ownerId: string; id: string; hash: Buffer },
): Promise<AppRow | undefined> {
  return db.one(statements.replaceSecret, [ownerId, id, hash]);
}

export async function deleteApp(db: Queryable, id: string): Promise<void> {
  await db.query(statements.deleteApp, [id]);
}

export type ClientRow = AppRows["findClient"];

/** By client id; undefined also for an app of a suspended user. */
export function findClient(db: Queryable, id: string): Promise<ClientRow | undefined> {
  return db.one(statements.findClient, [id]);
}
