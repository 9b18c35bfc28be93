/** What a backup leaves on disk when it ends well, when it fails, and when it is killed. */
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listName, readEntries } from "@forgeline/launcher/backup/entry.ts";
import type { Manifest } from "@forgeline/launcher/backup/manifest.ts";
import { createThrottle } from "@forgeline/launcher/backup/throttle.ts";
import { backUpRepositories } from "@forgeline/launcher/backup/repositories.ts";
import { openWriter } from "@forgeline/launcher/backup/writer.ts";
import { identityOf } from "@forgeline/launcher/process-identity.ts";

let home: string;
let place: string;
const pace = createThrottle(0, new AbortController().signal);
const manifest = { id: "x" } as Manifest;
const pack = "repositories/aa/repo_x.git/objects/pack/pack-0123456789012345678901234567890123456789.pack";

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "forgeline-writer-"));
  place = join(home, "backup");
  await writeFile(join(home, "source"), "content");
});
afterEach(() => rm(home, { recursive: true, force: true }));

async function writeBackup(previous?: string): Promise<void> {
  const writer = await openWriter({ place, pace, previous });
  const entry = await writer.copyLasting(join(home, "source"), pack);
  await writer.add([await writer.directory("empty", 0o700), ...(entry ? [entry] : [])]);
  await writer.closeList();
  await writer.finish(manifest);
}

it("gets its name, a list and a manifest at the end", async () => {
  await writeBackup();
  expect(await readdir(home)).toEqual(["backup", "source"]);
  const paths: string[] = [];
  for await (const { path } of readEntries(join(place, listName))) paths.push(path);
  expect(paths).toEqual(["empty", pack]);
  expect(await readFile(join(place, pack), "utf8")).toBe("content");
  await expect(openWriter({ place, pace })).rejects.toThrow("already exists");
});

it("shares a file that the older one has under the same name", async () => {
  await writeBackup();
  const older = place;
  place = join(home, "newer");
  await writeBackup(older);
  expect((await stat(join(place, pack))).ino).toBe((await stat(join(older, pack))).ino);
  await writeFile(join(home, "source"), "longer content");
  place = join(home, "newest");
  await writeBackup(older);
  expect(await readFile(join(place, pack), "utf8")).toBe("longer content");
});

it("leaves nothing when it is given up, and takes what a dead one left", async () => {
  const writer = await openWriter({ place, pace });
  await expect(openWriter({ place, pace })).rejects.toThrow("another backup is being written");
  await writer.copy(join(home, "source"), "a/b");
  await writer.discard();
  expect(await readdir(home)).toEqual(["source"]);
  await mkdir(`${place}.partial`);
  await writeFile(join(`${place}.partial`, "writer.pid"), `${identityOf(process.pid)}1`);
  await writeBackup();
  expect(await readdir(home)).toEqual(["backup", "source"]);
});

it("a file that vanished is none, and locks of refs are left out", async () => {
  const directory = join(home, "repositories", "aa", "repo_x.git");
  for (const part of ["refs/heads", "objects/pack"]) await mkdir(join(directory, part), { recursive: true });
  for (const name of ["config", "HEAD", "refs/heads/main", "refs/heads/main.lock", "objects/pack/tmp_pack_1"])
    await writeFile(join(directory, name), name);
  await mkdir(join(home, "repositories", "aa", "repo_gone.git"));
  const writer = await openWriter({ place, pace });
  expect(await writer.copy(join(home, "absent"), "absent")).toBeUndefined();
  expect(await backUpRepositories(join(home, "repositories"), writer)).toBe(1);
  await writer.closeList();
  await writer.finish(manifest);
  const copied = join(place, "repositories", "aa");
  expect(await readdir(copied)).toEqual(["repo_x.git"]);
  expect(await readdir(join(copied, "repo_x.git", "refs", "heads"))).toEqual(["main"]);
  expect(await readdir(join(copied, "repo_x.git", "objects", "pack"))).toEqual([]);
});
