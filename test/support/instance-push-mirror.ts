/** A push mirror on a test instance, whose parts a test may kill, and what must be true of its target afterwards. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import type { MirrorSync } from "@forgeline/schemas/mirrors/resource.ts";
import type { PushMirror } from "@forgeline/schemas/push-mirrors/resource.ts";
import { eventually } from "./eventually.ts";
import { slowly, usually, type GitSource, type SourceRepository } from "./git-source.ts";
import type { TestInstance } from "./instance.ts";
import type { CutOffWork } from "./survive-outage.ts";

const run = promisify(execFile);

export interface InstancePushMirror {
  target: SourceRepository;
  get(): Promise<PushMirror>;
  history(): Promise<MirrorSync[]>;
  requestSync(): Promise<void>;
  /** Over the API. */
  commit(branch: string): Promise<void>;
  createBranch(name: string): Promise<void>;
  /** Makes a branch what another one is, whatever it was: a forced push. */
  reset(branch: string, to: string): Promise<void>;
  /** Resolves when the target has what the repository has and no sync runs. */
  caughtUp(): Promise<void>;
  /** What is wrong with the target, once it has caught up: refs, objects, files that were left behind. */
  problems(): Promise<string[]>;
}

let made = 0;

export async function pushMirrorOnInstance(
  instance: TestInstance,
  source: GitSource,
): Promise<InstancePushMirror> {
  const name = `pushed-${made++}`;
  const target = await source.create(name);
  await target.git("config", "http.receivepack", "true");
  await instance.api("POST", "/repos", { name, readme: true });
  const repository = `/repos/${instance.adminName}/${name}`;
  const address = `${instance.url.replace("https://", `https://x:${instance.adminToken}@`)}/${instance.adminName}/${name}.git`;
  const env = { ...process.env, GIT_SSL_CAINFO: instance.certificates.caFile };
  const refsHere = async () => {
    const { stdout } = await run("git", ["ls-remote", "--refs", address], { env });
    return stdout.trim().replaceAll("\t", " ").split("\n");
  };
  const { id } = await instance.api<PushMirror>("POST", `${repository}/push-mirrors`, { url: target.url });
  const at = `${repository}/push-mirrors/${id}`;
  const get = () => instance.api<PushMirror>("GET", at);
  let files = 0;
  const mirror: InstancePushMirror = {
    target,
    get,
    history: () => instance.api<MirrorSync[]>("GET", `${at}/history`),
    requestSync: async () => void (await instance.api("POST", `${at}/sync`)),
    async commit(branch) {
      const path = `${repository}/contents/f${files++}.txt`;
      await instance.api("PUT", path, { message: "more", content: "eA==", branch });
    },
    createBranch: async (branch) =>
      void (await instance.api("POST", `${repository}/branches`, { name: branch, ref: "main" })),
    async reset(branch, to) {
      const args = ["push", "-q", "--force", address, `refs/remotes/origin/${to}:refs/heads/${branch}`];
      const clone = join(source.root, `clone-${name}-${files++}`);
      await run("git", ["clone", "-q", address, clone], { env });
      await run("git", args, { env, cwd: clone });
    },
    caughtUp: async () =>
      void (await eventually(
        async () => {
          // Before processes of Git, which cost more to ask.
          if ((await get()).status !== "up_to_date") return false;
          const [here, there] = await Promise.all([refsHere(), target.refs()]);
          return here.join() === there.join();
        },
        { timeoutMs: 120_000, intervalMs: 300 },
      )),
    async problems() {
      const found: string[] = [];
      if ((await refsHere()).join() !== (await target.refs()).join()) found.push("refs differ");
      await target.git("fsck", "--full", "--strict").catch((error: Error) => found.push(error.message));
      const { diverged } = await get();
      found.push(...diverged.map(({ ref }) => `${ref} has diverged`));
      return found;
    },
  };
  await mirror.caughtUp();
  return mirror;
}

/** In the middle of a sync; afterwards the target has all that the repository has. */
export async function cutOffPushMirror(instance: TestInstance, source: GitSource): Promise<CutOffWork> {
  const mirror = await pushMirrorOnInstance(instance, source);
  return {
    async begin() {
      source.answer = slowly;
      await mirror.commit("main");
      await mirror.createBranch("topic");
      await eventually(async () => (await mirror.get()).status === "syncing", { timeoutMs: 60_000 });
    },
    async expectWhole() {
      source.answer = usually;
      await mirror.caughtUp();
      expect(await mirror.problems()).toEqual([]);
    },
  };
}
