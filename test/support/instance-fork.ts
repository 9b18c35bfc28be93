/** A fork on a test instance, whose parts a test may kill, and what must be true of it afterwards. */
import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import type { ForkStanding, ForkSync } from "@forgeline/schemas/fork-syncs/resource.ts";
import { eventually } from "./eventually.ts";
import type { TestInstance } from "./instance.ts";
import type { CutOffWork } from "./survive-outage.ts";

const run = promisify(execFile);

export interface InstanceFork {
  id: string;
  standing(): Promise<ForkStanding>;
  history(): Promise<ForkSync[]>;
  /** Resolves as soon as it is requested, whatever comes of it. */
  requestSync(): Promise<unknown>;
  /** A commit on a branch of the upstream. */
  commitThere(branch?: string): Promise<void>;
  commitHere(): Promise<void>;
  /** Resolves when no sync is open and nothing is missing. */
  caughtUp(): Promise<void>;
  /** What is wrong with it, once it has caught up: objects, files that were left behind. */
  problems(): Promise<string[]>;
}

let made = 0;

export async function forkOnInstance(instance: TestInstance): Promise<InstanceFork> {
  const name = `forked-${made++}`;
  const upstream = `/repos/${instance.adminName}/${name}`;
  await instance.api("POST", "/repos", { name, readme: true });
  await instance.api("POST", `${upstream}/branches`, { name: "topic", ref: "main" });
  const { id } = await instance.api<{ id: string }>("POST", `${upstream}/forks`, { name: `${name}-fork` });
  const fork = `${upstream}-fork`;
  const standing = () => instance.api<ForkStanding>("GET", `${fork}/sync`);
  const { stdout } = await run("find", [instance.directory, "-type", "d", "-name", `${id}.git`]);
  const directory = stdout.trim();
  let files = 0;
  const commit = async (at: string, branch: string) => {
    const body = { message: "more", content: "eA==", branch };
    await instance.api("PUT", `${at}/contents/f${files++}.txt`, body);
  };
  return {
    id,
    standing,
    history: () => instance.api<ForkSync[]>("GET", `${fork}/sync/history`),
    requestSync: () => instance.api("POST", `${fork}/sync`, {}).catch((error: Error) => error),
    commitThere: (branch = "main") => commit(upstream, branch),
    commitHere: () => commit(fork, "main"),
    caughtUp: async () =>
      void (await eventually(
        async () => {
          const { behind, last_sync: last } = await standing();
          return behind === 0 && last !== null && last.finished_at !== null;
        },
        { timeoutMs: 120_000, intervalMs: 300 },
      )),
    async problems() {
      const found: string[] = [];
      await run("git", ["--git-dir", directory, "fsck", "--full", "--strict"]).catch((error: Error) =>
        found.push(error.message),
      );
      const objects = join(directory, "objects");
      const names = [...(await readdir(objects)), ...(await readdir(join(objects, "pack")))];
      found.push(...names.filter((each) => each.startsWith("tmp_obj")).map((each) => `${each} is left`));
      return found;
    },
  };
}

/** In the middle of a sync; afterwards the fork has all that its upstream has, once. */
export async function cutOffFork(instance: TestInstance): Promise<CutOffWork> {
  const fork = await forkOnInstance(instance);
  await fork.commitThere();
  await fork.commitHere();
  let asked: Promise<unknown> | undefined;
  const retry = async () => ((await fork.standing()).behind === 0 ? true : void (await fork.requestSync()));
  return {
    begin: async () => void (asked = fork.requestSync()),
    async expectWhole() {
      await asked;
      await eventually(retry, { timeoutMs: 120_000 });
      await fork.caughtUp();
      const { ahead } = await fork.standing();
      expect([ahead, await fork.problems()]).toEqual([2, []]);
    },
  };
}
