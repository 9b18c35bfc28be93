/** A mirror on a test instance, whose parts a test may kill, and what must be true of it afterwards. */
import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import type { Mirror, MirrorSync } from "@forgeline/schemas/mirrors/resource.ts";
import { eventually } from "./eventually.ts";
import { slowly, usually, type GitSource, type SourceRepository } from "./git-source.ts";
import type { TestInstance } from "./instance.ts";
import type { CutOffWork } from "./survive-outage.ts";

const run = promisify(execFile);

export interface InstanceMirror {
  id: string;
  source: SourceRepository;
  /** `/repos/OWNER/NAME` */
  at: string;
  get(): Promise<Mirror>;
  history(): Promise<MirrorSync[]>;
  requestSync(): Promise<void>;
  /** Resolves when it has what the source has and no sync runs. */
  caughtUp(): Promise<void>;
  /** What is wrong with it, once it has caught up: refs, objects, files that were left behind. */
  problems(): Promise<string[]>;
}

let made = 0;

export async function mirrorOnInstance(instance: TestInstance, source: GitSource): Promise<InstanceMirror> {
  const name = `mirror-${made++}`;
  const repository = await source.create(name);
  await repository.commit("main", { "a.txt": "a" });
  const { id } = await instance.api<{ id: string }>("POST", "/repos", { name });
  const at = `/repos/${instance.adminName}/${name}`;
  const get = () => instance.api<Mirror>("GET", `${at}/mirror`);
  const directory = await directoryOf(instance, id);
  const address = `${instance.url.replace("https://", `https://x:${instance.adminToken}@`)}/${instance.adminName}/${name}.git`;
  const refsHere = async () => {
    const env = { ...process.env, GIT_SSL_CAINFO: instance.certificates.caFile };
    const { stdout } = await run("git", ["ls-remote", "--refs", address], { env });
    return stdout.trim().replaceAll("\t", " ").split("\n");
  };
  const mirror: InstanceMirror = {
    id,
    source: repository,
    at,
    get,
    history: () => instance.api<MirrorSync[]>("GET", `${at}/mirror/history`),
    requestSync: async () => void (await instance.api("POST", `${at}/mirror/sync`)),
    caughtUp: async () =>
      void (await eventually(
        async () => {
          // Before processes of Git, which cost more to ask.
          if ((await get()).status !== "up_to_date") return false;
          const [here, there] = await Promise.all([refsHere(), repository.refs()]);
          return here.join() === there.join();
        },
        { timeoutMs: 120_000, intervalMs: 300 },
      )),
    async problems() {
      const found: string[] = [];
      if ((await refsHere()).join() !== (await repository.refs()).join()) found.push("refs differ");
      await run("git", ["--git-dir", directory, "fsck", "--full", "--strict"]).catch((error: Error) =>
        found.push(error.message),
      );
      const objects = join(directory, "objects");
      const names = [...(await readdir(objects)), ...(await readdir(join(objects, "pack")))];
      found.push(...names.filter((each) => each.startsWith("tmp_")).map((each) => `${each} is left`));
      return found;
    },
  };
  await instance.api("PUT", `${at}/mirror`, { url: repository.url, interval_minutes: 60 });
  await mirror.caughtUp();
  return mirror;
}

async function directoryOf({ directory }: TestInstance, id: string): Promise<string> {
  const { stdout } = await run("find", [directory, "-type", "d", "-name", `${id}.git`]);
  return stdout.trim();
}

/** In the middle of a sync; afterwards the mirror has all that the source has, once. */
export async function cutOffMirror(instance: TestInstance, source: GitSource): Promise<CutOffWork> {
  const mirror = await mirrorOnInstance(instance, source);
  await mirror.source.commit("main", { "a.txt": "b" });
  await mirror.source.commit("topic", { "t.txt": "t" });
  return {
    async begin() {
      source.answer = slowly;
      await mirror.requestSync();
      await eventually(async () => (await mirror.get()).status === "syncing", { timeoutMs: 60_000 });
    },
    async expectWhole() {
      source.answer = usually;
      await mirror.caughtUp();
      expect(await mirror.problems()).toEqual([]);
    },
  };
}
