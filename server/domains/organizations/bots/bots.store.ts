/** Rows of `bots` and of the users that they are. The name `<org>/<bot>` is one of `owners`, so that no two are alike. */
import type { Scope } from "@forgeline/schemas/core/scopes.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";

export interface BotRow {
  id: string;
  username: string;
  name: string;
  display_name: string;
  scopes: Scope[];
  suspended: boolean;
  created_at: Date;
  updated_at: Date;
}

const columns = `u.id, u.username, b.name, u.display_name, b.scopes, u.suspended, u.created_at, u.updated_at`;
const ofOrganization = `from bots b join users u on u.id = b.user_id where u.organization_id = $1`;

/** By name. */
export async function listBots(
  db: Queryable,
  organizationId: string,
  page: PageQuery,
): Promise<{ rows: BotRow[]; total: number }> {
  const rows = await db.query<BotRow>(
    `select ${columns} ${ofOrganization} order by lower(b.name) limit $2 offset $3`,
    [organizationId, page.per_page, offsetOf(page)],
  );
  return { rows, total: await countRows(db, ofOrganization, [organizationId]) };
}

export function findBot(db: Queryable, organizationId: string, name: string): Promise<BotRow | undefined> {
  return db.one<BotRow>(`select ${columns} ${ofOrganization} and lower(b.name) = lower($2)`, [
    organizationId,
    name,
  ]);
}

export interface NewBot {
  id: string;
  organizationId: string;
  username: string;
  name: string;
  displayName: string;
  scopes: readonly Scope[];
}

/** False when the organization has a bot of that name. */
export async function insertBot(tx: Transaction, bot: NewBot): Promise<boolean> {
  const owner = await tx.one(
    `insert into owners (id, name, kind) values ($1, $2, 'user') on conflict do nothing returning id`,
    [bot.id, bot.username],
  );
  if (!owner) return false;
  await tx.query(
    `insert into users (id, username, display_name, type, organization_id) values ($1, $2, $3, 'bot', $4)`,
    [bot.id, bot.username, bot.displayName, bot.organizationId],
  );
  await tx.query(`insert into bots (user_id, name, scopes) values ($1, $2, $3)`, [
    bot.id,
    bot.name,
    bot.scopes,
  ]);
  return true;
}

export async function updateBot(
  tx: Transaction,
  id: string,
  change: { displayName?: string | undefined; scopes?: readonly Scope[] | undefined },
): Promise<void> {
  await tx.query(
    `update users set display_name = coalesce($2, display_name), updated_at = now() where id = $1`,
    [id, change.displayName ?? null],
  );
  await tx.query(`update bots set scopes = coalesce($2, scopes) where user_id = $1`, [
    id,
    change.scopes ?? null,
  ]);
}

/** One bot of the organization, or all: nothing of theirs is good for anything any more, and their names are free. */
export async function retireBots(
  tx: Transaction,
  { organizationId, id }: { organizationId: string; id?: string },
): Promise<number> {
  const retired = await tx.query<{ id: string }>(
    `update users set suspended = true, organization_id = null, updated_at = now()
     where organization_id = $1 and ($2::text is null or id = $2) returning id`,
    [organizationId, id ?? null],
  );
  const ids = retired.map((row) => row.id);
  await tx.query(`update owners set name = id where id = any($1)`, [ids]);
  await tx.query(
    `update access_tokens set revoked_at = now() where user_id = any($1) and revoked_at is null`,
    [ids],
  );
  await tx.query(`delete from team_members where user_id = any($1)`, [ids]);
  await tx.query(`delete from collaborators where user_id = any($1)`, [ids]);
  await tx.query(`delete from bots where user_id = any($1)`, [ids]);
  return ids.length;
}
