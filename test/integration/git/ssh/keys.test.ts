/** Who is who over SSH: kinds of keys, keys that do not do, keys that were taken back, keys of repositories. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { telling } from "../../../support/size.ts";
import { makePlainKey, makeSecurityKey, startAgent, type AgentKey } from "../../../support/software-agent.ts";
import { createSshClient, type SshClient, type SshKeyFile } from "../../../support/ssh-client.ts";

describe("SSH keys", () => {
  let server: ApiServer;
  let client: SshClient;
  let ada: TestPerson;
  let bob: TestPerson;
  let nobody: SshKeyFile;
  let tree: string;

  beforeAll(async () => {
    server = await startApiServer({ env: { FORGELINE_SSH_PORT: "0" } });
    client = await createSshClient(server);
    ada = await server.person("ada");
    bob = await server.person("bob");
    nobody = await client.makeKey();
    tree = await client.git.workTree();
    for (const [name, visibility] of [
      ["code", "private"],
      ["open", "public"],
    ])
      await server.api("POST", "/repos", { token: ada.token, body: { name, visibility } });
    const key = await client.keyOf(ada);
    for (const name of ["code", "open"])
      await client.git.ok(["push", "-q", client.address(`ada/${name}`), "main"], {
        cwd: tree,
        env: client.env(key),
      });
  });
  afterAll(async () => {
    await client?.remove();
    await server?.stop();
  });

  const hello = (name: string) =>
    `Hi ${name}! You've successfully authenticated, but Forgeline does not provide shell access.`;
  const greet = (key: SshKeyFile, ...options: string[]) =>
    client.ssh(key, ["-T", ...options, "git@localhost"]);
  const lsRemote = (key: SshKeyFile, name: string) =>
    client.git.run(["ls-remote", client.address(name)], { env: client.env(key) });
  const push = (key: SshKeyFile, name: string, ref: string) =>
    client.git.run(["push", client.address(name), `main:refs/heads/${ref}`], {
      cwd: tree,
      env: client.env(key),
    });

  const kinds = telling<[kind: string, bits: number | undefined]>(
    [
      ["ed25519", undefined],
      ["ecdsa", 256],
      ["rsa", 2048],
    ],
    [
      ["ecdsa", 384],
      ["ecdsa", 521],
      ["rsa", 4096],
    ],
  );
  it.each(kinds)("knows its owner by a key of the kind %s %s, and gives no shell", async (kind, bits) => {
    const key = await client.keyOf(ada, kind, bits);
    expect(await greet(key)).toMatchObject({ code: 1, stdout: "", stderr: `${hello("ada")}\n` });
  });

  it("takes RSA with SHA-2, never with SHA-1", async () => {
    const key = await client.keyOf(ada, "rsa", 2048);
    expect((await greet(key, "-o", "PubkeyAcceptedAlgorithms=rsa-sha2-256")).stderr).toContain(hello("ada"));
    const old = await greet(key, "-o", "PubkeyAcceptedAlgorithms=ssh-rsa", "-o", "RequiredRSASize=1024");
    expect(old.code).toBe(255);
    expect(old.stderr).toContain("Permission denied (publickey)");
  });

  describe("held by an agent", () => {
    let agents = 0;
    async function greetWith(keys: readonly AgentKey[]) {
      const agent = await startAgent(`${client.git.home}/agent-${agents++}`, keys);
      try {
        return await greet({ ...nobody, agent: agent.path });
      } finally {
        await agent.close();
      }
    }
    const give = async (person: TestPerson, key: AgentKey) =>
      expect(
        (await server.api("POST", "/user/keys", { token: person.token, body: { key: key.line } })).status,
      ).toBe(201);

    it.each(["ed25519", "ecdsa"] as const)("works as a security key of the kind %s", async (kind) => {
      for (const application of telling(["ssh:work"], ["ssh:"])) {
        const key = makeSecurityKey(kind, { application });
        await give(ada, key);
        expect((await greetWith([key])).stderr).toContain(hello("ada"));
      }
    });

    it.each(["ed25519", "ecdsa"] as const)(
      "is refused as a security key of the kind %s that nobody touched, or that signs something else",
      async (kind) => {
        const untouched = makeSecurityKey(kind, { flags: 0 });
        await give(ada, untouched);
        expect(await greetWith([untouched])).toMatchObject({ code: 255 });
        const key = makeSecurityKey(kind);
        await give(ada, key);
        const wrong: AgentKey[] = [
          { ...key, sign: () => key.sign(Buffer.from("other")) },
          { ...key, sign: (data) => Buffer.concat([key.sign(data), Buffer.from([0])]) },
          { ...key, sign: (data) => key.sign(data).subarray(0, -1) },
          { ...key, sign: (data) => makeSecurityKey(kind).sign(data) },
        ];
        for (const each of wrong) expect(await greetWith([each])).toMatchObject({ code: 255 });
        expect((await greetWith([key])).stderr).toContain(hello("ada"));
      },
    );

    it("is who signed, not who was offered before", async () => {
      const ofAda = makePlainKey();
      const ofBob = makePlainKey();
      await give(ada, ofAda);
      await give(bob, ofBob);
      const cannotSign = { ...ofAda, sign: () => Buffer.alloc(0) };
      expect((await greetWith([cannotSign, ofBob])).stderr).toContain(hello("bob"));
      const signsAsBob = { ...ofAda, sign: ofBob.sign };
      const answer = await greetWith([signsAsBob]);
      expect(answer.code).toBe(255);
      expect(answer.stderr).not.toContain("Hi ");
    });
  });

  it("lets in neither unknown keys nor other user names", async () => {
    for (const answer of [
      await greet(nobody),
      await client.ssh(await client.keyOf(ada), ["-T", "ada@localhost"]),
    ]) {
      expect(answer.code).toBe(255);
      expect(answer.stderr).toContain("Permission denied (publickey)");
    }
  });

  it("shows a public repository to a key's owner and a hidden one to those who may see it", async () => {
    const key = await client.keyOf(bob);
    expect((await lsRemote(key, "ada/open")).code).toBe(0);
    const [hidden, absent] = [await lsRemote(key, "ada/code"), await lsRemote(key, "ada/none")];
    expect(hidden).toEqual(absent);
    expect(hidden.code).toBe(128);
    expect(hidden.stderr).toContain("ERROR: Repository not found.");
    const denied = await push(key, "ada/open", "mine");
    expect(denied.code).toBe(128);
    expect(denied.stderr).toContain("ERROR: You are not allowed to do this.");
  });

  it("ends with its removal, also on a connection that is open, and with its user's suspension", async () => {
    const carol = await server.person("carol");
    const admin = await server.person("chief", { isAdmin: true });
    const key = await client.keyOf(carol);
    const socket = ["-o", `ControlPath=${client.git.home}/master`];
    const master = client.start(key, [...socket, "-M", "-N", "git@localhost"]);
    const again = () => client.ssh(key, [...socket, "-o", "ProxyCommand=false", "-T", "git@localhost"]);
    try {
      await expect.poll(async () => (await again()).stderr, { timeout: 15_000 }).toContain(hello("carol"));
      const suspend = (suspended: boolean) =>
        server.api("PATCH", `/admin/users/carol`, { token: admin.token, body: { suspended } });
      expect((await suspend(true)).status).toBe(200);
      expect((await again()).stderr).toContain("ERROR: This key is no longer valid.");
      expect((await greet(key)).code).toBe(255);
      await suspend(false);
      expect((await again()).stderr).toContain(hello("carol"));
      const [mine] = (await server.api("GET", "/user/keys", { token: carol.token })).json;
      await server.api("DELETE", `/user/keys/${mine.id}`, { token: carol.token });
      expect(await again()).toMatchObject({ code: 128 });
      expect((await greet(key)).code).toBe(255);
    } finally {
      master.kill();
    }
  });

  describe("of a repository", () => {
    const deployKey = async (permission: "read" | "write") => {
      const key = await client.makeKey();
      const answer = await server.api("POST", "/repos/ada/code/deploy-keys", {
        token: ada.token,
        body: { key: key.line, permission },
      });
      expect(answer.status).toBe(201);
      return { key, id: answer.json.id as string };
    };

    it("read that repository and no other, not even a public one", async () => {
      const { key } = await deployKey("read");
      expect((await greet(key)).stderr).toContain(hello("ada/code"));
      expect((await lsRemote(key, "ada/code")).code).toBe(0);
      for (const name of ["ada/open", "ada/none"])
        expect((await lsRemote(key, name)).stderr).toContain("ERROR: Repository not found.");
      const denied = await push(key, "ada/code", "x");
      expect(denied.stderr).toContain("ERROR: ");
      expect(denied.code).toBe(128);
    });

    it("write to it where they may, in the name of who added them", async () => {
      const { key, id } = await deployKey("write");
      expect(await push(key, "ada/code", "by-key")).toMatchObject({ code: 0 });
      expect((await push(key, "ada/open", "by-key")).code).toBe(128);
      const pushes = await server.container.platform.db.query(
        "select user_id from pushes order by id desc limit 1",
      );
      expect(pushes).toEqual([{ user_id: ada.id }]);
      const shown = await server.api("GET", `/repos/ada/code/deploy-keys/${id}`, { token: ada.token });
      await expect
        .poll(
          async () =>
            (await server.api("GET", shown.json.url.replace(server.baseUrl, ""), { token: ada.token })).json
              .last_used_at,
        )
        .not.toBeNull();
      await server.api("DELETE", `/repos/ada/code/deploy-keys/${id}`, { token: ada.token });
      expect((await greet(key)).code).toBe(255);
    });

    it("still read, but write nothing, when who added them is suspended", async () => {
      const dave = await server.person("dave");
      await server.api("PUT", "/repos/ada/code/collaborators/dave", {
        token: ada.token,
        body: { permission: "admin" },
      });
      const key = await client.makeKey();
      await server.api("POST", "/repos/ada/code/deploy-keys", {
        token: dave.token,
        body: { key: key.line, permission: "write" },
      });
      await server.container.platform.db.query("update users set suspended = true where id = $1", [dave.id]);
      expect((await lsRemote(key, "ada/code")).code).toBe(0);
      const answer = await push(key, "ada/code", "late");
      expect(answer.code).toBe(1);
      expect(answer.stderr).toContain("deleted or suspended");
    });
  });

  it("does not write to an archived repository", async () => {
    const key = await client.keyOf(ada);
    await server.api("POST", "/repos/ada/open/archive", { token: ada.token });
    const answer = await push(key, "ada/open", "late");
    expect(answer.code).toBe(128);
    expect(answer.stderr).toContain("ERROR: The repository is archived and read-only.");
    expect((await lsRemote(key, "ada/open")).code).toBe(0);
  });
});
