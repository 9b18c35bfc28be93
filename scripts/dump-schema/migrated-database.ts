import pg from "pg";
import { migrate } from "@forgeline/server/platform/db/migrate.ts";
import { testDatabase } from "../../test/support/database.ts";

/** Works in a database of its own on the test bed's PostgreSQL, with all of today's migrations; it is dropped afterwards. */
export async function inMigratedDatabase<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const database = await testDatabase();
  // A standing bed may have been made before the newest migration was written.
  await migrate(database.ownerUrl);
  const client = new pg.Client({ connectionString: database.ownerUrl });
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
    await database.drop();
  }
}
