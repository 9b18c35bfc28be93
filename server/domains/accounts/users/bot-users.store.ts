/** Rows of `users` that are bots of organizations. */
import type { Queryable } from "../../../platform/db/database.ts";
import { defineStatements } from "../../../platform/db/statement.ts";
import type { BotUsersRows } from "./bot-users.rows.ts";

export const statements = defineStatements<BotUsersRows>({
  insertBotUser: `insert into users (id, username, display_name, type, organization_id) values ($1, $2, $3, 'bot', $4)`,
  changeBotUser: `update users set display_name = coalesce($2, display_name), updated_at = now() where id = $1`,
  retireBotUsers: `
    update users set suspended = true, organization_id = null, updated_at = now()
    where organization_id = $1 and ($2::text is null or id = $2) returning id`,
});

export async function insertBotUser(
  tx: Queryable,
  bot: { id: string; username: string; displayName: string; organizationId: string },
): Promise<void> {
  await tx.query(statements.insertBotUser, [bot.id, bot.username, bot.displayName, bot.organizationId]);
}

export async function changeBotUser(
  tx: Queryable,
  id: string,
  change: { displayName?: string | undefined },
): Promise<void> {
  await tx.query(statements.changeBotUser, [id, change.displayName ?? null]);
}

/** Suspends one bot of the organization, or all, and removes them from it. Returns their ids. */
export async function retireBotUsers(
  tx: Queryable,
  { organizationId, id }: { organizationId: string; id?: string | undefined },
): Promise<string[]> {
  const retired = await tx.query(statements.retireBotUsers, [organizationId, id ?? null]);
  return retired.map((row) => row.id);
}
