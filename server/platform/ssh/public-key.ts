/**
 * Reads a public key as it stands in a `.pub` file, strictly: what is not exactly one key of a kind that we take, in the one
 * way in which OpenSSH writes it, is refused. So one key has one blob, and one fingerprint.
 */
import { createHash, createPublicKey } from "node:crypto";

export interface SshPublicKey {
  kind: string;
  /** Type and base64, without comment. */
  text: string;
  /** `SHA256:…`, as `ssh-keygen -l` shows it. */
  fingerprint: string;
  comment: string;
}

export class SshKeyProblem extends Error {}

const minRsaBits = 2048;
const maxRsaBits = 16_384;

const curves: Record<string, { crv: string; bytes: number }> = {
  nistp256: { crv: "P-256", bytes: 32 },
  nistp384: { crv: "P-384", bytes: 48 },
  nistp521: { crv: "P-521", bytes: 66 },
};

/** What follows the type in the blob, for each kind of key that we take. */
const bodies: Record<string, (fields: Fields) => void> = {
  "ssh-ed25519": (fields) => ed25519(fields),
  "ecdsa-sha2-nistp256": (fields) => ecdsa(fields, "nistp256"),
  "ecdsa-sha2-nistp384": (fields) => ecdsa(fields, "nistp384"),
  "ecdsa-sha2-nistp521": (fields) => ecdsa(fields, "nistp521"),
  "ssh-rsa": (fields) => rsa(fields),
  "sk-ssh-ed25519@openssh.com": (fields) => {
    ed25519(fields);
    application(fields);
  },
  "sk-ecdsa-sha2-nistp256@openssh.com": (fields) => {
    ecdsa(fields, "nistp256");
    application(fields);
  },
};

/** Throws `SshKeyProblem` with a message for the sender. */
export function parseSshPublicKey(given: string): SshPublicKey {
  const line = given.trim();
  if (line.includes("PRIVATE KEY"))
    throw new SshKeyProblem(
      "This is a private key. Send the .pub file instead, and create a new key: this one is no longer private.",
    );
  if (/[\r\n]/.test(line)) throw new SshKeyProblem("Send one key, on one line.");
  const [, kind = "", base64 = "", comment = ""] = /^(\S+)[ \t]+(\S+)(?:[ \t]+(.*))?$/.exec(line) ?? [];
  const readBody = Object.hasOwn(bodies, kind) ? bodies[kind] : undefined;
  if (!readBody)
    throw new SshKeyProblem(
      "Supported keys are Ed25519, ECDSA, RSA with at least 2048 bits, and security keys; send one line of a .pub file.",
    );
  const blob = Buffer.from(base64, "base64");
  if (blob.toString("base64") !== base64) throw new SshKeyProblem("The key is truncated or damaged.");
  const fields = createFields(blob);
  if (fields.text() !== kind)
    throw new SshKeyProblem("The key does not match the type at the start of its line.");
  readBody(fields);
  fields.end();
  const fingerprint = `SHA256:${createHash("sha256").update(blob).digest("base64").replace(/=+$/, "")}`;
  return { kind, text: `${kind} ${base64}`, fingerprint, comment: comment.trim() };
}

type Fields = ReturnType<typeof createFields>;

/** The blob's members, each with its length before it (RFC 4251, section 5). */
function createFields(blob: Buffer) {
  let offset = 0;
  const damaged = () => new SshKeyProblem("The key is truncated or damaged.");
  const bytes = () => {
    if (offset + 4 > blob.length) throw damaged();
    const length = blob.readUInt32BE(offset);
    const end = offset + 4 + length;
    if (end > blob.length) throw damaged();
    const value = blob.subarray(offset + 4, end);
    offset = end;
    return value;
  };
  return {
    bytes,
    text: () => bytes().toString("latin1"),
    /** A positive number in its shortest form. */
    number() {
      const value = bytes();
      const [first = 0, second = 0] = value;
      if (value.length === 0 || first >= 0x80 || (first === 0 && second < 0x80)) throw damaged();
      return first === 0 ? value.subarray(1) : value;
    },
    end() {
      if (offset !== blob.length) throw damaged();
    },
  };
}

function ed25519(fields: Fields): void {
  if (fields.bytes().length !== 32) throw new SshKeyProblem("An Ed25519 key must have 32 bytes.");
}

function ecdsa(fields: Fields, name: keyof typeof curves): void {
  const curve = curves[name];
  const point = curve && fields.text() === name ? fields.bytes() : undefined;
  if (!curve || point?.[0] !== 4 || point.length !== 1 + 2 * curve.bytes)
    throw new SshKeyProblem("The ECDSA key does not match its curve.");
  const x = point.subarray(1, 1 + curve.bytes).toString("base64url");
  const y = point.subarray(1 + curve.bytes).toString("base64url");
  try {
    createPublicKey({ format: "jwk", key: { kty: "EC", crv: curve.crv, x, y } });
  } catch {
    throw new SshKeyProblem("The ECDSA key is not a point on its curve.");
  }
}

function rsa(fields: Fields): void {
  const exponent = BigInt(`0x${fields.number().toString("hex")}`);
  const modulus = BigInt(`0x${fields.number().toString("hex")}`);
  const bits = modulus.toString(2).length;
  if (bits < minRsaBits)
    throw new SshKeyProblem(`An RSA key must have at least ${minRsaBits} bits; this one has ${bits}.`);
  if (bits > maxRsaBits) throw new SshKeyProblem(`An RSA key can have at most ${maxRsaBits} bits.`);
  if (exponent < 3n || exponent % 2n === 0n || exponent.toString(2).length > 64 || modulus % 2n === 0n)
    throw new SshKeyProblem("This is not a valid RSA key.");
}

/** Security keys sign for one application; for SSH its name begins so. */
function application(fields: Fields): void {
  if (!/^ssh:[\x20-\x7e]{0,200}$/.test(fields.text()))
    throw new SshKeyProblem("The security key's key is not an SSH key.");
}
