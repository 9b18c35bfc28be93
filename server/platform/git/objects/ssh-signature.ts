/** Signatures as `ssh-keygen -Y sign` makes them (OpenSSH's PROTOCOL.sshsig), of every kind of key that logs in here. */
import { createHash } from "node:crypto";
import { parseSshPublicKey, SshKeyProblem } from "../../ssh/public-key.ts";
import { readFields } from "../../ssh/read-fields.ts";
import { signatureIsValid } from "../../ssh/verify-signature.ts";

/**
 * `good`: made with the key of this fingerprint, whoever owns it. `bad`: invalid, or for other content. `unknown_kind`:
 * unknown, because keys of this kind are not supported.
 */
export type SshSignatureVerdict =
  | { verdict: "good" | "unknown_kind"; fingerprint: string }
  | { verdict: "bad" };

export const sshSignatureStart = "-----BEGIN SSH SIGNATURE-----";
const sshSignatureEnd = "-----END SSH SIGNATURE-----";
const magic = "SSHSIG";
const version = 1;
const bad: SshSignatureVerdict = { verdict: "bad" };

/** `purpose` is what it was made for, as `ssh-keygen -n` names it. Never throws. */
export function judgeSshSignature(text: Buffer, armored: Buffer, purpose: string): SshSignatureVerdict {
  const blob = withoutArmour(armored.toString("latin1"));
  const head = magic.length + 4;
  if (!blob || blob.length < head || blob.toString("latin1", 0, magic.length) !== magic) return bad;
  if (blob.readUInt32BE(magic.length) !== version) return bad;
  const [key, namespace, reserved, hash, signature, ...more] = readFields(blob.subarray(head)) ?? [];
  if (!key || !namespace || !reserved || !hash || !signature || more.length > 0) return bad;
  const hashName = hash.toString("latin1");
  if (namespace.toString("latin1") !== purpose || !["sha256", "sha512"].includes(hashName)) return bad;
  const digest = createHash(hashName).update(text).digest();
  const signed = Buffer.concat([Buffer.from(magic), ...[namespace, reserved, hash, digest].map(withLength)]);
  return judge(key, signature, signed);
}

function judge(key: Buffer, signature: Buffer, signed: Buffer): SshSignatureVerdict {
  const kind = readPrefix(key)?.first.toString("latin1") ?? "";
  const algorithm = readPrefix(signature);
  const body = algorithm && readPrefix(algorithm.rest);
  if (!body) return bad;
  const fingerprint = `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;
  try {
    const { text: publicKey } = parseSshPublicKey(`${kind} ${key.toString("base64")}`);
    const name = algorithm.first.toString("latin1");
    const form = formOf(kind, name, body);
    if (!form || !signatureIsValid({ kind, publicKey, ...form, blob: signed })) return bad;
    return { verdict: "good", fingerprint };
  } catch (error) {
    return error instanceof SshKeyProblem ? { verdict: "unknown_kind", fingerprint } : bad;
  }
}

/** The signature as `signatureIsValid` takes it; undefined for an algorithm that the key's kind does not have. */
function formOf(kind: string, algorithm: string, { first, rest }: Prefix) {
  if (kind === "ssh-rsa") {
    const hashAlgo = { "rsa-sha2-256": "sha256", "rsa-sha2-512": "sha512" }[algorithm];
    return hashAlgo && rest.length === 0 ? { hashAlgo, signature: first } : undefined;
  }
  if (algorithm !== kind) return undefined;
  // What a security key adds stands behind the signature proper.
  if (kind.startsWith("sk-")) return { hashAlgo: undefined, signature: Buffer.concat([first, rest]) };
  if (rest.length > 0) return undefined;
  if (!kind.startsWith("ecdsa-")) return { hashAlgo: undefined, signature: first };
  const numbers = readFields(first);
  return numbers?.length === 2 ? { hashAlgo: undefined, signature: inAsn1(numbers) } : undefined;
}

/** Numbers are written alike in SSH and in ASN.1, but for what stands before them. */
function inAsn1(numbers: readonly Buffer[]): Buffer {
  const members = Buffer.concat(numbers.flatMap((each) => [Buffer.from([0x02, each.length]), each]));
  const length = members.length < 128 ? [members.length] : [0x81, members.length];
  return Buffer.concat([Buffer.from([0x30, ...length]), members]);
}

function withoutArmour(text: string): Buffer | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith(sshSignatureStart) || !trimmed.endsWith(sshSignatureEnd)) return undefined;
  const inner = trimmed.slice(sshSignatureStart.length, -sshSignatureEnd.length).replaceAll(/\s/g, "");
  return /^[A-Za-z0-9+/]+=*$/.test(inner) ? Buffer.from(inner, "base64") : undefined;
}

interface Prefix {
  first: Buffer;
  rest: Buffer;
}

/** The first member, which has its length before it, and what follows. */
function readPrefix(bytes: Buffer): Prefix | undefined {
  if (bytes.length < 4) return undefined;
  const end = 4 + bytes.readUInt32BE(0);
  if (end > bytes.length) return undefined;
  return { first: bytes.subarray(4, end), rest: bytes.subarray(end) };
}

function withLength(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
