/**
 * Restores a backup into an empty home. Every file is compared with its hash on the way; what is not whole is found, and
 * nothing is left then. The first start afterwards brings database, repositories and objects together (`after-restore.ts`).
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { chmod, chown, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import {
  claimHome,
  openHome,
  pathsIn,
  releaseHome,
  runningLauncher,
  writeJson,
  type HomePaths,
} from "../home.ts";
import { keyringName } from "@forgeline/keyring/keyring-file.ts";
import type { WrappingSettings } from "@forgeline/keyring/wrapping-keys.ts";
import { findPostgresPrograms } from "../postgres/programs.ts";
import { checkout } from "../server-processes.ts";
import { pendingRepair, unfinishedRestore } from "../after-restore.ts";
import { run } from "../run.ts";
import { copyFile } from "./copy-file.ts";
import { listName, readEntries, type Entry, type FileEntry } from "./entry.ts";
import { keysOfBackup } from "./backup-key.ts";
import { assertRestorable, proveManifest, readManifest, type Manifest } from "./manifest.ts";
import { createThrottle, type Throttle } from "./throttle.ts";
import { unsealHome, sealedName } from "./sealed-home.ts";
import { syncTree } from "./writer.ts";

export interface RestoreOptions {
  backup: string;
  home: string;
  /** Where the wrapping keys of the instance that was backed up are. A file among them becomes that of the home. */
  wrapping: WrappingSettings;
  signal: AbortSignal;
}

/** Rejects with a sentence, and leaves the home empty, when the backup cannot be restored here. */
export async function restoreBackup({ backup, home, wrapping, signal }: RestoreOptions): Promise<Manifest> {
  const manifest = await readManifest(backup);
  const key = proveManifest(manifest, await keysOfBackup(backup, wrapping));
  await proveList(backup, manifest);
  const programs = await findPostgresPrograms();
  assertRestorable(manifest, {
    postgresMajor: majorIn(await run(programs.postgres, ["--version"])),
    platform: `${process.platform}-${process.arch}`,
    migrations: await readdir(join(checkout, "server/platform/db/migrations")),
  });
  const paths = await emptyHome(home);
  await claimHome(paths);
  try {
    await writeFile(join(paths.root, unfinishedRestore), "", { mode: 0o600 });
    await copyAll(backup, paths, createThrottle(0, signal));
    await giveToPostgres(paths.postgresql, programs);
    await unsealHome(paths, await readFile(join(backup, sealedName)), key);
    await copyKeyFile(wrapping.file, paths);
    await writeJson(paths, pendingRepair, { backup: manifest.id, database_at: manifest.database_at });
    for (const place of [paths.root, dirname(paths.postgresql)]) await syncTree(place);
    await rm(join(paths.root, unfinishedRestore));
  } catch (error) {
    await wipe(paths);
    signal.throwIfAborted();
    throw inWords(error as NodeJS.ErrnoException, paths);
  }
  await releaseHome(paths);
  return manifest;
}

/** Without one, the key is in the environment or asked for by a program. */
async function copyKeyFile(file: string, paths: HomePaths): Promise<void> {
  const text = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text) await writeFile(join(paths.data, "instance.key"), text, { mode: 0o600 });
}

function majorIn(version: string): number {
  return Number(/(\d+)/.exec(version)?.[1]);
}

async function proveList(backup: string, manifest: Manifest): Promise<void> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(join(backup, listName)), hash);
  if (hash.digest("hex") !== manifest.list_sha256)
    throw new Error(`the backup is damaged: ${listName} was changed`);
}

/** What a restore that was killed left is no content. Refuses any other. */
async function emptyHome(root: string): Promise<HomePaths> {
  const names = await readdir(root).catch((): string[] => []);
  if (names.includes(unfinishedRestore) && !(await runningLauncher(pathsIn(root))))
    await wipe(await openHome(root));
  else if (names.length > 0) throw new Error(`${root} is not empty: restore into an empty home`);
  const paths = await openHome(root);
  const there = await readdir(paths.postgresql).catch((): string[] => []);
  if (there.length > 0) {
    await rm(root, { recursive: true, force: true });
    throw new Error(
      `${paths.postgresql} holds a database of an instance that had this home: move it away, or restore into another home`,
    );
  }
  return paths;
}

async function wipe(paths: HomePaths): Promise<void> {
  await rm(paths.postgresql, { recursive: true, force: true });
  for (const name of await readdir(paths.root))
    await rm(join(paths.root, name), { recursive: true, force: true });
}

async function copyAll(backup: string, paths: HomePaths, pace: Throttle): Promise<void> {
  await mkdir(dirname(paths.postgresql), { recursive: true, mode: 0o755 });
  const made = new Set<string>();
  for await (const entry of readEntries(join(backup, listName))) {
    const target = targetOf(paths, entry.path);
    if (target === undefined) await proveFile(backup, entry);
    else if ("directory" in entry) await mkdir(target, { recursive: true, mode: entry.mode });
    else {
      const parent = dirname(target);
      if (!made.has(parent)) await mkdir(parent, { recursive: true, mode: 0o700 });
      made.add(parent);
      await copyProved({ backup, entry, target, pace });
    }
  }
}

/** Undefined for what is not copied as it is. */
function targetOf(paths: HomePaths, path: string): string | undefined {
  if (path === keyringName) return join(paths.data, keyringName);
  const [top = "", ...rest] = path.split("/");
  const roots: Record<string, string> = {
    postgresql: paths.postgresql,
    repositories: join(paths.data, "repositories"),
    objects: paths.objects,
  };
  const root = roots[top];
  return root === undefined ? undefined : join(root, ...rest);
}

async function copyProved(copy: {
  backup: string;
  entry: FileEntry;
  target: string;
  pace: Throttle;
}): Promise<void> {
  const { backup, entry, target, pace } = copy;
  const copied = await copyFile(join(backup, entry.path), target, pace);
  if (copied?.sha256 !== entry.sha256) throw damaged(entry.path, copied === undefined);
  await chmod(target, entry.mode);
}

async function proveFile(backup: string, entry: Entry): Promise<void> {
  if ("directory" in entry) return;
  const bytes = await readFile(join(backup, entry.path)).catch(() => undefined);
  const sha256 = bytes && createHash("sha256").update(bytes).digest("hex");
  if (sha256 !== entry.sha256) throw damaged(entry.path, bytes === undefined);
}

function damaged(path: string, missing: boolean): Error {
  return new Error(`the backup is damaged: ${path} ${missing ? "is missing" : "is not what was written"}`);
}

/** As root, PostgreSQL runs as another user. */
async function giveToPostgres(
  directory: string,
  { uid, gid }: { uid?: number; gid?: number },
): Promise<void> {
  if (uid === undefined || gid === undefined) return;
  await chown(directory, uid, gid);
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    if ((await stat(path)).isDirectory()) await giveToPostgres(path, { uid, gid });
    else await chown(path, uid, gid);
  }
}

function inWords(error: NodeJS.ErrnoException, paths: HomePaths): Error {
  if (error.code === "ENOSPC" || error.code === "EDQUOT")
    return new Error(`there is no space left for ${paths.root}; it was left empty`, { cause: error });
  return error;
}
