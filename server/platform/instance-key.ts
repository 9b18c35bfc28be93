/**
 * The instance's secret key: 32 random bytes in a file of mode 0600, made on first need, shared by all servers and
 * workers of the instance, never in the database or a backup. Keys for each purpose are derived from it.
 */
import { hkdfSync, randomBytes } from "node:crypto";
import { link, mkdir, readFile, unlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

export interface InstanceKey {
  /** 32 bytes, always the same for the same purpose. */
  derive(
    purpose:
      | "etag"
      | "job_token"
      | "mail"
      | "two_factor"
      | "recovery_code"
      | "audit"
      | "lfs"
      | "sso"
      | "push_certificate"
      | "work_cursor"
      | "log_ticket"
      | "webhook",
  ): Buffer;
}

/** Safe to call from several processes at once: all end with the same key. */
export async function loadInstanceKey(file: string): Promise<InstanceKey> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return makeKey(file);
    throw error;
  });
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== 32) throw new Error(`${file} does not hold a key of this instance`);
  return { derive: (purpose) => Buffer.from(hkdfSync("sha256", key, "", `forgeline ${purpose}`, 32)) };
}

async function makeKey(file: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  await writeFile(draft, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600, flush: true });
  // A link never replaces a file, so the first of several processes wins and no reader sees half a key.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await unlink(draft);
  return readFile(file, "utf8");
}
