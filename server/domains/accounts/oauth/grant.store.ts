/**
 * Rows of grants, and of what was issued for them: codes, families of tokens, refresh tokens. Lock the grant's row before you
 * change anything that belongs to it, so that nothing is issued while the grant ends.
 */
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import type { Scope } from "@forgeline/schemas/core/scopes.ts";
import type { Queryable } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { GrantRows } from "./grant.rows.ts";

export type GrantRow = GrantRows["listGrants"];

const selectGrants = `select g.id, g.app_id, a.name as app_name, o.name as app_owner, g.scopes,
    greatest(g.last_used_at, (select max(t.last_used_at) from oauth_families f join access_tokens t on t.family_id = f.id
      where f.grant_id = g.id)) as last_used_at, g.created_at, g.updated_at
  from oauth_grants g join oauth_apps a on a.id = g.app_id join owners o on o.id = a.owner_id`;

const familiesOf = {
  family: "select id from oauth_families where id = $1::uuid",
  grant: "select id from oauth_families where grant_id = $1",
  user: "select f.id from oauth_families f join oauth_grants g on g.id = f.grant_id where g.user_id = $1",
  app: "select f.id from oauth_families f join oauth_grants g on g.id = f.grant_id where g.app_id = $1",
};
const deleteTokens = (families: string) =>
  `delete from access_tokens where family_id in (${families}) returning id`;
const deleteThem = (families: string) => `delete from oauth_families where id in (${families})`;

export const statements = defineStatements<GrantRows>({
  countGrants: "select count(*) as total from oauth_grants where user_id = $1",
  listGrants: `${selectGrants} where g.user_id = $1 order by g.id desc limit $2 offset $3`,
  findGrant: `${selectGrants} where g.id = $2 and g.user_id = $1`,
  widenGrant: `
    insert into oauth_grants as g (id, app_id, user_id, scopes) values ($1, $2, $3, $4)
    on conflict (user_id, app_id) do update set updated_at = now(),
      scopes = array(select distinct unnest(g.scopes || excluded.scopes) order by 1)
    returning g.id`,
  lockGrant: `
    select g.id, g.app_id, g.user_id, u.username, u.suspended from oauth_grants g join users u on u.id = g.user_id
    where g.id = $1 for update of g`,
  lockGrantsOfUser: "select id from oauth_grants where user_id = $1 order by id for update",
  lockGrantsOfApp: "select id from oauth_grants where app_id = $1 order by id for update",
  deleteTokensOfFamily: deleteTokens(familiesOf.family),
  deleteTokensOfGrant: deleteTokens(familiesOf.grant),
  deleteTokensOfUser: deleteTokens(familiesOf.user),
  deleteTokensOfApp: deleteTokens(familiesOf.app),
  deleteFamily: deleteThem(familiesOf.family),
  deleteFamiliesOfGrant: deleteThem(familiesOf.grant),
  deleteFamiliesOfUser: deleteThem(familiesOf.user),
  deleteFamiliesOfApp: deleteThem(familiesOf.app),
  deleteGrant: "delete from oauth_grants where id = $1",
  deleteCodesOfUser:
    "delete from oauth_codes where grant_id in (select id from oauth_grants where user_id = $1) and used_at is null",
});

export async function listGrants(
  db: Queryable,
  userId: string,
  page: PageQuery,
): Promise<{ rows: GrantRow[]; total: number }> {
  const counted = await db.one(statements.countGrants, [userId]);
  const rows = await db.query(statements.listGrants, [userId, page.per_page, offsetOf(page)]);
  return { rows, total: counted?.total ?? 0 };
}

export function findGrant(db: Queryable, userId: string, id: string): Promise<GrantRow | undefined> {
  return db.one(statements.findGrant, [userId, id]);
}

/** The grant of a user for an app, with these scopes in addition to the previous ones; locked. */
export async function widenGrant(
  tx: Queryable,
  grant: { id: string; appId: string; userId: string; scopes: readonly Scope[] },
): Promise<string> {
  const row = await tx.one(statements.widenGrant, [grant.id, grant.appId, grant.userId, grant.scopes]);
  if (!row) throw new Error("the grant was not written");
  return row.id;
}

export type LockedGrant = GrantRows["lockGrant"];

/** Undefined if it has been withdrawn. */
export function lockGrant(tx: Queryable, id: string): Promise<LockedGrant | undefined> {
  return tx.one(statements.lockGrant, [id]);
}

/** Of one user or one app, always in the same order. */
export async function lockGrantsOf(tx: Queryable, of: "user" | "app", id: string): Promise<void> {
  await tx.query(of === "user" ? statements.lockGrantsOfUser : statements.lockGrantsOfApp, [id]);
}

export async function deleteGrant(tx: Queryable, id: string): Promise<void> {
  await tx.query(statements.deleteGrant, [id]);
}

const deletionsOf = {
  family: { tokens: statements.deleteTokensOfFamily, families: statements.deleteFamily },
  grant: { tokens: statements.deleteTokensOfGrant, families: statements.deleteFamiliesOfGrant },
  user: { tokens: statements.deleteTokensOfUser, families: statements.deleteFamiliesOfUser },
  app: { tokens: statements.deleteTokensOfApp, families: statements.deleteFamiliesOfApp },
};

/** Ends all their tokens; returns the ids of the removed access tokens, so that servers can be told. */
export async function deleteFamilies(
  tx: Queryable,
  of: keyof typeof deletionsOf,
  id: string,
): Promise<string[]> {
  const deletions = deletionsOf[of];
  const tokens = await tx.query(deletions.tokens, [id]);
  await tx.query(deletions.families, [id]);
  return tokens.map((token) => token.id);
}

/** Codes that were not used yet. */
export async function deleteCodesOfUser(tx: Queryable, userId: string): Promise<void> {
  await tx.query(statements.deleteCodesOfUser, [userId]);
}
