/** The instance's secret key as the server keeps it, and what is derived from it for backups. It is in no backup. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { LauncherConfig } from "../config.ts";
import type { HomePaths } from "../home.ts";
import { checkout } from "../server-processes.ts";

export interface BackupKey {
  /** As the file holds it. */
  text: string;
  /** Proves a text, to whoever has the key. */
  sign(text: string): string;
  proves(text: string, signature: string): boolean;
  seal(bytes: Buffer): Buffer;
  /** Throws when it was sealed with another key, or changed. */
  open(sealed: Buffer): Buffer;
}

const ivBytes = 12;
const tagBytes = 16;

/** Where an instance of this home has it. */
export function keyFileOf(config: LauncherConfig, paths: HomePaths): string {
  const named = config.inherited["FORGELINE_KEY_FILE"];
  return named ? resolve(checkout, named) : join(paths.data, "instance.key");
}

export async function readBackupKey(file: string): Promise<BackupKey> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new Error(`the key file cannot be read: ${error.message}`, { cause: error });
  });
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== 32) throw new Error(`${file} is not a key file: it must contain 32 bytes in base64`);
  const derived = (purpose: string) => Buffer.from(hkdfSync("sha256", key, "", `forgeline ${purpose}`, 32));
  const signing = derived("backup manifest");
  const sealing = derived("backup seal");
  const sign = (signed: string) => createHmac("sha256", signing).update(signed).digest("hex");
  return {
    text,
    sign,
    proves(signed, signature) {
      const [ours, given] = [Buffer.from(sign(signed)), Buffer.from(signature)];
      return ours.length === given.length && timingSafeEqual(ours, given);
    },
    seal(bytes) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv("aes-256-gcm", sealing, iv);
      const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
    },
    open(sealed) {
      const decipher = createDecipheriv("aes-256-gcm", sealing, sealed.subarray(0, ivBytes));
      decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]);
    },
  };
}
