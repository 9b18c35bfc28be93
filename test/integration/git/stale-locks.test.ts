/** Which locks are taken for left over. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  createStaleLocks,
  type Holders,
  type StaleLocks,
} from "@forgeline/server/platform/git/storage/stale-locks.ts";
import { refLocksFile } from "@forgeline/server/platform/git/storage/kept-locks.ts";
import { createGit } from "@forgeline/server/platform/git/processes/run-git.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { openLiveProcesses } from "@forgeline/server/platform/live-processes.ts";
import { createRepositoryStorage } from "@forgeline/server/platform/git/storage/storage.ts";
import { wideAdmission } from "../../support/wide-admission.ts";

let root: string;
let directory: string;
let staleLocks: StaleLocks;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "forgeline-locks-"));
  const storage = createRepositoryStorage(root);
  const id = newId("repo");
  await storage.create(id, "main");
  directory = storage.directory(id);
  staleLocks = createStaleLocks();
});
afterEach(() => rm(root, { recursive: true }));

const lock = (name: string) => writeFile(join(directory, `${name}.lock`), "");
const main = "refs/heads/main";

function remove(holders: Record<string, string[]> = {}, ageMs = 0) {
  const named: Holders = new Map(Object.entries(holders));
  return staleLocks.remove({ directory, refs: [main], ageMs }, () => Promise.resolve(named));
}

it("not one that is young", async () => {
  await lock("HEAD");
  expect(await remove({}, 5_000)).toEqual({ removed: 0, left: 1 });
});

it("those of refs, of HEAD and of the packed refs", async () => {
  for (const name of ["HEAD", "packed-refs", main, "refs/heads/other"]) await lock(name);
  expect(await remove()).toEqual({ removed: 3, left: 0 });
  expect(existsSync(join(directory, "refs/heads/other.lock"))).toBe(true);
});

it("not one that a push may hold which moves its ref, or any where it is of all refs", async () => {
  await lock(main);
  await lock("packed-refs");
  expect(await remove({ one: [main] })).toEqual({ removed: 0, left: 2 });
  expect(await remove({ one: ["refs/heads/other"] })).toEqual({ removed: 1, left: 1 });
  expect(await remove()).toEqual({ removed: 1, left: 0 });
});

it("one that only pushes could hold which came later, however many", async () => {
  await lock(main);
  expect(await remove({ one: [main], two: [main] })).toEqual({ removed: 0, left: 1 });
  expect(await remove({ two: [main], three: [main] })).toEqual({ removed: 0, left: 1 });
  expect(await remove({ three: [main], four: [main] })).toEqual({ removed: 1, left: 0 });
});

it("not one that was made in the place of another meanwhile", async () => {
  await lock(main);
  await remove({ one: [main] });
  await unlink(join(directory, `${main}.lock`));
  await lock(main);
  expect(await remove({ two: [main] })).toEqual({ removed: 0, left: 1 });
});

it("not one whose holder ended while it was asked who may hold it, and that somebody else has by then", async () => {
  await lock(main);
  const ends = async () => {
    await unlink(join(directory, `${main}.lock`));
    await lock(main);
    return new Map<string, string[]>();
  };
  const search = { directory, refs: [main], ageMs: 0 };
  expect(await staleLocks.remove(search, ends)).toEqual({ removed: 0, left: 1 });
  expect(existsSync(join(directory, `${main}.lock`))).toBe(true);
});

it("none while a Git works that belongs to no push", async () => {
  const git = createGit({ maxPushBytes: 1024, admission: wideAdmission() });
  const maintenance = await git.start({ directory, args: ["fast-import", "--quiet"] });
  try {
    // It answers when it is Git, and no more the program that locks.
    maintenance.stdin!.write("progress there\n");
    await once(maintenance.stdout!, "data");
    await lock(main);
    expect(await remove()).toEqual({ removed: 0, left: 1 });
  } finally {
    maintenance.kill();
    await maintenance.closed;
    git.close();
  }
  expect(await remove()).toEqual({ removed: 1, left: 0 });
});

it("a Git that moves a ref for an operation of ours keeps its process there, in the eyes of others", async () => {
  const [presence, other] = [await openLiveProcesses(root), await openLiveProcesses(root)];
  const git = createGit({ maxPushBytes: 1024, presence, admission: wideAdmission() });
  const child = await git.start({ directory, args: ["update-ref", "--stdin"] });
  try {
    // It answers when it is Git, and no more the program that locks.
    child.stdin!.write("start\n");
    await once(child.stdout!, "data");
    await presence.close();
    expect(await other.isThere(presence.id)).toBe(true);
  } finally {
    child.kill();
    await child.closed;
    git.close();
  }
  expect(await other.isThere(presence.id)).toBe(false);
  await other.close();
});

it("none while somebody else removes them, who would take away what was made in their place", async () => {
  await lock(main);
  const inside = async () => {
    execFileSync("sh", ["-c", `! flock --nonblock --exclusive '${refLocksFile(directory)}' true`]);
    expect(await createStaleLocks().remove(search, () => Promise.resolve(new Map()))).toEqual({
      removed: 0,
      left: 1,
    });
    return new Map<string, string[]>();
  };
  const search = { directory, refs: [main], ageMs: 0 };
  expect(await staleLocks.remove(search, inside)).toEqual({ removed: 1, left: 0 });
});
