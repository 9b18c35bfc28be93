/** An Ed25519 key that signs as `ssh-keygen -Y sign -n git` does (OpenSSH's PROTOCOL.sshsig). */
import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";

export interface SshSigningKey {
  /** As `ssh-keygen -l` shows it. */
  fingerprint: string;
  /** Type and base64. */
  publicKey: string;
  /** Armored. */
  sign(text: Buffer): string;
}

const kind = "ssh-ed25519";
const purpose = "git";
const hashName = "sha512";
/** What DER has before the 32 bytes of a private key (RFC 8410). */
const privatePrefix = Buffer.from("302e020100300506032b657004220420", "hex");
const publicBytes = 32;
const lineChars = 70;

/** `seed`: 32 bytes; the same give the same key. */
export function sshSigningKey(seed: Buffer): SshSigningKey {
  const der = Buffer.concat([privatePrefix, seed]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const point = createPublicKey(key).export({ type: "spki", format: "der" }).subarray(-publicBytes);
  const blob = fields([kind, point]);
  const fingerprint = `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`;
  return {
    fingerprint,
    publicKey: `${kind} ${blob.toString("base64")}`,
    sign(text) {
      const about = fields([purpose, "", hashName]);
      const digest = fields([createHash(hashName).update(text).digest()]);
      const signature = sign(null, Buffer.concat([Buffer.from("SSHSIG"), about, digest]), key);
      const head = Buffer.from("SSHSIG\0\0\0\u0001", "latin1");
      return armored(Buffer.concat([head, fields([blob]), about, fields([fields([kind, signature])])]));
    },
  };
}

/** Each with its length before it. */
function fields(members: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat(
    members.flatMap((member) => {
      const bytes = Buffer.from(member);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}

function armored(blob: Buffer): string {
  const lines = blob.toString("base64").match(new RegExp(`.{1,${lineChars}}`, "g")) ?? [];
  return ["-----BEGIN SSH SIGNATURE-----", ...lines, "-----END SSH SIGNATURE-----", ""].join("\n");
}
