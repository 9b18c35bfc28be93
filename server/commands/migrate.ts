/** `migrate`: brings the database to this version's schema, as the owner role; prints what it applied as JSON. */
import type { Config } from "../config/config.ts";
import { migrate } from "../platform/db/migrate.ts";

export async function runMigrations(config: Config): Promise<void> {
  if (!config.database.ownerUrl) throw new Error("FORGELINE_OWNER_DATABASE_URL is required");
  const applied = await migrate(config.database.ownerUrl.reveal());
  process.stdout.write(`${JSON.stringify({ applied })}\n`);
}
