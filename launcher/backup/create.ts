/**
 * Backs up a running instance. The database first, then the keyring, the repositories and the objects: what a row names was there
 * before it, so in the copy it is there too; what came after the rows is found by the repair at the first start.
 */
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { keyringName } from "@forgeline/keyring/keyring-file.ts";
import type { LauncherConfig } from "../config.ts";
import { pathsIn, runningLauncher, type HomePaths, type HomeSecrets } from "../home.ts";
import type { InstancePorts } from "../instance-ports.ts";
import { checkout } from "../server-processes.ts";
import { backUpDatabase } from "./database.ts";
import { currentBackupKey, keyringSettings } from "./backup-key.ts";
import { signManifest, type Manifest } from "./manifest.ts";
import { backUpAuditPoints, backUpObjects } from "./objects.ts";
import { createThrottle } from "./throttle.ts";
import { backUpRepositories } from "./repositories.ts";
import { sealedName, sealHome } from "./sealed-home.ts";
import { openWriter, type BackupWriter } from "./writer.ts";

export interface BackupOptions {
  config: LauncherConfig;
  /** A directory that does not exist yet. */
  place: string;
  /** An older backup on the same file system, with which unchanged files are shared. */
  previous?: string | undefined;
  /** 0 for as fast as it goes. */
  bytesPerSecond: number;
  signal: AbortSignal;
  say(text: string): void;
}

/** Rejects with a sentence, and nothing is left, when it cannot be finished. */
export async function createBackup(options: BackupOptions): Promise<{ manifest: Manifest; linked: number }> {
  const paths = pathsIn(options.config.home);
  const place = resolve(options.place);
  if (!relative(paths.root, place).startsWith(".."))
    throw new Error(`${place} is inside ${paths.root}: choose a directory outside it`);
  if (!(await runningLauncher(paths)))
    throw new Error(
      `no instance runs in ${paths.root}: start it ("npm start"), or copy the whole directory while it is stopped`,
    );
  const pace = createThrottle(options.bytesPerSecond, options.signal);
  const writer = await openWriter({ place, pace, previous: options.previous && resolve(options.previous) });
  try {
    const manifest = await writeAll(options, paths, writer);
    return { manifest, linked: writer.totals().linked };
  } catch (error) {
    await writer.discard();
    options.signal.throwIfAborted();
    throw inWords(error as NodeJS.ErrnoException, place);
  }
}

async function writeAll(
  { config, say }: BackupOptions,
  paths: HomePaths,
  writer: BackupWriter,
): Promise<Manifest> {
  const startedAt = new Date();
  const keyring = keyringSettings(config, paths);
  const key = await currentBackupKey(keyring);
  await writer.add([await writer.write(sealedName, await sealHome(paths, key), 0o600)]);
  await backUpAuditPoints(paths.objects, writer);
  say("copying the database");
  const database = await backUpDatabase(await superuserUrl(paths), writer);
  // After the database, which must not contain a value whose key is not here.
  await writer.add([await writer.write(keyringName, await readFile(keyring.keyring), 0o600)]);
  say("copying repositories");
  const repositories = await backUpRepositories(join(paths.data, "repositories"), writer);
  say("copying objects");
  await backUpObjects(paths.objects, writer);
  const { files, bytes } = writer.totals();
  const manifest = signManifest(
    {
      format: 2,
      id: randomBytes(8).toString("hex"),
      started_at: startedAt.toISOString(),
      database_at: database.at.toISOString(),
      finished_at: new Date().toISOString(),
      forgeline_version: await versionOf(checkout),
      newest_migration: database.newestMigration,
      postgres_major: database.major,
      platform: `${process.platform}-${process.arch}`,
      repositories,
      files,
      bytes,
      list_sha256: await writer.closeList(),
    },
    key,
  );
  await writer.finish(manifest);
  return manifest;
}

async function superuserUrl(paths: HomePaths): Promise<(database: string) => string> {
  const read = async <T>(name: string) => JSON.parse(await readFile(join(paths.root, name), "utf8")) as T;
  const { postgres } = await read<HomeSecrets>("secrets.json");
  const ports = await read<InstancePorts>("ports.json");
  return (database) => `postgres://postgres:${postgres.superuser}@127.0.0.1:${ports.postgres}/${database}`;
}

async function versionOf(directory: string): Promise<string> {
  return (JSON.parse(await readFile(join(directory, "package.json"), "utf8")) as { version: string }).version;
}

function inWords(error: NodeJS.ErrnoException, place: string): Error {
  if (error.code === "ENOSPC" || error.code === "EDQUOT")
    return new Error(`there is no space left for ${place}; nothing of the backup was kept`, { cause: error });
  return error;
}
