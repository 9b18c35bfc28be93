/** Git over SSH as people use it, through the real OpenSSH client. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import { createSshClient, type SshClient, type SshKeyFile } from "../../../support/ssh-client.ts";

describe("Git over SSH", () => {
  let server: ApiServer;
  let client: SshClient;
  let ada: TestPerson;
  let key: SshKeyFile;
  let tree: string;

  beforeAll(async () => {
    server = await startApiServer({ env: { FORGELINE_SSH_PORT: "0" } });
    client = await createSshClient(server);
    ada = await server.person("ada");
    key = await client.keyOf(ada);
    tree = await client.git.workTree({ "README.md": "hello\n", "big.bin": "x".repeat(300_000) });
    await create("code");
    await git(["push", "-q", client.address("ada/code"), "main"], tree);
  });
  afterAll(async () => {
    await client?.remove();
    await server?.stop();
  });

  const create = (name: string) =>
    server.api("POST", "/repos", { token: ada.token, body: { name, private: true } });
  const git = (args: string[], cwd?: string) =>
    client.git.ok(args, { env: client.env(key), ...(cwd ? { cwd } : {}) });
  let clones = 0;
  async function clone(...options: string[]): Promise<string> {
    const target = `${client.git.home}/clone-${clones++}`;
    await git(["clone", "-q", ...options, client.address("ada/code"), target]);
    return target;
  }
  const head = (cwd: string) => client.git.ok(["rev-parse", "HEAD"], { cwd });

  it("clones and fetches in every protocol version", async () => {
    for (const version of [0, 1, 2]) {
      const target = `${client.git.home}/v${version}`;
      const protocol = ["-c", `protocol.version=${version}`];
      await git([...protocol, "clone", "-q", client.address("ada/code"), target]);
      expect(await head(target)).toBe(await head(tree));
      const next = await client.git.commit(tree, { "version.txt": `${version}\n` });
      await git([...protocol, "push", "-q", client.address("ada/code"), "main"], tree);
      await git([...protocol, "fetch", "-q"], target);
      expect(await client.git.ok(["rev-parse", "origin/main"], { cwd: target })).toBe(next);
    }
  });

  it("clones shallowly, partially, and one branch alone; what is missing comes when it is needed", async () => {
    const shallow = await clone("--depth=1");
    expect(await client.git.ok(["rev-list", "--count", "HEAD"], { cwd: shallow })).toBe("1");
    await git(["fetch", "-q", "--unshallow"], shallow);
    expect(Number(await client.git.ok(["rev-list", "--count", "HEAD"], { cwd: shallow }))).toBeGreaterThan(1);
    const partial = await clone("--filter=blob:none", "--no-checkout");
    await git(["checkout", "-q", "main"], partial);
    expect(await client.git.ok(["show", "HEAD:README.md"], { cwd: partial })).toBe("hello");
    expect(await head(await clone("--single-branch", "--branch", "main"))).toBe(await head(tree));
  });

  it("records a push, makes its pipeline, and says so", async () => {
    await client.git.commit(tree, {
      ".forgeline.yml":
        "stages:\n  - name: build\n    jobs:\n      - name: a\n        steps:\n          - run: echo hi\n",
    });
    const answer = await client.git.run(["push", client.address("ada/code"), "main"], {
      cwd: tree,
      env: client.env(key),
    });
    expect(answer.code).toBe(0);
    expect(answer.stderr).toMatch(/remote: .*pipeline/i);
    const runs = await server.api("GET", "/repos/ada/code/pipelines", { token: ada.token });
    expect(runs.json[0]).toMatchObject({ source: "push", triggered_by: { username: "ada" } });
  });

  it("pushes several refs at once or none, with options, with force and its lease, and deletes", async () => {
    const push = (...args: string[]) =>
      client.git.run(["push", ...args.slice(0, -1), client.address("ada/code"), ...args.at(-1)!.split(" ")], {
        cwd: tree,
        env: client.env(key),
      });
    const none = await push("--atomic", "main:refs/heads/a main:refs/internal/b");
    expect(none.code).not.toBe(0);
    expect(none.stderr).toContain("reserved for the server");
    const refs = () => git(["ls-remote", client.address("ada/code")]);
    expect(await refs()).not.toContain("refs/heads/a");
    expect((await push("--atomic", "-o", "note=1", "main:refs/heads/a main:refs/heads/b")).code).toBe(0);
    expect(await refs()).toContain("refs/heads/b");
    expect(
      (await push("--force-with-lease=a:0000000000000000000000000000000000000001", "main~1:a")).code,
    ).toBe(1);
    expect((await push("--force", "main~1:a")).code).toBe(0);
    expect((await push("--delete", "a b")).code).toBe(0);
    expect(await refs()).not.toContain("refs/heads/a");
  });

  it("takes a large push and gives it back, whole, with keys that are exchanged anew within both", async () => {
    const env = client.env(key, "-o", "RekeyLimit=256K");
    const text = Array.from({ length: 100_000 }, (_, line) => `${Math.cos(line)}\n`).join("");
    const id = await client.git.commit(tree, { "rekeyed.txt": text });
    await client.git.ok(["push", "-q", client.address("ada/code"), "main"], { cwd: tree, env });
    const target = `${client.git.home}/rekeyed`;
    await client.git.ok(["clone", "-q", client.address("ada/code"), target], { env });
    expect(await head(target)).toBe(id);
    await client.git.ok(["fsck", "--strict"], { cwd: target });
  });

  it("gives archives of branches and tags", async () => {
    await git(["push", "-q", client.address("ada/code"), "main:refs/tags/v1"], tree);
    const archive = (...args: string[]) =>
      client.git.run(["archive", `--remote=${client.address("ada/code")}`, ...args], {
        env: client.env(key),
      });
    for (const name of ["main", "v1", "refs/heads/main", "HEAD"]) {
      const file = `${client.git.home}/${name.replaceAll("/", "-")}.tar`;
      expect(await archive("--format", "tar", "--prefix=top/", "-o", file, name, "README.md")).toMatchObject({
        code: 0,
      });
      expect(await client.git.ok(["-c", "alias.tar=!tar", "tar", "-xOf", file, "top/README.md"])).toBe(
        "hello",
      );
    }
    expect((await archive("--list")).stdout).toContain("tar.gz");
  });

  it("notes when a key was last used", async () => {
    await git(["ls-remote", client.address("ada/code")]);
    await eventually(async () => {
      const keys = (await server.api("GET", "/user/keys", { token: ada.token })).json;
      return keys[0].last_used_at !== null;
    });
  });

  it("names itself in what the API shows", async () => {
    const { json } = await server.api("GET", "/repos/ada/code", { token: ada.token });
    expect(json.clone_urls.ssh).toBe(client.address("ada/code"));
    const meta = (await server.api("GET", "/meta")).json;
    expect(meta.git_ssh_url).toBe(`ssh://git@localhost:${server.sshPort}`);
    expect(meta.ssh_host_keys.map((each: { kind: string }) => each.kind)).toEqual(["ssh-ed25519", "ssh-rsa"]);
  });
});
