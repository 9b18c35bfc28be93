/** Row R11 of reliability.md for repositories: a disk without room refuses in words, keeps what it has, and heals by itself. */
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { readdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import { mountSmallDisk, type SmallDisk } from "../../support/small-disk.ts";
import { createSshClient, type SshClient } from "../../support/ssh-client.ts";
import { addressWithToken, createGitClient, type GitClient } from "./git-client.ts";

const mebibyte = 1024 * 1024;

describe("A full disk", () => {
  let server: ApiServer;
  let git: GitClient;
  let ssh: SshClient;
  let ada: TestPerson;
  let disk: string;
  let mounted: SmallDisk | undefined;
  let tree: string;
  let id: string;

  beforeAll(async () => {
    server = await startApiServer({ env: { FORGELINE_SSH_PORT: "0" } });
    disk = join(server.dataDir, "repositories");
    mkdirSync(disk, { recursive: true });
    mounted = mountSmallDisk(disk, "40m");
    git = await createGitClient(server.caFile);
    ssh = await createSshClient(server);
    ada = await server.person("ada");
    id = (await server.api("POST", "/repos", { token: ada.token, body: { name: "code" } })).json.id;
    tree = await git.workTree();
    await git.ok(["push", "-q", url(), "main"], { cwd: tree });
  });
  afterAll(async () => {
    await Promise.all([ssh?.remove(), git?.remove()]);
    mounted?.remove();
    await server?.stop();
  });

  const url = () => addressWithToken(server.webUrl, "ada/code", ada.token);
  const filler = () => join(disk, "filler");

  async function fillUntil(freeBytes: number): Promise<void> {
    await rm(filler(), { force: true });
    const { bavail, bsize } = await statfs(disk);
    await writeFile(filler(), Buffer.alloc(bavail * bsize - freeBytes));
  }

  async function leftovers(): Promise<string[]> {
    const names = await readdir(server.container.platform.storage.directory(id), { recursive: true });
    return names.filter((name) => /tmp_|\.tmp|\.lock$|\.new$/.test(name));
  }

  it("refuses a push that does not fit, in Git's words, and keeps nothing of it", async () => {
    const before = await git.ok(["ls-remote", url()]);
    await fillUntil(8 * mebibyte);
    await writeFile(join(tree, "large"), randomBytes(16 * mebibyte));
    await git.commit(tree, {});
    const answer = await git.run(["push", url(), "main"], { cwd: tree });
    expect(answer.code).not.toBe(0);
    expect(answer.stderr).toContain("No space left on device");
    expect(await leftovers()).toEqual([]);
    expect(await git.ok(["ls-remote", url()])).toBe(before);
  });

  it("begins no push without room: one sentence over HTTPS and over SSH", async () => {
    await fillUntil(2 * mebibyte);
    const sentence = "The server's disk is full; nothing was changed.";
    const overHttps = await git.run(["push", url(), "main:other"], { cwd: tree });
    expect(overHttps.code).not.toBe(0);
    expect(overHttps.stderr).toContain(`remote: ${sentence}`);
    const env = ssh.env(await ssh.keyOf(ada));
    const overSsh = await git.run(["push", ssh.address("ada/code"), "main:other"], { cwd: tree, env });
    expect(overSsh.code).not.toBe(0);
    expect(overSsh.stderr).toContain(`ERROR: ${sentence}`);
    await git.ok(["clone", "-q", url(), join(git.home, "cloned")]);
  });

  it("refuses a commit over REST with 503 and a time to wait, and reads on", async () => {
    await fillUntil(0);
    const content = randomBytes(64 * 1024).toString("base64");
    const written = await server.api("PUT", "/repos/ada/code/contents/x.bin", {
      token: ada.token,
      body: { message: "x", content },
    });
    expect([written.status, written.json.error]).toEqual([503, "unavailable"]);
    expect(written.headers["retry-after"]).toBe("60");
    expect((await server.api("GET", "/repos/ada/code/contents", { token: ada.token })).status).toBe(200);
    expect(await leftovers()).toEqual([]);
  });

  it("takes pushes again as soon as there is room", async () => {
    await rm(filler());
    await git.ok(["push", "-q", url(), "main"], { cwd: tree });
    const { exitCode } = await server.container.platform.git.run({
      directory: server.container.platform.storage.directory(id),
      args: ["fsck", "--full", "--strict"],
    });
    expect(exitCode).toBe(0);
  });
});
