/** Git LFS for people and machines that come by SSH: `git-lfs-authenticate` hands them over to HTTPS. */
import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestPerson } from "../../../support/api-server.ts";
import { lfsBatch, lfsCall, lfsObject, startLfsServer, type LfsServer } from "../../../support/lfs-server.ts";
import { createSshClient, type SshClient, type SshKeyFile } from "../../../support/ssh-client.ts";

describe("Git LFS over SSH", () => {
  let server: LfsServer;
  let client: SshClient;
  let ada: TestPerson;
  let key: SshKeyFile;
  beforeAll(async () => {
    server = await startLfsServer("file", { FORGELINE_SSH_PORT: "0" });
    client = await createSshClient(server);
    await client.git.ok(["lfs", "install", "--skip-repo"]);
    ada = await server.person("ada");
    key = await client.keyOf(ada);
    for (const name of ["art", "other"])
      await server.api("POST", "/repos", { token: ada.token, body: { name } });
  });
  afterAll(async () => {
    await client?.remove();
    await server?.stop();
  });

  const hello = lfsObject("hello");
  const authenticate = (operation: string, who = key, name = "ada/art") =>
    client.ssh(who, ["-T", "git@localhost", `git-lfs-authenticate ${name}.git ${operation}`]);

  it("pushes, clones and locks with nothing but a key", async () => {
    const tree = await client.git.workTree({ ".gitattributes": "*.bin filter=lfs -text\n" });
    const bytes = randomBytes(200_000);
    await writeFile(join(tree, "a.bin"), bytes);
    await client.git.commit(tree, {});
    const env = client.env(key);
    await client.git.ok(["push", "-q", client.address("ada/art"), "main"], { cwd: tree, env });
    const clone = join(client.git.home, "clone");
    await client.git.ok(["clone", "-q", client.address("ada/art"), clone], { env });
    expect((await readFile(join(clone, "a.bin"))).equals(bytes)).toBe(true);
    await client.git.ok(["lfs", "lock", "a.bin"], { cwd: clone, env });
    await client.git.ok(["lfs", "unlock", "a.bin"], { cwd: clone, env });
  });

  it("hands out a token for one repository and one direction, which is accepted nowhere else", async () => {
    const given = JSON.parse((await authenticate("download")).stdout);
    expect(given.href).toBe(`${server.webUrl}/ada/art.git/info/lfs`);
    expect(given.expires_in).toBeLessThanOrEqual(900);
    const token = given.header.Authorization.replace("Bearer ", "");
    expect(token).toMatch(/^svc_lfs_/);
    expect((await lfsBatch(server, "ada/art", "download", [hello], token)).status).toBe(200);
    expect((await lfsBatch(server, "ada/art", "upload", [hello], token)).status).toBe(403);
    expect((await lfsBatch(server, "ada/other", "download", [hello], token)).status).toBe(404);
    expect((await lfsBatch(server, "ada/art", "download", [hello], `${token}x`)).status).toBe(401);
    for (const path of ["/user", "//ada/art.git/info/refs?service=git-upload-pack"])
      expect((await server.api("GET", path, { token })).status).toBe(401);
  });

  it("gives a repository's key its own repository, and locks to people alone", async () => {
    const deploy = await client.makeKey();
    const body = { key: deploy.line, permission: "write" };
    await server.api("POST", "/repos/ada/art/deploy-keys", { token: ada.token, body });
    const given = JSON.parse((await authenticate("upload", deploy)).stdout);
    const token = given.header.Authorization.replace("Bearer ", "");
    expect((await lfsBatch(server, "ada/art", "upload", [hello], token)).status).toBe(200);
    const lock = await lfsCall(
      server,
      "POST",
      { repository: "ada/art", path: "/locks" },
      { token, body: { path: "a" } },
    );
    expect(lock.status).toBe(403);
    expect((await authenticate("download", deploy, "ada/other")).stderr).toContain("not found");
    const reader = await client.makeKey();
    await server.api("POST", "/repos/ada/art/deploy-keys", { token: ada.token, body: { key: reader.line } });
    expect((await authenticate("upload", reader)).code).toBe(128);
  });

  it("hands over no repository whose directory somebody changed", async () => {
    const { id } = (await server.api("GET", "/repos/ada/other", { token: ada.token })).json;
    const config = join(server.container.platform.storage.directory(id), "config");
    const text = await readFile(config, "utf8");
    await writeFile(config, `${text}[core]\n\thooksPath = /tmp\n`);
    expect(await authenticate("download", key, "ada/other")).toMatchObject({ code: 128, stdout: "" });
    await writeFile(config, text);
    expect((await authenticate("download", key, "ada/other")).code).toBe(0);
  });

  it("ends with the key: its token, and the addresses that were made for it", async () => {
    const lost = await client.keyOf(ada);
    const token = JSON.parse((await authenticate("upload", lost)).stdout).header.Authorization.replace(
      "Bearer ",
      "",
    );
    const batch = await lfsBatch(server, "ada/art", "upload", [hello], token);
    const keys = (await server.api("GET", "/user/keys", { token: ada.token })).json;
    const newest = keys
      .map(({ id }: { id: string }) => id)
      .sort()
      .at(-1);
    await server.api("DELETE", `/user/keys/${newest}`, { token: ada.token });
    expect((await lfsBatch(server, "ada/art", "upload", [hello], token)).status).toBe(401);
    const { href } = batch.json.objects[0].actions.upload;
    expect((await lfsCall(server, "PUT", href, { body: hello.bytes })).status).toBe(401);
  });
});
