/** SSH keys as text. */
import { createHash } from "node:crypto";
import ssh2 from "ssh2";

/** Of a private key in OpenSSH's format: as in a `.pub` file, without a comment. Throws for what is no such key. */
export function publicHalf(privateKey: string): string {
  const key = ssh2.utils.parseKey(privateKey);
  if (key instanceof Error) throw key;
  return `${key.type} ${key.getPublicSSH().toString("base64")}`;
}

/** Of a public key such as `ssh-ed25519 AAAA…`: as `ssh-keygen -l` shows it. */
export function fingerprintOf(publicKey: string): string {
  const blob = Buffer.from(publicKey.split(" ")[1] ?? "", "base64");
  return `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`;
}
