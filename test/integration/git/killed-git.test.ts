/** Row R9 of reliability.md, small: Git itself is killed while it moves the refs of a push, over both transports. */
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { zeroId } from "@forgeline/server/platform/git/refs/names.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import { eventually } from "../../support/eventually.ts";
import { telling } from "../../support/size.ts";
import { createSshClient, type SshClient, type SshKeyFile } from "../../support/ssh-client.ts";
import { createTracedGit, type TracedGit } from "../../support/strace.ts";
import { addressWithToken, createGitClient, type GitClient } from "./git-client.ts";

describe("Git killed at the k-th ref", () => {
  let server: ApiServer;
  let git: GitClient;
  let ssh: SshClient;
  let key: SshKeyFile;
  let ada: TestPerson;
  let traced: TracedGit;
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "forgeline-traced-"));
    traced = await createTracedGit(directory);
    const path = process.env["PATH"];
    process.env["PATH"] = `${directory}:${path}`;
    server = await startApiServer({ env: { FORGELINE_SSH_PORT: "0" } });
    process.env["PATH"] = path;
    git = await createGitClient(server.caFile);
    ssh = await createSshClient(server);
    ada = await server.person("ada");
    key = await ssh.keyOf(ada);
  });
  afterAll(async () => {
    await Promise.all([ssh?.remove(), git?.remove(), server?.stop()]);
    await rm(directory, { recursive: true, force: true });
  });

  type Transport = "HTTPS" | "SSH";

  async function repository(name: string, transport: Transport) {
    const { json } = await server.api("POST", "/repos", { token: ada.token, body: { name } });
    const url =
      transport === "SSH"
        ? ssh.address(`ada/${name}`)
        : addressWithToken(server.webUrl, `ada/${name}`, ada.token);
    const env = transport === "SSH" ? ssh.env(key) : {};
    return { id: json.id as string, url, env };
  }

  async function branches(count: number): Promise<{ tree: string; head: string }> {
    const tree = await git.workTree();
    const head = await git.ok(["rev-parse", "HEAD"], { cwd: tree });
    for (let n = 1; n < count; n++) await git.ok(["update-ref", `refs/heads/b/${n}`, head], { cwd: tree });
    return { tree, head };
  }

  async function locks(id: string): Promise<string[]> {
    const names = await readdir(server.container.platform.storage.directory(id), { recursive: true });
    return names.filter((name) => name.endsWith(".lock"));
  }

  async function refCount(id: string): Promise<number> {
    const { stdout } = await server.container.platform.git.run({
      directory: server.container.platform.storage.directory(id),
      args: ["for-each-ref", "--format=%(refname)"],
    });
    return stdout.toString().split("\n").length - 1;
  }

  const killed = (transport: Transport, count: number, k: number) => ({ transport, count, k });
  const cases = telling(
    [killed("HTTPS", 6, 1), killed("SSH", 6, 3), killed("HTTPS", 6, 6), killed("SSH", 2, 2)],
    [
      ...[2, 3, 4, 5].map((k) => killed("HTTPS", 6, k)),
      ...[1, 2, 4, 5, 6].map((k) => killed("SSH", 6, k)),
      killed("HTTPS", 2, 2),
      killed("SSH", 50, 26),
    ],
  );

  it.concurrent.each(cases)(
    "an atomic push of $count refs over $transport, killed at ref $k, is there whole or not at all",
    { timeout: 120_000 },
    async ({ transport, count, k }) => {
      const { id, url, env } = await repository(`atomic-${transport.toLowerCase()}-${count}-${k}`, transport);
      const { tree } = await branches(count);
      await traced.killAtRename(id, k);
      const push = ["push", "--atomic", url, "refs/heads/*:refs/heads/*"];
      const answer = await git.run(push, { cwd: tree, env });
      expect(answer.code).not.toBe(0);
      // That the fault has bitten: those before are there, the others are locked.
      expect((await locks(id)).length).toBeGreaterThan(0);
      await traced.leave(id);
      await eventually(async () => (await locks(id)).length === 0, { timeoutMs: 60_000, intervalMs: 200 });
      await eventually(async () => (await refCount(id)) === (k === 1 ? 0 : count), { timeoutMs: 30_000 });
      expect((await git.run(push, { cwd: tree, env })).code).toBe(0);
      expect(await refCount(id)).toBe(count);
    },
  );

  it("a push of one ref is not there, and its locks keep no other back", { timeout: 60_000 }, async () => {
    const { id, url } = await repository("one", "HTTPS");
    const { tree, head } = await branches(1);
    await traced.killAtRename(id, 1);
    expect((await git.run(["push", url, "main"], { cwd: tree })).code).not.toBe(0);
    await traced.leave(id);
    const push = async () => (await git.run(["push", url, "main"], { cwd: tree })).code === 0;
    await eventually(push, { timeoutMs: 40_000, intervalMs: 500 });
    expect(await git.ok(["ls-remote", url, "refs/heads/main"])).toContain(head);
    const fsck = server.container.platform.git.run({
      directory: server.container.platform.storage.directory(id),
      args: ["fsck", "--full", "--strict"],
    });
    expect((await fsck).exitCode).toBe(0);
  });

  it("an atomic push stays torn as long as somebody holds its locks, and is whole then", async () => {
    const { id, url } = await repository("held", "HTTPS");
    const { tree, head } = await branches(1);
    await git.ok(["push", "-q", url, "main:refs/heads/one"], { cwd: tree });
    const updates = ["one", "two"].map((name) => ({
      ref: `refs/heads/${name}`,
      before: zeroId,
      after: head,
    }));
    await server.container.platform.db.query(
      "update pushes set state = 'intended', atomic = true, updates = $2 where repository_id = $1",
      [id, JSON.stringify(updates)],
    );
    const lock = join(server.container.platform.storage.directory(id), "refs/heads/two.lock");
    await writeFile(lock, "");
    const isSettled = async () => {
      await server.container.hosting.pushes.settleAll();
      const query = "select state <> 'intended' as settled from pushes where repository_id = $1";
      const [push] = await server.container.platform.db.query<{ settled: boolean }>(query, [id]);
      return push?.settled;
    };
    expect(await isSettled()).toBe(false);
    expect(await refCount(id)).toBe(1);
    await rm(lock);
    expect(await isSettled()).toBe(true);
    expect(await refCount(id)).toBe(2);
  });
});
