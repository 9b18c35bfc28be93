/** Opens an instance's keyring, and makes it on first need. */
import { createHash, randomBytes } from "node:crypto";
import type { DataKey } from "./data-key.ts";
import { createFile, parseKeyring, readKeyring, renderKeyring } from "./keyring-file.ts";
import { readFirstKey, readWrappingKeys, type WrappingKeys, type WrappingSettings } from "./wrapping-keys.ts";

export interface KeyringSettings extends WrappingSettings {
  /** The keyring itself. */
  keyring: string;
}

export interface Keyring {
  /** Newest first, at least one. */
  keys: DataKey[];
  wrapping: WrappingKeys;
}

/**
 * Safe to call from several processes at once: all end with the same keys. Rejects with a sentence that says which setting to
 * check when a key cannot be unwrapped.
 */
export async function openKeyring(settings: KeyringSettings): Promise<Keyring> {
  const text = await readKeyring(settings.keyring);
  if (text === undefined) return makeKeyring(settings);
  const wrapping = await readWrappingKeys(settings);
  if (!wrapping)
    throw new Error(
      `there is no key to open ${settings.keyring}: ${settings.file} is missing, and neither FORGELINE_KEY nor FORGELINE_KEY_PROGRAM is set`,
    );
  return { keys: await parseKeyring(text, wrapping), wrapping };
}

async function makeKeyring(settings: KeyringSettings): Promise<Keyring> {
  const before = await readFirstKey(settings.file);
  const wrapping = await wrappingKeysOf(settings);
  const key = before ? keyBeforeKeyring(before) : newDataKey({ currentFrom: new Date(), rotation: null });
  const text = await createFile(settings.keyring, await renderKeyring([key], wrapping));
  return { keys: await parseKeyring(text, wrapping), wrapping };
}

async function wrappingKeysOf(settings: KeyringSettings): Promise<WrappingKeys> {
  const set = await readWrappingKeys(settings);
  if (set) return set;
  await createFile(settings.file, `${randomBytes(32).toString("base64")}\n`);
  const made = await readWrappingKeys(settings);
  if (!made) throw new Error(`${settings.file} is empty`);
  return made;
}

export function newDataKey(of: { currentFrom: Date; rotation: string | null }): DataKey {
  return {
    ...of,
    id: randomBytes(8).toString("hex"),
    bytes: randomBytes(32),
    createdAt: new Date(),
    marksValues: true,
    wrappedBy: "",
  };
}

/** The only key of an instance that had no keyring, as its values know it. */
export function keyBeforeKeyring(bytes: Buffer): DataKey {
  const id = createHash("sha256").update("forgeline data key").update(bytes).digest("hex").slice(0, 16);
  const since = new Date(0);
  return {
    id,
    bytes,
    createdAt: since,
    currentFrom: since,
    marksValues: false,
    wrappedBy: "",
    rotation: null,
  };
}
