/** SSH keys as text. */
import { createHash } from "node:crypto";
import ssh2, { type ParsedKey } from "ssh2";

/** Of a key, or of the text of one in OpenSSH's format: as in a `.pub` file, without a comment. Throws for what is no such text. */
export function publicHalf(given: ParsedKey | string): string {
  const key = typeof given === "string" ? ssh2.utils.parseKey(given) : given;
  if (key instanceof Error) throw key;
  return `${key.type} ${key.getPublicSSH().toString("base64")}`;
}

/** Of a public key such as `ssh-ed25519 AAAA…`: as `ssh-keygen -l` shows it. */
export function fingerprintOf(publicKey: string): string {
  const blob = Buffer.from(publicKey.split(" ")[1] ?? "", "base64");
  return `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`;
}
