/** A key of the instance, under which it encrypts and signs. */
import { hkdfSync } from "node:crypto";

export interface DataKey {
  /** 8 bytes in hexadecimal. */
  id: string;
  /** 32. */
  bytes: Buffer;
  createdAt: Date;
  /** New values are made with it from then on, until a newer key takes its place. */
  currentFrom: Date;
  /** Whether its values begin with its id. Those of a key from before the keyring do not. */
  marksValues: boolean;
  /** What wrapped it: `program`, or `local:` and the id of a wrapping key. */
  wrappedBy: string;
  /** The rotation that made it; null for the first. */
  rotation: string | null;
}

/** 32 bytes, always the same for the same key and purpose. */
export function deriveKey(key: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key, "", `forgeline ${purpose}`, 32));
}

/** Newest first; the first is the one that makes new values, even if its time has not come. Throws without any. */
export function currentKey(keys: readonly DataKey[], now: Date): DataKey {
  const [newest] = keys;
  if (!newest) throw new Error("the keyring is empty");
  return keys.find((key) => key.currentFrom <= now) ?? newest;
}
