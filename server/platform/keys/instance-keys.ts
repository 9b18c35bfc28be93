/**
 * The instance's data keys as this process knows them (`docs/architecture/keys.md`). Values and signatures are made with the
 * current key, and read with any. The file is looked at every two seconds, so a key that another process adds is known here
 * before it becomes current.
 */
import { unwatchFile, watchFile } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { currentKey, deriveKey, type DataKey } from "@forgeline/keyring/data-key.ts";
import { renderKeyring, replaceFile } from "@forgeline/keyring/keyring-file.ts";
import { openKeyring, type Keyring, type KeyringSettings } from "@forgeline/keyring/open-keyring.ts";
import type { WrappingPlace } from "@forgeline/keyring/wrapping-keys.ts";
import { tryWithFileLock } from "../file-locks.ts";
import type { Logger } from "../logger.ts";
import { createEncryption, type Encryption } from "./encryption.ts";
import { createSigner, type Signer } from "./signer.ts";

export type EncryptionPurpose =
  | "mail"
  | "two_factor"
  | "sso"
  | "webhook"
  | "mirror"
  | "push_mirror"
  | "import"
  | "audit_stream"
  | "pipeline_secret"
  | "id_token"
  | "job_signing";
export type SigningPurpose =
  | "audit"
  | "audit_export"
  | "lfs"
  | "work_cursor"
  | "log_ticket"
  | "shell_ticket"
  | "notification_mail";
type Purpose =
  | EncryptionPurpose
  | SigningPurpose
  | "job_token"
  | "etag"
  | "recovery_code"
  | "push_certificate"
  | "commit_signing";

export interface InstanceKeys {
  encryption(purpose: EncryptionPurpose): Encryption;
  signer(purpose: SigningPurpose): Signer;
  /** Keys of 32 bytes for this purpose: the current one first, then all others. */
  derived(purpose: Purpose): readonly [Buffer, ...Buffer[]];
  /** Of the key that the instance had before it had a keyring; undefined where there is none, or none any more. */
  beforeKeyring(purpose: Purpose): Buffer | undefined;
  /** Newest first. */
  all(): readonly DataKey[];
  current(): DataKey;
  /** Where the key that wrapped this one is; null if this process does not have it. */
  placeOf(key: DataKey): WrappingPlace | null;
  /**
   * Replaces the keyring by what `edit` makes of it, for all processes, one at a time. Each key is wrapped with the first
   * wrapping key, as the settings and the key file are now.
   */
  change(edit: (keys: readonly DataKey[]) => readonly DataKey[]): Promise<void>;
  /** False since the file has changed and could not be read; it is tried again. */
  isReadable(): boolean;
  close(): void;
}

const lookEveryMs = 2_000;
const againMs = 5_000;
const lockWaitMs = 50;

/** Rejects with a sentence when the keyring cannot be opened. */
export async function openInstanceKeys(settings: KeyringSettings, logger: Logger): Promise<InstanceKeys> {
  const held = await holdKeyring(settings, logger);
  const keysFor = createDerivation();
  const current = () => currentKey(held.keyring().keys, new Date());
  const derived = (purpose: Purpose): readonly [Buffer, ...Buffer[]] => {
    const first = current();
    const others = held.keyring().keys.filter((key) => key !== first);
    return [keysFor(first, purpose), ...others.map((key) => keysFor(key, purpose))];
  };
  return {
    encryption: (purpose) =>
      createEncryption({
        current,
        all: () => held.keyring().keys,
        bytesOf: (key) => keysFor(key, purpose),
      }),
    signer: (purpose) => createSigner(() => derived(purpose)),
    derived,
    beforeKeyring(purpose) {
      const key = held.keyring().keys.find(({ marksValues }) => !marksValues);
      return key && keysFor(key, purpose);
    },
    all: () => held.keyring().keys,
    current,
    placeOf: (key) => held.keyring().wrapping.placeOf(key.wrappedBy),
    change: held.change,
    isReadable: held.isReadable,
    close: held.close,
  };
}

/** Keeps what the file says; while it cannot be read, what it said before. */
async function holdKeyring(settings: KeyringSettings, logger: Logger) {
  let keyring: Keyring = await openKeyring(settings);

  let isClosed = false;
  let isReadable = true;

  async function reload(): Promise<void> {
    try {
      keyring = await openKeyring(settings);
      isReadable = true;
    } catch (error) {
      isReadable = false;
      logger.error({ error: (error as Error).message }, "the keyring cannot be read; trying again");
      await delay(againMs, undefined, { ref: false });
      if (!isClosed) await reload();
    }
  }
  const onChange = () => void reload();
  watchFile(settings.keyring, { interval: lookEveryMs, persistent: false }, onChange);

  async function change(edit: (keys: readonly DataKey[]) => readonly DataKey[]): Promise<void> {
    const done = await tryWithFileLock(`${settings.keyring}.lock`, async () => {
      const { keys, wrapping } = await openKeyring(settings);
      await replaceFile(settings.keyring, await renderKeyring(edit(keys), wrapping));
      keyring = await openKeyring(settings);
      return true;
    });
    if (done) return;
    await delay(lockWaitMs);
    await change(edit);
  }

  function close(): void {
    isClosed = true;
    unwatchFile(settings.keyring, onChange);
  }

  return { keyring: () => keyring, isReadable: () => isReadable, change, close };
}

/** Derives each key once. */
function createDerivation(): (key: DataKey, purpose: Purpose) => Buffer {
  const known = new Map<string, Buffer>();
  return (key, purpose) => {
    const name = `${key.id} ${purpose}`;
    const bytes = known.get(name) ?? deriveKey(key.bytes, purpose);
    known.set(name, bytes);
    return bytes;
  };
}
