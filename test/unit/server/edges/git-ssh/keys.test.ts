import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ssh2 from "ssh2";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadHostKeys, makeEd25519Key } from "@forgeline/server/platform/ssh/host-keys.ts";
import { signatureIsValid } from "@forgeline/server/platform/ssh/verify-signature.ts";

describe("host keys", () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "forgeline-host-keys-"));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it("are made once, whoever asks first, and readable by their owner only", async () => {
    const all = await Promise.all([1, 2, 3].map(() => loadHostKeys({ dataDir, sshPort: 0 })));
    const again = await loadHostKeys({ dataDir, sshPort: 22 });
    expect(again?.shown.map(({ kind }) => kind)).toEqual(["ssh-ed25519", "ssh-rsa"]);
    for (const each of all) expect(each?.shown).toEqual(again?.shown);
    expect(await readdir(join(dataDir, "ssh"))).toEqual(["host_ed25519_key", "host_rsa_key"]);
    for (const file of await readdir(join(dataDir, "ssh")))
      expect((await stat(join(dataDir, "ssh", file))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, "ssh"))).mode & 0o777).toBe(0o700);
  });

  it("can be read again, each of them", async () => {
    for (let round = 0; round < 20; round++)
      for (const key of await Promise.all(Array.from({ length: 100 }, () => makeEd25519Key())))
        expect(ssh2.utils.parseKey(key.private)).not.toBeInstanceOf(Error);
  });

  it("are not made where SSH is not served, and never replaced when they cannot be read", async () => {
    expect(await loadHostKeys({ dataDir, sshPort: undefined })).toBeNull();
    await expect(readdir(join(dataDir, "ssh"))).rejects.toThrow("ENOENT");
    await loadHostKeys({ dataDir, sshPort: 0 });
    await writeFile(join(dataDir, "ssh", "host_ed25519_key"), "damaged");
    await expect(loadHostKeys({ dataDir, sshPort: 0 })).rejects.toThrow("does not hold a private key");
  });
});

describe("signatures of RSA keys", () => {
  const pair = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "pkcs1", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const parsed = ssh2.utils.parseKey(pair.privateKey);
  if (parsed instanceof Error) throw parsed;
  const publicKey = `ssh-rsa ${parsed.getPublicSSH().toString("base64")}`;
  const blob = Buffer.from("signed");
  const valid = (signedWith: string, said: string | undefined) =>
    signatureIsValid({
      kind: "ssh-rsa",
      publicKey,
      hashAlgo: said,
      signature: sign(signedWith, blob, createPrivateKey(pair.privateKey)),
      blob,
    });

  it("count with SHA-2, and never with SHA-1", () => {
    expect([valid("sha256", "sha256"), valid("sha512", "sha512")]).toEqual([true, true]);
    expect([valid("sha1", undefined), valid("sha1", "sha1"), valid("sha1", "sha256")]).toEqual([
      false,
      false,
      false,
    ]);
    expect([valid("sha256", "sha512"), valid("sha256", undefined)]).toEqual([false, false]);
  });
});
