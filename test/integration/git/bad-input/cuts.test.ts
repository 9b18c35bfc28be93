/** Pushes and clones over HTTPS whose connection is cut at every stage: all of it happened or nothing, and the next one works. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import { startFaultProxy, type FaultProxy } from "../../../support/fault-proxy.ts";
import { telling } from "../../../support/size.ts";
import { createGitClient, type GitClient } from "../git-client.ts";
import { pushedRepository, type PushedRepository } from "./pushed-repository.ts";

let server: ApiServer;
let git: GitClient;
let ada: TestPerson;
let proxy: FaultProxy;
let repository: PushedRepository;
let throughProxy: string;

beforeAll(async () => {
  server = await startApiServer();
  git = await createGitClient(server.caFile);
  ada = await server.person("ada");
  proxy = await startFaultProxy({ host: "127.0.0.1", port: server.httpsPort });
  repository = await pushedRepository({ server, git, ada });
  const url = new URL(repository.url);
  url.port = String(proxy.port);
  throughProxy = url.href;
});
afterAll(async () => {
  await proxy?.close();
  await git?.remove();
  await server?.stop();
});

let made = 0;
const settings = ["-c", "http.postBuffer=65536"];

/** A push of half a megabyte that cannot be packed; `after` it was sent the proxy has counted it all. */
async function pushThrough(limit: number | undefined) {
  const branch = `cut-${made++}`;
  const { tree } = repository;
  await git.ok(["checkout", "-q", "-B", "work", "main"], { cwd: tree });
  await git.commit(tree, { "noise.bin": randomBytes(384 * 1024).toString("base64") });
  proxy.set(limit === undefined ? { name: "pass" } : { name: "limit", bytes: limit });
  const before = proxy.counts();
  const { code } = await git.run([...settings, "push", "-q", throughProxy, `work:refs/heads/${branch}`], {
    cwd: tree,
  });
  proxy.set({ name: "pass" });
  await git.ok(["checkout", "-q", "main"], { cwd: tree });
  return {
    branch,
    code,
    sent: proxy.counts().bytesUp - before.bytesUp,
    cuts: proxy.counts().cut - before.cut,
  };
}

async function recorded(branch: string): Promise<boolean> {
  const rows = await server.container.platform.db.query<{ state: string }>(
    "select state from pushes where repository_id = $1 and updates->0->>'ref' = $2",
    [repository.id, `refs/heads/${branch}`],
  );
  return rows.some(({ state }) => state === "recorded");
}
const intended = () =>
  server.container.platform.db.query("select 1 from pushes where repository_id = $1 and state = 'intended'", [
    repository.id,
  ]);
const moved = async (branch: string) => `${await repository.refs()}\n`.includes(`refs/heads/${branch}\n`);

describe("a push that is cut", () => {
  it("on its way: in the handshake, the questions, the list of refs, the pack, and before its last bytes", async () => {
    const whole = await pushThrough(undefined);
    expect(whole.code).toBe(0);
    expect(await recorded(whole.branch)).toBe(true);
    const stages = telling(
      [200, 2_500, whole.sent >> 1, whole.sent - 5_000],
      [1_500, 20_000, whole.sent - 70_000],
    );
    for (const limit of stages) {
      const { branch, code, cuts } = await pushThrough(limit);
      expect([limit, code === 0, cuts > 0]).toEqual([limit, false, true]);
      await eventually(async () => (await intended()).length === 0);
      expect([limit, await moved(branch), await recorded(branch)]).toEqual([limit, false, false]);
    }
    await git.ok(["push", "-q", repository.url, `:${whole.branch}`], { cwd: repository.tree });
  });

  it("once all has arrived happened, though the client does not hear of it", async () => {
    const branch = `cut-${made++}`;
    const { tree } = repository;
    // The pack is on its way only when both sides have said who they are and which refs there are.
    const whole = { before: proxy.counts().bytesUp, noise: 200_000 };
    await git.commit(tree, { "noise.bin": randomBytes(384 * 1024).toString("base64") });
    const args = [...settings, "push", "-q", throughProxy, `HEAD:refs/heads/${branch}`];
    const pushing = git.run(args, { cwd: tree });
    await eventually(async () => proxy.counts().bytesUp > whole.before + whole.noise);
    proxy.set({ name: "hang", only: "down" });
    await eventually(async () => recorded(branch));
    proxy.set({ name: "down" });
    expect((await pushing).code).not.toBe(0);
    proxy.set({ name: "pass" });
    expect([await moved(branch), (await intended()).length]).toEqual([true, 0]);
    await git.ok(["push", "-q", repository.url, `:${branch}`], { cwd: tree });
  });

  it("leaves nothing that is half there, and the next push works", async () => {
    await git.ok(["--git-dir", repository.directory, "fsck", "--strict", "--no-dangling"]);
    await git.ok([...settings, "push", "-q", throughProxy, "main:refs/heads/through"], {
      cwd: repository.tree,
    });
  });
});

describe("a clone that is cut", () => {
  it("can be done again, and fetches go on from what is there", async () => {
    const { tree } = repository;
    await git.commit(tree, { "large.bin": randomBytes(600 * 1024).toString("base64") });
    await git.ok(["push", "-q", repository.url, "main"], { cwd: tree });
    const into = `${git.home}/cut-clone`;
    for (const bytes of telling([1_000, 500_000], [6_000, 100_000])) {
      proxy.set({ name: "limit", bytes });
      const answer = await git.run(["clone", "-q", throughProxy, into]);
      expect([bytes, answer.code === 0]).toEqual([bytes, false]);
    }
    proxy.set({ name: "pass" });
    await git.ok(["clone", "-q", throughProxy, into]);
    const head = await git.commit(tree, { "large-2.bin": randomBytes(600 * 1024).toString("base64") });
    await git.ok(["push", "-q", repository.url, "main"], { cwd: tree });
    proxy.set({ name: "limit", bytes: 300_000 });
    expect((await git.run(["-C", into, "fetch", "-q"])).code).not.toBe(0);
    expect(await git.ok(["-C", into, "rev-parse", "origin/main"])).not.toBe(head);
    proxy.set({ name: "pass" });
    await git.ok(["-C", into, "fetch", "-q"]);
    expect(await git.ok(["-C", into, "rev-parse", "origin/main"])).toBe(head);
    await git.ok(["-C", into, "fsck", "--strict"]);
  });
});
