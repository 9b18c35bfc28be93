/** What a database holds, so that a test can say that a request changed nothing of it. */
import pg from "pg";

export interface DatabaseContent {
  /** Names of the tables that differ from when this was last asked; rows by their text, in any order. */
  changed(): Promise<string[]>;
}

/** What comes and goes by itself. */
const restless = [
  "audit_heads",
  "audit_links",
  "audit_pending",
  "outbox",
  "repository_measurements",
  "server_heartbeats",
  "server_uptime",
];
const restlessColumns = ["last_used_at", "last_seen_at", "heartbeat_at", "size_kb"];

/** `owner`: connected as the owner of the tables. `without`: further tables that are of no interest. */
export async function watchContent(
  owner: pg.Client,
  without: readonly string[] = [],
): Promise<DatabaseContent> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all($1)
     order by 1`,
    [[...restless, ...without]],
  );
  const sql = tables
    .map(
      ({ name }) =>
        `select '${name}' as name, md5(coalesce(string_agg(j, ',' order by j), '')) as hash
         from (select (to_jsonb(t) - $1::text[])::text as j from ${pg.escapeIdentifier(name)} t) x`,
    )
    .join(" union all ");

  async function read(): Promise<Map<string, string>> {
    const { rows } = await owner.query<{ name: string; hash: string }>(sql, [restlessColumns]);
    return new Map(rows.map(({ name, hash }) => [name, hash]));
  }

  let last = await read();
  return {
    async changed() {
      const now = await read();
      const names = [...now.keys()].filter((name) => now.get(name) !== last.get(name));
      last = now;
      return names;
    },
  };
}
