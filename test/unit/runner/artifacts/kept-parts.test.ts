/** What a runner keeps of parts: bounded, checked before it is used, and gone when the disk needs room. */
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openKeptParts, type KeptPartsOptions } from "@forgeline/runner/artifacts/kept-parts.ts";
import { sha256Of } from "@forgeline/runner/artifacts/part-hash.ts";

const made: string[] = [];
afterAll(() => made.forEach((path) => rmSync(path, { recursive: true })));

function options(more: Partial<KeptPartsOptions> = {}): KeptPartsOptions {
  const directory = mkdtempSync(join(tmpdir(), "forgeline-kept-"));
  made.push(directory);
  return { directory, maxBytes: 30, minFreeBytes: 0, ...more };
}

const named = async (text: string) => ({
  bytes: Buffer.from(text),
  sha256: await sha256Of(Buffer.from(text)),
});
const [one, two, three, four] = await Promise.all(
  ["1".repeat(10), "2".repeat(10), "3".repeat(10), "4"].map(named),
);

test("what was used least gives way, also what an earlier process kept", async () => {
  const given = options();
  const parts = await openKeptParts(given);
  for (const { sha256, bytes } of [one!, two!, three!]) await parts.keep(sha256, bytes);
  expect((await parts.find(one!.sha256))?.toString()).toBe("1".repeat(10));
  await parts.keep(four!.sha256, four!.bytes);
  expect(await parts.find(two!.sha256)).toBeNull();
  expect(readdirSync(given.directory).toSorted()).toEqual(
    [one!, three!, four!].map(({ sha256 }) => sha256).toSorted(),
  );
  utimesSync(join(given.directory, four!.sha256), 1, 1);
  writeFileSync(join(given.directory, `${two!.sha256}.new`), "of a process that died");
  const later = await openKeptParts(given);
  await later.keep(two!.sha256, two!.bytes);
  expect(await later.find(four!.sha256)).toBeNull();
  expect((await later.find(two!.sha256))?.toString()).toBe("2".repeat(10));
  expect(readdirSync(given.directory)).toHaveLength(3);
});

test("bytes that a power cut has torn are forgotten", async () => {
  const given = options();
  await (await openKeptParts(given)).keep(one!.sha256, one!.bytes);
  writeFileSync(join(given.directory, one!.sha256), "torn");
  const later = await openKeptParts(given);
  expect(await later.find(one!.sha256)).toBeNull();
  expect(readdirSync(given.directory)).toEqual([]);
  await later.keep(one!.sha256, one!.bytes);
  rmSync(join(given.directory, one!.sha256));
  expect(await later.find(one!.sha256)).toBeNull();
});

test("nothing is kept where there is no room, and all of it goes where others need it", async () => {
  const none = await openKeptParts(options({ maxBytes: 0 }));
  await none.keep(one!.sha256, one!.bytes);
  expect(await none.find(one!.sha256)).toBeNull();
  const full = await openKeptParts(options({ minFreeBytes: Number.MAX_SAFE_INTEGER }));
  await full.keep(one!.sha256, one!.bytes);
  expect(await full.find(one!.sha256)).toBeNull();
  const given = options();
  const parts = await openKeptParts(given);
  await parts.keep(one!.sha256, one!.bytes);
  await parts.clear();
  expect(readdirSync(given.directory)).toEqual([]);
  expect(await parts.find(one!.sha256)).toBeNull();
});

test("an archive of parts is taken over, counts like them, and is gone with the process that made it", async () => {
  const given = options({ maxBytes: 120 });
  const parts = await openKeptParts(given);
  const hashes = [one!.sha256, two!.sha256];
  const made = (bytes: number) => {
    const path = join(given.directory, "made.new");
    writeFileSync(path, "x".repeat(bytes));
    return path;
  };
  await parts.keepArchive(hashes, made(31));
  expect(await parts.findArchive(hashes)).toBeNull();
  expect(readdirSync(given.directory)).toEqual(["made.new"]);
  await parts.keepArchive(hashes, made(30));
  expect(await parts.findArchive(hashes.toReversed())).toBeNull();
  {
    await using archive = await parts.findArchive(hashes);
    expect((await archive?.readFile())?.toString()).toBe("x".repeat(30));
  }
  const [name] = readdirSync(given.directory);
  // Another size than what was kept.
  writeFileSync(join(given.directory, name!), "torn");
  expect(await parts.findArchive(hashes)).toBeNull();
  expect(readdirSync(given.directory)).toEqual([]);
  await parts.keepArchive(hashes, made(30));
  for (let at = 0; at < 9; at += 1) {
    const { sha256, bytes } = await named(String(at).repeat(10));
    await parts.keep(sha256, bytes);
  }
  await using used = await parts.findArchive(hashes);
  expect(used).not.toBeNull();
  await parts.keep(one!.sha256, one!.bytes);
  expect(readdirSync(given.directory)).toContain(name);
  await openKeptParts(given);
  expect(readdirSync(given.directory)).not.toContain(name);
});
