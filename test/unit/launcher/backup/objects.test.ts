/** Which objects are copied before the database and which after it, and which of them an older backup may share. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listName, readEntries } from "@forgeline/launcher/backup/entry.ts";
import type { Manifest } from "@forgeline/launcher/backup/manifest.ts";
import { backUpAuditPoints, backUpObjects } from "@forgeline/launcher/backup/objects.ts";
import { createThrottle } from "@forgeline/launcher/backup/throttle.ts";
import { openWriter } from "@forgeline/launcher/backup/writer.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-objects-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const root = () => join(directory, "objects");
const point = "2f/audit/checkpoints/instance.json";
const segment = "a0/logs/log_1/000000000000-aa";
const others = [segment, "b1/lfs/repo_1/audit/checkpoints/x", "c2/audit/superseded/instance-5.json"];
const replaced = [point, "d3/health/check"];

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root(), path)), { recursive: true });
  await writeFile(join(root(), path), text);
}

async function backUp(name: string, previous?: string): Promise<{ place: string; paths: string[] }> {
  const place = join(directory, name);
  const pace = createThrottle(0, new AbortController().signal);
  const writer = await openWriter({ place, pace, previous });
  await backUpAuditPoints(root(), writer);
  await writer.add([await writer.directory("postgresql", 0o700)]);
  await backUpObjects(root(), writer);
  await writer.closeList();
  await writer.finish({ id: name } as Manifest);
  const paths: string[] = [];
  for await (const { path } of readEntries(join(place, listName))) paths.push(path);
  return { place, paths };
}

it("copies signed points before the database and all else after it, each once; not what is being written", async () => {
  for (const path of [...others, ...replaced, "a0/logs/log_1/.tmp-1"]) await put(path, path);
  const { place, paths } = await backUp("first");
  const [before, after] = [
    paths.slice(0, paths.indexOf("postgresql")),
    paths.slice(paths.indexOf("postgresql") + 1),
  ];
  expect(before).toEqual([`objects/${point}`]);
  expect(after.toSorted()).toEqual(
    [...others, "d3/health/check"].map((path) => `objects/${path}`).toSorted(),
  );
  for (const path of [...others, ...replaced])
    expect(await readFile(join(place, "objects", path), "utf8")).toBe(path);
});

it("shares with an older backup what never changes under its name, and copies what does", async () => {
  for (const path of [...others, ...replaced]) await put(path, "old");
  const { place: older } = await backUp("older");
  for (const path of replaced) await put(path, "new");
  const { place: newer } = await backUp("newer", older);
  const inode = async (place: string, path: string) => (await stat(join(place, "objects", path))).ino;
  expect(await inode(newer, segment)).toBe(await inode(older, segment));
  for (const path of replaced) {
    expect(await readFile(join(newer, "objects", path), "utf8")).toBe("new");
    expect(await readFile(join(older, "objects", path), "utf8")).toBe("old");
  }
});

it("does not share a file of another size, nor one that the older backup has lost", async () => {
  await put(segment, "old");
  const { place: older } = await backUp("older");
  await put(segment, "another");
  const { place: newer } = await backUp("newer", older);
  expect(await readFile(join(newer, "objects", segment), "utf8")).toBe("another");
  await rm(join(newer, "objects", segment));
  const { place: newest } = await backUp("newest", newer);
  expect(await readFile(join(newest, "objects", segment), "utf8")).toBe("another");
});

it("of a store without objects there is nothing", async () => {
  const { place } = await backUp("empty");
  expect((await readdir(place)).toSorted()).toEqual(["files.jsonl", "manifest.json", "postgresql"]);
});
