/** What a backup says of itself, and what is refused before anything is restored. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  backupKey,
  currentBackupKey,
  keysOfBackup,
  type BackupKey,
} from "@forgeline/launcher/backup/backup-key.ts";
import {
  assertRestorable,
  proveManifest,
  readManifest,
  signManifest,
  type ManifestContent,
} from "@forgeline/launcher/backup/manifest.ts";

const content: ManifestContent = {
  format: 1,
  id: "0123456789abcdef",
  started_at: "2026-11-21T10:00:00.000Z",
  database_at: "2026-11-21T10:00:01.000Z",
  finished_at: "2026-11-21T10:00:02.000Z",
  forgeline_version: "0.1.0",
  newest_migration: "0076_found_refs.sql",
  postgres_major: 18,
  platform: "linux-x64",
  repositories: 1,
  files: 2,
  bytes: 3,
  list_sha256: "ab",
};
const here = { postgresMajor: 18, platform: "linux-x64", migrations: [content.newest_migration] };

let directory: string;
let key: BackupKey;

const keyOf = (byte: number): BackupKey => backupKey(Buffer.alloc(32, byte));

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-manifest-"));
  key = keyOf(1);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function reread(manifest: unknown) {
  await writeFile(join(directory, "manifest.json"), JSON.stringify(manifest));
  return readManifest(directory);
}

describe("a manifest", () => {
  it("is proved by the key that signed it", async () => {
    const manifest = await reread(signManifest(content, key));
    expect(() => proveManifest(manifest, [keyOf(3), key])).not.toThrow();
    expect(() => assertRestorable(manifest, here)).not.toThrow();
  });

  it("tells another key from a changed manifest", async () => {
    const manifest = signManifest(content, key);
    const other = keyOf(2);
    expect(() => proveManifest(manifest, [other])).toThrow("not the key file of the instance");
    for (const change of [{ list_sha256: "cd" }, { files: 3 }, { newest_migration: "0001_main_job.sql" }])
      expect(() => proveManifest({ ...manifest, ...change }, [key])).toThrow("signature does not match");
  });

  it("is refused where it is absent, cut, or of another format", async () => {
    await expect(readManifest(directory)).rejects.toThrow("not a complete backup");
    await expect(reread({ format: 3, whatever: true })).rejects.toThrow("has format 3");
    await expect(reread({ format: 1 })).rejects.toThrow("is damaged");
    await writeFile(join(directory, "manifest.json"), '{"format":');
    await expect(readManifest(directory)).rejects.toThrow("is damaged");
  });

  it("is refused by another PostgreSQL, machine, or older version", () => {
    const manifest = signManifest(content, key);
    expect(() => assertRestorable(manifest, { ...here, postgresMajor: 19 })).toThrow(
      "the backup uses PostgreSQL 18, but this version of Forgeline includes 19",
    );
    expect(() => assertRestorable(manifest, { ...here, platform: "darwin-arm64" })).toThrow(
      "is of linux-x64",
    );
    expect(() => assertRestorable(manifest, { ...here, migrations: ["0001_main_job.sql"] })).toThrow(
      "newer version of Forgeline",
    );
  });
});

it("a file that holds no key is refused", async () => {
  const file = join(directory, "short.key");
  await writeFile(file, "c2hvcnQ=");
  await expect(keysOfBackup(directory, { file })).rejects.toThrow("must hold keys of 32 bytes");
  await expect(keysOfBackup(directory, { file: join(directory, "absent") })).rejects.toThrow(
    "cannot be read",
  );
});

it("a backup from before keyrings is opened by what is in the key file", async () => {
  const file = join(directory, "instance.key");
  await writeFile(file, Buffer.alloc(32, 1).toString("base64"));
  const manifest = signManifest(content, key);
  expect(proveManifest(manifest, await keysOfBackup(directory, { file })).sign("a")).toBe(key.sign("a"));
});

it("a backup is opened by its keyring, however its key is wrapped, and by no other key", async () => {
  const [file, keyring] = [join(directory, "instance.key"), join(directory, "keyring.json")];
  const ours = await currentBackupKey({ file, keyring });
  const manifest = signManifest({ ...content, format: 2 }, ours);
  const proved = proveManifest(manifest, await keysOfBackup(directory, { file }));
  expect(proved.open(ours.seal(Buffer.from("secret"))).toString()).toBe("secret");
  const environment = await readFile(file, "utf8");
  proveManifest(manifest, await keysOfBackup(directory, { file: "/absent", environment }));
  const other = Buffer.alloc(32, 7).toString("base64");
  await expect(keysOfBackup(directory, { file: "/absent", environment: other })).rejects.toThrow(
    "not the key file of the instance",
  );
});

it("what is sealed opens with the same key only, unchanged", async () => {
  const sealed = key.seal(Buffer.from("secret"));
  expect(sealed.includes("secret")).toBe(false);
  expect(key.open(sealed).toString()).toBe("secret");
  const other = keyOf(2);
  expect(() => other.open(sealed)).toThrow("unable to authenticate");
  const changed = Buffer.from(sealed);
  changed.writeUInt8(changed.readUInt8(30) ^ 1, 30);
  expect(() => key.open(changed)).toThrow("unable to authenticate");
});
