import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readLooseObject, writeLooseObject } from "@forgeline/server/platform/git/objects/loose-object.ts";

const directory = mkdtempSync(join(tmpdir(), "forgeline-loose-"));
const objects = join(directory, "objects");
execFileSync("git", ["init", "-q", "--bare", directory]);
afterAll(() => rmSync(directory, { recursive: true }));

function store(bytes: Buffer): string {
  const args = ["hash-object", "-w", "--stdin"];
  return execFileSync("git", args, { cwd: directory, input: bytes, encoding: "utf8" }).trim();
}

test.each([
  ["nothing", Buffer.alloc(0)],
  ["a line", Buffer.from("hello\n")],
  ["what is longer than the start of the file", randomBytes(50_000)],
  ["what packs into the start of the file", Buffer.alloc(900_000, "a")],
])("reads %s as Git stored it", async (_, bytes) => {
  const oid = store(bytes);
  const object = { oid, type: "blob", sizeBytes: bytes.length };
  expect(await readLooseObject(objects, oid, 1_000_000)).toEqual({ ...object, bytes });
  expect(await readLooseObject(objects, oid, 0)).toEqual({ ...object, bytes: null });
});

test("reads no more than the size of what is too large", async () => {
  for (const bytes of [Buffer.alloc(8 * 1024 * 1024), randomBytes(100_000)]) {
    const oid = store(bytes);
    const read = await readLooseObject(objects, oid, bytes.length - 1);
    expect(read).toEqual({ oid, type: "blob", sizeBytes: bytes.length, bytes: null });
  }
});

test("throws for what is cut off or not there", async () => {
  const oid = store(randomBytes(20_000));
  execFileSync("chmod", ["u+w", join(objects, oid.slice(0, 2), oid.slice(2))]);
  truncateSync(join(objects, oid.slice(0, 2), oid.slice(2)), 10_000);
  await expect(readLooseObject(objects, oid, 1_000_000)).rejects.toThrow("unexpected end of file");
  await expect(readLooseObject(objects, "0".repeat(40), 1_000_000)).rejects.toThrow("ENOENT");
});

test("writes what Git reads, also twice", async () => {
  const bytes = Buffer.from("written here\n");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: directory, encoding: "utf8" });
  const oid = await writeLooseObject(objects, { type: "blob", bytes });
  expect(await writeLooseObject(objects, { type: "blob", bytes })).toBe(oid);
  expect(git("cat-file", "blob", oid)).toBe("written here\n");
});
