/** Rows of `bots`, with the users that they are. */
import type { Scope } from "@forgeline/schemas/core/scopes.ts";
import type { PageQuery } from "@forgeline/schemas/core/pagination.ts";
import { countRows } from "../../../platform/db/count-rows.ts";
import type { Queryable, Transaction } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/db/page.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { BotsRows } from "./bots.rows.ts";

const columns = `u.id, u.username, b.name, u.display_name, b.scopes, u.suspended, u.created_at, u.updated_at`;
const ofOrganization = `from bots b join users u on u.id = b.user_id where u.organization_id = $1`;

export const statements = defineStatements<BotsRows>({
  listBots: `select ${columns} ${ofOrganization} order by lower(b.name) limit $2 offset $3`,
  findBot: `select ${columns} ${ofOrganization} and lower(b.name) = lower($2)`,
  insertBot: "insert into bots (user_id, name, scopes) values ($1, $2, $3)",
  setScopes: "update bots set scopes = $2 where user_id = $1",
  deleteBots: "delete from bots where user_id = any($1)",
});

export type BotRow = BotsRows["findBot"];

/** By name. */
export async function listBots(
  db: Queryable,
  organizationId: string,
  page: PageQuery,
): Promise<{ rows: BotRow[]; total: number }> {
  const rows = await db.query(statements.listBots, [organizationId, page.per_page, offsetOf(page)]);
  return { rows, total: await countRows(db, ofOrganization, [organizationId]) };
}

export function findBot(db: Queryable, organizationId: string, name: string): Promise<BotRow | undefined> {
  return db.one(statements.findBot, [organizationId, name]);
}

export async function insertBot(
  tx: Transaction,
  bot: { id: string; name: string; scopes: readonly Scope[] },
): Promise<void> {
  await tx.query(statements.insertBot, [bot.id, bot.name, bot.scopes]);
}

export async function setScopes(tx: Transaction, id: string, scopes: readonly Scope[]): Promise<void> {
  await tx.query(statements.setScopes, [id, scopes]);
}

export async function deleteBots(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx.query(statements.deleteBots, [ids]);
}
