/** OpenPGP keys and signatures, by the library. It is loaded where the first of them comes, since few people use them. */
import type { Key, PublicKey } from "openpgp";
import { dropInvalid } from "./own-signatures.ts";

export interface OpenPgpKey {
  /** Of the primary key: hexadecimal, lower case. */
  fingerprint: string;
  /** Of the primary key and its subkeys, as signatures name them. */
  keyIds: string[];
  /** In its user ids, as whoever made the key wrote them. */
  emails: string[];
  /** Null: never. */
  expiresAt: Date | null;
  revoked: boolean;
  /** Armored. */
  publicKey: string;
}

/** With a message for the sender. */
export class OpenPgpKeyProblem extends Error {}

const keyStart = "-----BEGIN PGP PUBLIC KEY BLOCK-----";
const maxKeyIds = 50;
const maxUserIds = 50;
const maxEmails = 20;
/** Of the key about itself. */
const maxSignatures = 50;
/** Of clocks that differ. */
const toleranceMs = 600_000;

const load = () => import("openpgp");

/** Throws `OpenPgpKeyProblem`. */
export async function readOpenPgpKey(armored: string): Promise<OpenPgpKey> {
  const { readKeys } = await load();
  if (armored.includes("PRIVATE KEY BLOCK"))
    throw new OpenPgpKeyProblem(
      "This is a private key. Send the public one: gpg --armor --export. Make a new key if the private one may be known now.",
    );
  const keys = await readKeys({ armoredKeys: armored }).catch(() => []);
  const [key] = keys;
  if (!key || key.isPrivate())
    throw new OpenPgpKeyProblem("This is not an OpenPGP public key as gpg --armor --export writes it.");
  if (keys.length > 1 || armored.split(keyStart).length > 2)
    throw new OpenPgpKeyProblem("Send one key at a time.");
  return describe(key);
}

async function describe(key: Key): Promise<OpenPgpKey> {
  const keyIds = [...new Set(key.getKeyIDs().map((id) => id.toHex()))];
  if (keyIds.length > maxKeyIds || key.users.length > maxUserIds)
    throw new OpenPgpKeyProblem(
      `The key has more than ${maxKeyIds - 1} subkeys or ${maxUserIds} user ids: export it with --export-options export-minimal.`,
    );
  // What others say of the key is not looked at.
  for (const user of key.users) user.otherCertifications = [];
  const costs = await costOf(key);
  if (costs !== undefined) throw new OpenPgpKeyProblem(costs);
  await dropInvalid(key);
  const publicKey = key.armor();
  const revoked = await key.isRevoked();
  const expires = await key.getExpirationTime().catch(() => null);
  // Without a valid signature of its own it has no such time.
  if (expires === null && !revoked)
    throw new OpenPgpKeyProblem("The key has no valid user id, so nothing can be signed with it.");
  return {
    fingerprint: key.getFingerprint(),
    keyIds,
    emails: emailsIn(key.users.map(({ userID }) => userID?.email ?? "")),
    expiresAt: expires instanceof Date ? expires : null,
    revoked,
    publicKey,
  };
}

/** Why using the key would hold up others; undefined: it would not. Looks at packets alone, and verifies none of them. */
async function costOf(key: Key): Promise<string | undefined> {
  const { enums } = await load();
  if (key.toPacketList().filterByTag(enums.packet.signature).length > maxSignatures)
    return `The key has more than ${maxSignatures} signatures of its own: export it with --export-options export-minimal.`;
  const slow = key
    .getKeys()
    .map((each) => each.getAlgorithmInfo().algorithm)
    .find((name) => slowAlgorithms.has(name));
  return (
    slow && `The key or a subkey is of the kind ${slow}, which is not accepted: use Ed25519, ECDSA or RSA.`
  );
}

/** The library computes them in JavaScript, in the only thread. */
const slowAlgorithms: ReadonlySet<string> = new Set(["ed448", "x448", "dsa"]);

function emailsIn(found: readonly string[]): string[] {
  const storable = found.filter((email) => /^[^\p{C}\s]{1,254}$/u.test(email));
  return [...new Set(storable)].slice(0, maxEmails);
}

/** The key that an armored signature names; undefined where it cannot be read, or there are several. */
export async function keyIdOfSignature(armored: Buffer): Promise<string | undefined> {
  const { readSignature } = await load();
  const signature = await readSignature({ armoredSignature: armored.toString("latin1") }).catch(
    () => undefined,
  );
  const ids = signature?.getSigningKeyIDs() ?? [];
  return ids.length === 1 ? ids[0]!.toHex() : undefined;
}

export type OpenPgpVerdict = "valid" | "expired_key" | "revoked_key" | "invalid";

export interface OpenPgpSignature {
  armored: Buffer;
  payload: Buffer;
}

/**
 * Judges signatures by one key, which has to have been valid when a signature says that it was made. What the key says of itself is
 * checked once, however many there are. Never throws.
 */
export function createOpenPgpJudge(
  armoredKey: string,
): (signature: OpenPgpSignature) => Promise<OpenPgpVerdict> {
  let parsed: Promise<PublicKey> | undefined;
  return async ({ armored, payload }) => {
    const { createMessage, readKey, readSignature, verify } = await load();
    try {
      parsed ??= readKey({ armoredKey }).then(affordable);
      const result = await verify({
        message: await createMessage({ binary: new Uint8Array(payload) }),
        signature: await readSignature({ armoredSignature: armored.toString("latin1") }),
        verificationKeys: await parsed,
        format: "binary",
        date: new Date(Date.now() + toleranceMs),
      });
      await result.signatures[0]!.verified;
      return result.signatures.length === 1 ? "valid" : "invalid";
    } catch (error) {
      const { message } = error as Error;
      if (/\brevoked\b/i.test(message)) return "revoked_key";
      return /\bexpired\b/i.test(message) ? "expired_key" : "invalid";
    }
  };
}

/** Of a key that was added before this was looked at. Throws for one that is refused now. */
async function affordable(key: PublicKey): Promise<PublicKey> {
  const costs = await costOf(key);
  if (costs !== undefined) throw new OpenPgpKeyProblem(costs);
  await dropInvalid(key);
  return key;
}
