/** What a database holds, as one text, to see that a refused request changed nothing. */
import pg from "pg";
import type { TestDatabase } from "./database.ts";

/** Written by reading, or by what runs in the background. */
const restlessTables = [
  "audit_heads",
  "audit_links",
  "audit_pending",
  // What commits of merge requests fix, which is read when branches are compared.
  "merge_request_commit_closings",
  "outbox",
  "rate_limit_windows",
  "repository_maintenance",
  "repository_measurements",
  "schema_migrations",
  "server_heartbeats",
  "server_uptime",
];
const restlessColumns = [
  "last_used_at",
  "last_used_ip",
  "last_seen_at",
  "heartbeat_at",
  "size_kb",
  // Of merge queues, which servers look at.
  "leased_until",
  "looks",
  // Of merge requests, whose branches are compared, and whose runs are made.
  "due_at",
  "tried",
  // Of threads, which follow the code.
  "current_path",
  "current_line",
  "current_start_line",
  "current_sha",
  "is_outdated",
  "check_due_at",
  "looked_at",
  "mergeability",
  "merge_base_sha",
  "target_sha",
];

export interface DatabaseState {
  /** Table → digest of its rows. */
  read(): Promise<Record<string, string>>;
  /** Names of the tables that differ from when this was last asked. */
  changed(): Promise<string[]>;
  close(): Promise<void>;
}

/** `without`: further tables that are of no interest. */
export async function databaseState(
  database: TestDatabase,
  without: readonly string[] = [],
): Promise<DatabaseState> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  // Asked hundreds of times for tables of a few rows: planning them anew and starting helpers costs more than reading.
  await client.query("set max_parallel_workers_per_gather = 0; set plan_cache_mode = force_generic_plan");
  const tables = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> all ($1) order by 1`,
    [[...restlessTables, ...without]],
  );
  const digests = tables.rows.map(
    ({ name }) =>
      `select '${name}' as name, md5(coalesce(string_agg(row, '|' order by row), '')) as digest
       from (select (to_jsonb(t) - $1::text[])::text as row from "${name}" t) rows`,
  );
  async function read(): Promise<Record<string, string>> {
    const { rows } = await client.query<{ name: string; digest: string }>({
      name: "read",
      text: digests.join(" union all "),
      values: [restlessColumns],
    });
    return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
  }

  let last = await read();
  return {
    read,
    async changed() {
      const before = last;
      last = await read();
      return Object.keys(last).filter((name) => last[name] !== before[name]);
    },
    close: () => client.end(),
  };
}
