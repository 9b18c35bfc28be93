/**
 * `manifest.json`: what a backup is, signed with the instance's key. It is written last: a directory without one is no
 * backup.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { BackupKey } from "./backup-key.ts";

export const manifestName = "manifest.json";
/** 1 has no keyring, and is sealed with what is in the key file. */
const formats = [1, 2] as const;

const Content = z.strictObject({
  format: z.literal(formats),
  id: z.string(),
  started_at: z.iso.datetime(),
  /** The state of the database that a restore brings back. */
  database_at: z.iso.datetime(),
  finished_at: z.iso.datetime(),
  forgeline_version: z.string(),
  /** File name of the newest migration that the database has. */
  newest_migration: z.string(),
  postgres_major: z.number().int(),
  /** PostgreSQL's files cannot be carried to another kind of machine. */
  platform: z.string(),
  repositories: z.number().int(),
  files: z.number().int(),
  bytes: z.number().int(),
  list_sha256: z.string(),
});
const Manifest = z.strictObject({ ...Content.shape, key_check: z.string(), signature: z.string() });

export type ManifestContent = z.infer<typeof Content>;
export type Manifest = z.infer<typeof Manifest>;

export function signManifest(content: ManifestContent, key: BackupKey): Manifest {
  const checked = { ...content, key_check: key.sign(keyCheckText(content.id)) };
  return { ...checked, signature: key.sign(canonical(checked)) };
}

/** Throws with a sentence that says why this is no backup that can be restored here. */
export async function readManifest(directory: string): Promise<Manifest> {
  const text = await readFile(join(directory, manifestName), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR")
      throw new Error(`${directory} is not a complete backup: it has no ${manifestName}`, { cause: error });
    throw error;
  });
  const json = parseJson(text);
  const found = z.object({ format: z.number() }).safeParse(json);
  if (found.success && !formats.some((known) => known === found.data.format))
    throw new Error(
      `the backup has format ${found.data.format}, this version of Forgeline supports format ${formats.join(" and ")}: restore it with the version that made it`,
    );
  const parsed = Manifest.safeParse(json);
  if (!parsed.success) throw new Error(`${join(directory, manifestName)} is damaged`);
  return parsed.data;
}

/** The key that sealed it. Throws when they are another instance's keys, or when the manifest was changed. */
export function proveManifest(manifest: Manifest, keys: readonly BackupKey[]): BackupKey {
  const key = keys.find((candidate) => candidate.proves(keyCheckText(manifest.id), manifest.key_check));
  if (!key) throw new Error("this is not the key file of the instance that was backed up");
  const { signature, ...signed } = manifest;
  if (!key.proves(canonical(signed), signature))
    throw new Error(`${manifestName} is damaged: its signature does not match`);
  return key;
}

export interface RestoreTarget {
  postgresMajor: number;
  platform: string;
  /** File names of the migrations that this version knows. */
  migrations: readonly string[];
}

/** Throws with a sentence that says why it cannot be restored by this version on this machine. */
export function assertRestorable(manifest: Manifest, target: RestoreTarget): void {
  if (manifest.postgres_major !== target.postgresMajor)
    throw new Error(
      `the backup uses PostgreSQL ${manifest.postgres_major}, but this version of Forgeline includes ${target.postgresMajor}: restore it with the version that made it (${manifest.forgeline_version}), then upgrade`,
    );
  if (manifest.platform !== target.platform)
    throw new Error(
      `the backup is of ${manifest.platform}, this is ${target.platform}: PostgreSQL's files cannot be moved between platforms`,
    );
  if (!target.migrations.includes(manifest.newest_migration))
    throw new Error(
      `the backup is of a newer version of Forgeline (its database has ${manifest.newest_migration}): restore it with that version`,
    );
}

function keyCheckText(id: string): string {
  return `key of backup ${id}`;
}

/** The same for the same content, whatever the order of its keys. */
function canonical(content: Record<string, unknown>): string {
  return JSON.stringify(Object.entries(content).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
