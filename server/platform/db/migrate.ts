/**
 * Applies `migrations/NNNN_*.sql` in order, each in its own transaction, as the owner role. Safe to run at the
 * same time from many processes: an advisory lock makes the others wait, and then find nothing to do.
 */
import { readdir, readFile } from "node:fs/promises";
import pg from "pg";

const directory = new URL("migrations/", import.meta.url);
/** Any constant number; it only has to be the same in every process. */
const lockKey = 7_310_442;

/** Returns the names of the migrations that this call applied. */
export async function migrate(ownerUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [lockKey]);
    await client.query(
      "create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())",
    );
    await client.query("grant select on schema_migrations to forgeline_app");
    const done = new Set(
      (await client.query<{ name: string }>("select name from schema_migrations")).rows.map((r) => r.name),
    );
    const pending = (await readdir(directory))
      .filter((name) => name.endsWith(".sql") && !done.has(name))
      .sort();
    for (const name of pending) await applyOne(client, name);
    return pending;
  } finally {
    await client.end();
  }
}

async function applyOne(client: pg.Client, name: string): Promise<void> {
  const sql = await readFile(new URL(name, directory), "utf8");
  await client.query("begin");
  try {
    await client.query(sql);
    await client.query("insert into schema_migrations (name) values ($1)", [name]);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw new Error(`migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}
