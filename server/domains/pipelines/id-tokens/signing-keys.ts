/**
 * The keys that sign identity tokens. Services that verify tokens keep the public keys for a while, so a new key is published a day
 * before it signs, and an old one stays published for a day after its last token.
 */
import { CompactSign, exportJWK, exportPKCS8, generateKeyPair, importPKCS8, type JWK } from "jose";
import type { Database, Queryable, Transaction } from "../../../platform/db/database.ts";
import { newId } from "../../../platform/ids.ts";
import { encryptedValues, type EncryptedValues } from "../../../platform/keys/encrypted-values.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import type { UpkeepTask } from "../../../platform/upkeep-task.ts";
import * as store from "./id-token-keys.store.ts";

/** The one algorithm that every cloud accepts. Its signatures are the same each time, so a token can be made again. */
const signingAlgorithm = "RS256";
const dayMs = 24 * 60 * 60 * 1000;
const lifetimeMs = 90 * dayMs;
const everyMs = 6 * 60 * 60 * 1000;

export interface SigningKeys {
  algorithm: string;
  /** Id of the key that signs now; makes the instance's first one. */
  currentId(tx: Transaction): Promise<string>;
  /** A compact JWS over exactly each of these texts; undefined where the key is not kept any more. */
  sign(within: Queryable, keyId: string, claims: readonly string[]): Promise<string[] | undefined>;
  /** Of every key whose tokens may be valid, or will be. */
  publicKeys(): Promise<JWK[]>;
  /** Makes the next key when the newest has signed for 90 days, and removes those that nobody needs any more. */
  rotate(now?: Date): Promise<void>;
  encrypted: EncryptedValues;
  upkeepTasks: readonly UpkeepTask[];
}

export function createSigningKeys(db: Database, encryption: Encryption): SigningKeys {
  async function make(tx: Transaction, currentFrom: Date, after: Date | null): Promise<void> {
    const id = newId("idk");
    const { publicKey, privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
    const sealed = encryption.encrypt(id, await exportPKCS8(privateKey));
    const jwk = { ...(await exportJWK(publicKey)), kid: id, alg: signingAlgorithm, use: "sig" };
    await store.insertIfNoneAfter(tx, { id, sealed, publicKey: jwk, currentFrom }, after);
  }

  async function list(tx: Transaction): Promise<store.SigningKey[]> {
    const keys = await store.list(tx);
    if (keys.length > 0) return keys;
    await make(tx, new Date(), null);
    return store.list(tx);
  }

  async function rotate(now = new Date()): Promise<void> {
    await store.removeReplaced(db, new Date(now.getTime() - dayMs));
    const [newest] = await store.list(db);
    if (!newest || now.getTime() - newest.current_from.getTime() < lifetimeMs) return;
    const next = new Date(now.getTime() + dayMs);
    await db.transaction((tx) => make(tx, next, newest.current_from));
  }

  return {
    algorithm: signingAlgorithm,
    async currentId(tx) {
      const keys = await list(tx);
      const now = new Date();
      const current = keys.find(({ current_from: from }) => from <= now) ?? keys.at(-1);
      if (!current) throw new Error("the key that was made is not there");
      return current.id;
    },
    async sign(within, keyId, claims) {
      const key = (await store.list(within)).find(({ id }) => id === keyId);
      if (!key) return undefined;
      const pem = encryption.decrypt(key.id, key.sealed_private_key);
      const privateKey = await importPKCS8(pem, signingAlgorithm);
      const header = { alg: signingAlgorithm, typ: "JWT", kid: key.id };
      const sign = (text: string) =>
        new CompactSign(new TextEncoder().encode(text)).setProtectedHeader(header).sign(privateKey);
      return Promise.all(claims.map(sign));
    },
    publicKeys: () => db.transaction(async (tx) => (await list(tx)).map(({ public_key: key }) => key)),
    rotate,
    encrypted: encryptedValues({
      count: store.countByKey,
      lock: store.lockOfOtherKeys,
      replace: store.replaceSealed,
      again: ({ id, sealed_private_key: sealed }) => ({ id, sealed: encryption.again(id, sealed) }),
    }),
    upkeepTasks: [{ name: "rotate_id_token_keys", everyMs, run: () => rotate() }],
  };
}
