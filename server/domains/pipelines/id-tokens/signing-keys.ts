/**
 * The keys that sign identity tokens. Services that verify tokens keep the public keys for a while, so a new key is published a day
 * before it signs, and an old one stays published for a day after its last token. Administrators can replace it at once.
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
  /** All that there are, newest first. */
  list(): Promise<store.SigningKey[]>;
  /** Makes a key that signs from now on, and answers its id; two at once make two. */
  replace(tx: Transaction, how: { withdrawEarlier: boolean }): Promise<string>;
  /** Makes the next key when the newest has signed for 90 days, and removes those that nobody needs any more. */
  rotate(now?: Date): Promise<void>;
  encrypted: EncryptedValues;
  upkeepTasks: readonly UpkeepTask[];
}

/** The one that signs, of keys of which the newest comes first. The clock of another server may be behind the newest's. */
export function currentOf(keys: readonly store.SigningKey[], now = new Date()): store.SigningKey | undefined {
  const usable = keys.filter(isPublished);
  return usable.find(({ current_from: from }) => from <= now) ?? usable.at(-1);
}

function isPublished({ withdrawn_at: withdrawnAt }: store.SigningKey): boolean {
  return withdrawnAt === null;
}

export function createSigningKeys(db: Database, encryption: Encryption): SigningKeys {
  async function make() {
    const id = newId("idk");
    const { publicKey, privateKey } = await generateKeyPair(signingAlgorithm, { extractable: true });
    const sealed = encryption.encrypt(id, await exportPKCS8(privateKey));
    return {
      id,
      sealed,
      publicKey: { ...(await exportJWK(publicKey)), kid: id, alg: signingAlgorithm, use: "sig" },
    };
  }

  /** Those that are published; makes the instance's first one. */
  async function published(tx: Transaction): Promise<store.SigningKey[]> {
    const keys = (await store.list(tx)).filter(isPublished);
    if (keys.length > 0) return keys;
    await store.insertIfNoneAfter(tx, { ...(await make()), currentFrom: new Date() }, null);
    return (await store.list(tx)).filter(isPublished);
  }

  async function rotate(now = new Date()): Promise<void> {
    await store.removeReplaced(db, new Date(now.getTime() - dayMs));
    const newest = (await store.list(db)).find(isPublished);
    if (!newest || now.getTime() - newest.current_from.getTime() < lifetimeMs) return;
    const next = { ...(await make()), currentFrom: new Date(now.getTime() + dayMs) };
    await db.transaction((tx) => store.insertIfNoneAfter(tx, next, newest.current_from));
  }

  return {
    algorithm: signingAlgorithm,
    async currentId(tx) {
      const current = currentOf(await published(tx));
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
    publicKeys: () => db.transaction(async (tx) => (await published(tx)).map(({ public_key: key }) => key)),
    list: () => store.list(db),
    async replace(tx, { withdrawEarlier }) {
      const key = await make();
      await store.insertCurrent(tx, key, withdrawEarlier);
      return key.id;
    },
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
