/**
 * The keys by which SSH clients know this instance: made on first need, in `DATA_DIR/ssh`, the same for all of its servers.
 * Files are in OpenSSH's format, so an operator who moves here may put those of the old host in their place.
 */
import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, unlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import ssh2, { type ParsedKey } from "ssh2";
import { fingerprintOf, publicHalf } from "./key-text.ts";

export interface SshHostKey {
  /** `ssh-ed25519` or `ssh-rsa`. */
  kind: string;
  /** As in `known_hosts`, after the host's name. */
  publicKey: string;
  /** `SHA256:…` */
  fingerprint: string;
}

export interface SshHostKeys {
  /** Best first. */
  shown: SshHostKey[];
  keys: ParsedKey[];
}

const generate = promisify(ssh2.utils.generateKeyPair) as (
  type: "ed25519" | "rsa",
  options: { bits?: number },
) => Promise<{ private: string }>;

/** The library drops zeros at the beginning of the public half, one key in 256, and cannot read what it has then written. */
export async function makeEd25519Key(): Promise<{ private: string }> {
  const made = await generate("ed25519", {});
  return ssh2.utils.parseKey(made.private) instanceof Error ? makeEd25519Key() : made;
}

const kinds = [
  { file: "host_ed25519_key", make: makeEd25519Key },
  // For clients that know no other.
  { file: "host_rsa_key", make: () => generate("rsa", { bits: 3072 }) },
];

/** Null where SSH is not served. Safe to call from several processes at once: all end with the same keys. */
export async function loadHostKeys(config: {
  dataDir: string;
  sshPort: number | undefined;
}): Promise<SshHostKeys | null> {
  if (config.sshPort === undefined) return null;
  const keys = await Promise.all(
    kinds.map(async ({ file, make }) => {
      const path = join(config.dataDir, "ssh", file);
      const key = ssh2.utils.parseKey(await readOrMake(path, make));
      if (key instanceof Error || !key.isPrivateKey())
        throw new Error(`${path} does not hold a private key in OpenSSH's format`);
      return key;
    }),
  );
  return { shown: keys.map(show), keys };
}

async function readOrMake(path: string, make: () => Promise<{ private: string }>): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  await writeFile(draft, `${(await make()).private.trim()}\n`, { mode: 0o600, flush: true });
  // A link never replaces a file, so the first of several processes wins and no reader sees half a key.
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await unlink(draft);
  return readFile(path, "utf8");
}

function show(key: ParsedKey): SshHostKey {
  const publicKey = publicHalf(key);
  return { kind: key.type, publicKey, fingerprint: fingerprintOf(publicKey) };
}
