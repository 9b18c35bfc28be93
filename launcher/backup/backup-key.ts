/** The key by which a backup is sealed and signed: derived from a data key of the instance, whose keyring is in the backup. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { currentKey, deriveKey } from "@forgeline/keyring/data-key.ts";
import { decryptBytes, encryptBytes } from "@forgeline/keyring/encrypted-bytes.ts";
import { keyringName, parseKeyring, readKeyring } from "@forgeline/keyring/keyring-file.ts";
import { openKeyring, type KeyringSettings } from "@forgeline/keyring/open-keyring.ts";
import { readFirstKey, readWrappingKeys, type WrappingSettings } from "@forgeline/keyring/wrapping-keys.ts";
import type { LauncherConfig } from "../config.ts";
import type { HomePaths } from "../home.ts";
import { checkout } from "../server-processes.ts";

export interface BackupKey {
  /** Proves a text, to whoever has the key. */
  sign(text: string): string;
  proves(text: string, signature: string): boolean;
  seal(bytes: Buffer): Buffer;
  /** Throws when it was sealed with another key, or changed. */
  open(sealed: Buffer): Buffer;
}

/** How an instance of this home finds its keys: as its server does. */
export function keyringSettings({ inherited }: LauncherConfig, paths: HomePaths): KeyringSettings {
  const named = inherited["FORGELINE_KEY_FILE"];
  return {
    keyring: join(paths.data, keyringName),
    file: named ? resolve(checkout, named) : join(paths.data, "instance.key"),
    environment: inherited["FORGELINE_KEY"],
    program: inherited["FORGELINE_KEY_PROGRAM"],
  };
}

/** Of the instance as it is now. */
export async function currentBackupKey(settings: KeyringSettings): Promise<BackupKey> {
  const { keys } = await openKeyring(settings);
  return backupKey(currentKey(keys, new Date()).bytes);
}

/**
 * The keys that may have sealed the backup in this directory. Rejects with a sentence when they cannot be opened with what is
 * given.
 */
export async function keysOfBackup(directory: string, settings: WrappingSettings): Promise<BackupKey[]> {
  const text = await readKeyring(join(directory, keyringName));
  if (text === undefined) return keyBeforeKeyrings(settings.file);
  const wrapping = await readWrappingKeys(settings);
  if (!wrapping) throw new Error(`the key file cannot be read: ${settings.file} does not exist`);
  const keys = await parseKeyring(text, wrapping).catch((error: Error) => {
    throw new Error(`this is not the key file of the instance that was backed up (${error.message})`, {
      cause: error,
    });
  });
  return keys.map(({ bytes }) => backupKey(bytes));
}

/** Older backups have no keyring: what is in the key file sealed them. */
async function keyBeforeKeyrings(file: string): Promise<BackupKey[]> {
  await readFile(file).catch((error: Error) => {
    throw new Error(`the key file cannot be read: ${error.message}`, { cause: error });
  });
  const first = await readFirstKey(file);
  if (!first) throw new Error(`${file} is empty`);
  return [backupKey(first)];
}

export function backupKey(bytes: Buffer): BackupKey {
  const signing = deriveKey(bytes, "backup manifest");
  const sealing = deriveKey(bytes, "backup seal");
  const sign = (signed: string) => createHmac("sha256", signing).update(signed).digest("hex");
  return {
    sign,
    proves(signed, signature) {
      const [ours, given] = [Buffer.from(sign(signed)), Buffer.from(signature)];
      return ours.length === given.length && timingSafeEqual(ours, given);
    },
    seal: (content) => encryptBytes(sealing, "", content),
    open: (sealed) => decryptBytes(sealing, "", sealed),
  };
}
