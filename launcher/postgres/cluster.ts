/**
 * The embedded PostgreSQL cluster of one instance: made once, started as a supervised process, listening on
 * loopback only. Holds our database and Temporal's two, so that there is one thing to back up.
 */
import { chown, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import pg from "pg";
import { run } from "../run.ts";
import { supervise, type ProcessObserver, type SupervisedProcess } from "../supervisor.ts";
import { waitFor } from "../wait-for.ts";
import type { PostgresPrograms } from "./programs.ts";

export interface PostgresSecrets {
  superuser: string;
  owner: string;
  app: string;
  temporal: string;
}

export interface PostgresCluster {
  process: SupervisedProcess;
  port: number;
  /** Connection address of a role to a database. */
  url(role: "superuser" | "owner" | "app", database: string): string;
}

export interface ClusterOptions {
  programs: PostgresPrograms;
  dataDirectory: string;
  port: number;
  secrets: PostgresSecrets;
  observer: ProcessObserver;
  /** Beside the usual ones, which they replace. */
  settings?: Readonly<Record<string, string>>;
  /** Default: a minute. */
  readyWithinMs?: number | undefined;
  /** Ends the start; rejects with its reason, and nothing runs. */
  signal?: AbortSignal | undefined;
}

const roleNames = { superuser: "postgres", owner: "forgeline_owner", app: "forgeline_app" } as const;

export async function startCluster(options: ClusterOptions): Promise<PostgresCluster> {
  await initialise(options);
  await removeStalePidFile(options.dataDirectory);
  const { programs } = options;
  const process = supervise({
    name: "postgresql",
    command: programs.postgres,
    args: [
      "-D",
      options.dataDirectory,
      "-p",
      String(options.port),
      ...Object.entries({ ...settings, ...options.settings }).flatMap(([k, v]) => ["-c", `${k}=${v}`]),
    ],
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8", TZ: "UTC" },
    cwd: "/",
    ...(programs.uid === undefined ? {} : { uid: programs.uid }),
    ...(programs.gid === undefined ? {} : { gid: programs.gid }),
    stopTimeoutMs: 20_000,
    stopSignal: "SIGINT",
    killSignal: "SIGQUIT",
    observer: options.observer,
  });
  const url = (role: keyof typeof roleNames, database: string) =>
    `postgres://${roleNames[role]}:${options.secrets[role]}@127.0.0.1:${options.port}/${database}`;
  try {
    await waitFor(() => postgresAnswers(options.port, options.secrets.superuser), {
      what: "PostgreSQL's start",
      timeoutMs: options.readyWithinMs ?? 60_000,
      signal: options.signal,
    });
    await ensureRolesAndDatabases(url("superuser", "postgres"), options.secrets);
  } catch (error) {
    await process.stop();
    throw error;
  }
  return { process, port: options.port, url };
}

const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "300",
  shared_buffers: "256MB",
  max_wal_size: "2GB",
  wal_compression: "on",
  jit: "off",
  log_min_messages: "warning",
  password_encryption: "scram-sha-256",
};

async function initialise({ programs, dataDirectory, secrets, signal }: ClusterOptions): Promise<void> {
  if (
    await stat(join(dataDirectory, "PG_VERSION")).then(
      () => true,
      () => false,
    )
  )
    return;
  // A directory without PG_VERSION is what an interrupted initdb left.
  await rm(dataDirectory, { recursive: true, force: true });
  // PostgreSQL's user must pass through the parent; the cluster itself stays closed.
  await mkdir(dirname(dataDirectory), { recursive: true, mode: 0o755 });
  await mkdir(dataDirectory, { mode: 0o700 });
  const passwordFile = `${dataDirectory}.password`;
  await writeFile(passwordFile, secrets.superuser, { mode: 0o600 });
  if (programs.uid !== undefined && programs.gid !== undefined)
    for (const path of [dataDirectory, passwordFile]) await chown(path, programs.uid, programs.gid);
  const args = [
    "-D",
    dataDirectory,
    "-U",
    "postgres",
    "--auth=scram-sha-256",
    `--pwfile=${passwordFile}`,
    "--encoding=UTF8",
    "--locale=C.UTF-8",
    "--data-checksums",
  ];
  try {
    await run(programs.initdb, args, {
      signal,
      cwd: "/",
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8" },
      ...(programs.uid === undefined ? {} : { uid: programs.uid }),
      ...(programs.gid === undefined ? {} : { gid: programs.gid }),
    });
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/** After a power cut the file may name a process that is now somebody else's. */
async function removeStalePidFile(dataDirectory: string): Promise<void> {
  const path = join(dataDirectory, "postmaster.pid");
  const pid = Number((await readFile(path, "utf8").catch(() => "")).split("\n")[0]);
  if (!pid) return;
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  if (!command.includes("postgres")) await rm(path, { force: true });
}

/** Rejects while the server is not there. */
export async function postgresAnswers(port: number, password: string): Promise<true> {
  const client = new pg.Client({
    host: "127.0.0.1",
    port,
    user: roleNames.superuser,
    password,
    database: "postgres",
    connectionTimeoutMillis: 2000,
  });
  client.on("error", () => undefined);
  await client.connect();
  await client.end();
  return true;
}

async function ensureRolesAndDatabases(url: string, secrets: PostgresSecrets): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const [role, password] of [
      ["forgeline_owner", secrets.owner],
      ["forgeline_app", secrets.app],
      ["temporal", secrets.temporal],
    ] as const) {
      const known = await client.query("select 1 from pg_roles where rolname = $1", [role]);
      if (!known.rowCount)
        await client.query(`create role ${role} login password ${client.escapeLiteral(password)}`);
    }
    await client.query("alter role temporal createdb");
    const known = await client.query("select 1 from pg_database where datname = 'forgeline'");
    if (!known.rowCount) await client.query("create database forgeline owner forgeline_owner");
  } finally {
    await client.end();
  }
}
