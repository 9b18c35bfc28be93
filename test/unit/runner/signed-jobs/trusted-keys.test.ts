import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseTrustedKeys, readTrustedKeys } from "@forgeline/runner/signed-jobs/trusted-keys.ts";

const key = Buffer.alloc(32, 7).toString("base64");
let directory: string;
beforeAll(async () => void (directory = await mkdtemp(join(tmpdir(), "forgeline-keys-"))));
afterAll(() => rm(directory, { recursive: true }));

test("keys are read from a file with comments, or from the setting itself", async () => {
  const file = join(directory, "keys");
  await writeFile(file, `# ours\n\ned25519 ${key}\n  ed25519 ${key} acme/app acme/* # theirs\n`);
  expect((await readTrustedKeys(file)).map(({ repositories }) => repositories)).toEqual([
    [],
    ["acme/app", "acme/*"],
  ]);
  expect(await readTrustedKeys(`ed25519 ${key} acme/app, ed25519 ${key}`)).toHaveLength(2);
});

test("a setting that would let no job or any job run is refused by name", async () => {
  const empty = join(directory, "empty");
  await writeFile(empty, "# none yet\n");
  await expect(readTrustedKeys(empty)).rejects.toThrow("contains no key");
  await expect(readTrustedKeys(join(directory, "missing"))).rejects.toThrow("cannot be read (ENOENT)");
});

test.each([
  [`rsa ${key}`, "is not a kind of key"],
  ["ed25519", "32 bytes"],
  ["ed25519 AAAA", "32 bytes"],
  [`ed25519 ${key.slice(0, -1)}`, "32 bytes"],
  [`ed25519 ${key} acme`, '"acme" is neither'],
  [`ed25519 ${key} */app`, '"*/app" is neither'],
])("%s is not a line of keys", (line, problem) => {
  expect(() => parseTrustedKeys(`\n${line}`)).toThrow(
    new RegExp(`line 2: .*${problem.replaceAll(/[*]/g, "\\*")}`),
  );
});
