/**
 * The embedded PostgreSQL as it is at one moment, ours and Temporal's databases together, while it works: its files as they
 * are found, and the log from the beginning to the end of the copying, which makes them one state when it is replayed.
 */
import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Entry } from "./entry.ts";
import { walFilesBetween } from "./wal-files.ts";
import type { BackupWriter } from "./writer.ts";

export interface DatabaseState {
  major: number;
  /** Of the state that a restore brings back. */
  at: Date;
  newestMigration: string;
}

/** Keeps the log from being removed while we copy, and two backups from running at once: it goes with our connection. */
const slotName = "forgeline_backup";

/** Empty in a running cluster's copy: PostgreSQL fills them at its start. */
const emptied = new Set([
  "pg_wal",
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
]);
const leftOut =
  /^(postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?|pg_internal\.init.*|pgsql_tmp.*|t\d+_\d+.*|current_logfiles.*)$/;

export async function backUpDatabase(
  url: (database: string) => string,
  writer: BackupWriter,
): Promise<DatabaseState> {
  const client = new pg.Client({ connectionString: url("postgres"), keepAlive: true });
  // A connection that breaks shows at the next question.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await reserveLog(client);
    const { directory, major, segmentBytes } = await factsOf(client);
    const first = await begin(client);
    await writer.add([await writer.directory("postgresql", 0o700)]);
    await copyDirectory(writer, directory, "");
    await copyControlFile(writer, directory);
    const end = await finish(client);
    await writer.add([await writer.write("postgresql/backup_label", Buffer.from(end.label), 0o600)]);
    await copyLog(writer, directory, { names: walFilesBetween(first, end.last, segmentBytes), segmentBytes });
    return { major, at: end.at, newestMigration: await newestMigration(url("forgeline")) };
  } finally {
    await client.end();
  }
}

async function reserveLog(client: pg.Client): Promise<void> {
  try {
    await client.query("select pg_create_physical_replication_slot($1, true, true)", [slotName]);
  } catch (error) {
    if ((error as { code?: string }).code === "42710")
      throw new Error("another backup of this instance is in progress", { cause: error });
    throw error;
  }
}

async function factsOf(client: pg.Client) {
  const { rows } = await client.query<{ directory: string; version: number; segment: string }>(
    `select current_setting('data_directory') as directory, current_setting('server_version_num')::int as version,
       pg_size_bytes(current_setting('wal_segment_size'))::text as segment`,
  );
  const [row] = rows;
  if (!row) throw new Error("PostgreSQL does not tell where its files are");
  const spaces = await readdir(join(row.directory, "pg_tblspc"));
  if (spaces.length > 0) {
    const [space = ""] = spaces;
    const place = await readlink(join(row.directory, "pg_tblspc", space)).catch(() => space);
    throw new Error(
      `PostgreSQL keeps tables outside its directory (${place}), which a backup does not reach`,
    );
  }
  return {
    directory: row.directory,
    major: Math.floor(row.version / 10_000),
    segmentBytes: Number(row.segment),
  };
}

/** The log file with which the copy begins. A checkpoint at once is short here; a spread one takes minutes. */
async function begin(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ first: string }>(
    "select pg_walfile_name(pg_backup_start('forgeline', true)) as first",
  );
  return rows[0]?.first ?? "";
}

/** From here on, the copy and the log up to this point are one state. The log's last file is closed by this. */
async function finish(client: pg.Client): Promise<{ label: string; last: string; at: Date }> {
  const { rows } = await client.query<{ label: string; spaces: string; last: string; at: Date }>(
    `select s.labelfile as label, coalesce(s.spcmapfile, '') as spaces, pg_walfile_name(s.lsn) as last, clock_timestamp() as at
     from pg_backup_stop(false) s`,
  );
  const [row] = rows;
  if (!row || row.spaces !== "") throw new Error("PostgreSQL did not finish the backup properly");
  return row;
}

/** Tables that are dropped meanwhile vanish under our hands: the log tells of that too. */
async function copyDirectory(writer: BackupWriter, root: string, below: string): Promise<void> {
  const entries: Entry[] = [];
  const found = await readdir(join(root, below), { withFileTypes: true }).catch(ignoreAbsent);
  for (const item of found ?? []) {
    const path = below === "" ? item.name : `${below}/${item.name}`;
    if (leftOut.test(item.name) || path === controlFile) continue;
    if (item.isDirectory()) {
      await writer.add([await writer.directory(`postgresql/${path}`, 0o700)]);
      if (!emptied.has(path)) await copyDirectory(writer, root, path);
    } else if (item.isFile()) {
      const copied = await writer.copy(join(root, path), `postgresql/${path}`);
      if (copied) entries.push(copied);
    }
  }
  await writer.add(entries);
}

const controlFile = "global/pg_control";

/** Written over in place: read until two readings agree. */
async function copyControlFile(writer: BackupWriter, root: string): Promise<void> {
  const path = join(root, controlFile);
  for (let before = await readFile(path); ;) {
    await sleep(5);
    const now = await readFile(path);
    if (now.equals(before)) {
      await writer.add([await writer.write(`postgresql/${controlFile}`, now, 0o600)]);
      return;
    }
    before = now;
  }
}

/** Throws when a file of the log is not there or not whole: without it the copy is worth nothing. */
async function copyLog(
  writer: BackupWriter,
  root: string,
  { names, segmentBytes }: { names: readonly string[]; segmentBytes: number },
): Promise<void> {
  await writer.add([await writer.directory("postgresql/pg_wal/archive_status", 0o700)]);
  for (const name of names) {
    const copied = await writer.copy(join(root, "pg_wal", name), `postgresql/pg_wal/${name}`);
    if (copied?.size !== segmentBytes)
      throw new Error(`PostgreSQL's log file ${name}, which the backup needs, is missing or incomplete`);
    await writer.add([copied]);
  }
}

async function newestMigration(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      "select name from schema_migrations order by name desc limit 1",
    );
    return rows[0]?.name ?? "";
  } finally {
    await client.end();
  }
}

function ignoreAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
