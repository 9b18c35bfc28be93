/** Which locks are taken for left over. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { newId } from "@forgeline/server/platform/ids.ts";
import { createGit } from "@forgeline/server/git/run-git.ts";
import { removeStaleLocks } from "@forgeline/server/git/stale-locks.ts";
import { createRepositoryStorage } from "@forgeline/server/git/storage.ts";

let root: string;
let directory: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "forgeline-locks-"));
  const storage = createRepositoryStorage(root);
  const id = newId("repo");
  await storage.create(id, "main");
  directory = storage.directory(id);
});
afterEach(() => rm(root, { recursive: true }));

it("not one that is young", async () => {
  await writeFile(join(directory, "HEAD.lock"), "");
  expect(await removeStaleLocks(directory, [], 5_000)).toEqual({ removed: 0, left: 1 });
});

// Who holds it is read from /proc; elsewhere the age decides.
it.skipIf(process.platform !== "linux")(
  "not one whose holder may be alive, and only as long as it is",
  async () => {
    const git = createGit({ maxPushBytes: 1024 });
    const holder = await git.start({ directory, args: ["update-ref", "--stdin"] });
    try {
      await writeFile(join(directory, "HEAD.lock"), "");
      expect(await removeStaleLocks(directory, [], 0)).toEqual({ removed: 0, left: 1 });
    } finally {
      holder.kill();
      await holder.closed;
      git.close();
    }
    expect(await removeStaleLocks(directory, [], 0)).toEqual({ removed: 1, left: 0 });
  },
);

it("those of refs, of HEAD and of the packed refs", async () => {
  for (const name of ["HEAD", "packed-refs", "refs/heads/main", "refs/heads/other"])
    await writeFile(join(directory, `${name}.lock`), "");
  expect(await removeStaleLocks(directory, ["refs/heads/main"], 0)).toEqual({ removed: 3, left: 0 });
});
