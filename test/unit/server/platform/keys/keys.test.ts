/** Encrypted values and signatures across keys: marks, old keys, records that cannot be exchanged. */
import { describe, expect, it } from "vitest";
import { keyBeforeKeyring, newDataKey } from "@forgeline/keyring/open-keyring.ts";
import { deriveKey, type DataKey } from "@forgeline/keyring/data-key.ts";
import { createEncryption } from "@forgeline/server/platform/keys/encryption.ts";
import { createSigner } from "@forgeline/server/platform/keys/signer.ts";

const oldest = keyBeforeKeyring(Buffer.alloc(32, 1));
const [older, newest] = [1, 2].map((day) =>
  newDataKey({ currentFrom: new Date(Date.UTC(2026, 0, day)), rotation: null }),
) as [DataKey, DataKey];

/** The first key encrypts. */
const encryptionOf = (...keys: [DataKey, ...DataKey[]]) =>
  createEncryption({
    current: () => keys[0],
    all: () => keys,
    bytesOf: ({ bytes }) => deriveKey(bytes, "mail"),
  });

describe("an encrypted value", () => {
  it("begins with its key's id, except with the key from before the keyring", () => {
    const marked = encryptionOf(newest).encrypt("a", "text");
    expect(marked.toString("hex", 0, 8)).toBe(newest.id);
    expect(marked.includes("text")).toBe(false);
    const plain = encryptionOf(oldest).encrypt("a", "text");
    expect(plain).toHaveLength(marked.length - 8);
  });

  it("is read with its own key, whichever is current", () => {
    for (const key of [oldest, older, newest]) {
      const value = encryptionOf(key).encrypt("a", "täxt");
      expect(encryptionOf(newest, older, oldest).decrypt("a", value)).toBe("täxt");
      const again = encryptionOf(newest, older, oldest).again("a", value);
      expect(encryptionOf(newest).decrypt("a", again)).toBe("täxt");
    }
  });

  it("is not read for another record, changed, or without its key", () => {
    const value = encryptionOf(older).encrypt("a", "text");
    expect(() => encryptionOf(older).decrypt("b", value)).toThrow("unable to authenticate");
    for (let at = 0; at < value.length; at += 1) {
      const changed = Buffer.from(value);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(() => encryptionOf(older, newest, oldest).decrypt("a", changed)).toThrow(
        "unable to authenticate",
      );
    }
    expect(() => encryptionOf(newest).decrypt("a", value)).toThrow("not in the keyring");
    for (const short of [Buffer.alloc(0), value.subarray(0, 8), value.subarray(0, 20)])
      expect(() => encryptionOf(older, oldest).decrypt("a", short)).toThrow(
        /unable to authenticate|[Ii]nvalid/,
      );
  });
});

describe("a signature", () => {
  const signerOf = (...bytes: [number, ...number[]]) =>
    createSigner(() => bytes.map((byte) => Buffer.alloc(32, byte)) as [Buffer, ...Buffer[]]);

  it("is made with the first key, and proved by any", () => {
    const signature = signerOf(1).sign("what", "ever");
    expect(signerOf(2, 1).proves(signature, 32, "whatever")).toBe(true);
    expect(signerOf(2, 1).sign("whatever")).toEqual(signerOf(2).sign("whatever"));
    expect(signerOf(2).proves(signature, 32, "whatever")).toBe(false);
    expect(signerOf(1).proves(signature, 32, "whatever!")).toBe(false);
  });

  it("is proved by as many bytes as are asked for, not fewer", () => {
    const signature = signerOf(1).sign("text");
    expect(signerOf(1).proves(signature.subarray(0, 16), 16, "text")).toBe(true);
    expect(signerOf(1).proves(signature.subarray(0, 16), 32, "text")).toBe(false);
    expect(signerOf(1).proves(Buffer.alloc(0), 16, "text")).toBe(false);
  });
});
