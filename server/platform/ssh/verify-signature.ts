/**
 * Whether a signature of an SSH login was made with the key. Plain keys are the library's; those that a security key
 * holds (`sk-`) it does not know, so they are ours.
 */
import { createHash, createPublicKey, verify, type KeyObject } from "node:crypto";
import ssh2 from "ssh2";
import { readFields } from "./read-fields.ts";

export interface SignedLogin {
  /** Kind of the key, as its blob begins. */
  kind: string;
  /** `authorized_keys` form, without comment. */
  publicKey: string;
  /** Of RSA signatures, which say it beside the key. */
  hashAlgo: string | undefined;
  /** Without the name of its algorithm; of plain ECDSA keys in ASN.1. */
  signature: Buffer;
  /** What was signed. */
  blob: Buffer;
}

export function signatureIsValid(login: SignedLogin): boolean {
  if (login.kind.startsWith("sk-")) return securityKeySigned(login);
  // SHA-1 is what an RSA key signs with when nothing else is said.
  if (login.kind === "ssh-rsa" && login.hashAlgo !== "sha256" && login.hashAlgo !== "sha512") return false;
  const key = ssh2.utils.parseKey(login.publicKey);
  return !(key instanceof Error) && key.verify(login.blob, login.signature, login.hashAlgo) === true;
}

/** Somebody touched the security key. */
const userPresent = 0x01;
/** Flags, and the count of signatures so far. */
const tailBytes = 5;

/**
 * A security key signs the hash of the application's name, its flags, its counter, and the hash of what is to be signed
 * (OpenSSH's PROTOCOL.u2f).
 */
function securityKeySigned({ kind, publicKey, signature, blob }: SignedLogin): boolean {
  const fields = readFields(Buffer.from(publicKey.split(" ")[1] ?? "", "base64"));
  const application = fields?.at(-1);
  if (!fields || !application || signature.length <= tailBytes) return false;
  const tail = signature.subarray(-tailBytes);
  if ((tail[0]! & userPresent) === 0) return false;
  const signed = Buffer.concat([sha256(application), tail, sha256(blob)]);
  const body = signature.subarray(0, -tailBytes);
  if (kind === "sk-ssh-ed25519@openssh.com")
    return body.length === 64 && verify(null, signed, ed25519Key(fields[1]!), body);
  const numbers = readFields(body)?.map((number) => fixedWidth(number, 32));
  if (numbers?.length !== 2 || !numbers[0] || !numbers[1]) return false;
  const key = { key: p256Key(fields[2]!), dsaEncoding: "ieee-p1363" } as const;
  return verify("sha256", signed, key, Buffer.concat([numbers[0], numbers[1]]));
}

function ed25519Key(point: Buffer): KeyObject {
  return createPublicKey({
    format: "jwk",
    key: { kty: "OKP", crv: "Ed25519", x: point.toString("base64url") },
  });
}

/** `point` is uncompressed: 4, x, y. */
function p256Key(point: Buffer): KeyObject {
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  return createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x: x!, y: y! } });
}

function sha256(data: Buffer): Buffer {
  return createHash("sha256").update(data).digest();
}

/** A positive number of at most `width` bytes, filled up in front. */
function fixedWidth(number: Buffer, width: number): Buffer | undefined {
  const bare = number[0] === 0 ? number.subarray(1) : number;
  if (bare.length > width) return undefined;
  return Buffer.concat([Buffer.alloc(width - bare.length), bare]);
}
