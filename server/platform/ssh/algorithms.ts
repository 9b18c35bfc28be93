/**
 * What we agree to speak: what `ssh-audit` finds no fault with, and of that what costs the server little before somebody
 * has logged in. Exchanges over finite fields are left out for their price (DHEat); SHA-1 and ECDSA host keys for their age.
 */
import type { Algorithms, ParsedKey } from "ssh2";

export const algorithms: Algorithms = {
  kex: ["curve25519-sha256", "curve25519-sha256@libssh.org"],
  cipher: ["aes128-gcm@openssh.com", "aes256-gcm@openssh.com", "aes128-ctr", "aes192-ctr", "aes256-ctr"],
  hmac: ["hmac-sha2-256-etm@openssh.com", "hmac-sha2-512-etm@openssh.com"],
  compress: ["none"],
};

/**
 * The keys under the names of the signatures that we make with them. The library would offer an RSA key also with SHA-1,
 * whatever it is told, but only under the key's own name.
 */
export function hostKeysByAlgorithm(keys: readonly ParsedKey[]): { key: ParsedKey }[] {
  const names = (key: ParsedKey) => (key.type === "ssh-rsa" ? ["rsa-sha2-512", "rsa-sha2-256"] : [key.type]);
  return keys.flatMap((key) => names(key).map((name) => ({ key: underName(key, name) })));
}

function underName(key: ParsedKey, type: string): ParsedKey {
  return Object.create(key, { type: { value: type } }) as ParsedKey;
}
