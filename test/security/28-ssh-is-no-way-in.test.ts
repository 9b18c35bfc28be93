/**
 * SSH serves Git and nothing else: no shell, terminal, forwarding, agent, file transfer, or variable but one; and over it
 * nobody gets what the other entry points would not give. Through the real OpenSSH client.
 */
import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../support/api-server.ts";
import { createSshClient, type SshClient, type SshKeyFile } from "../support/ssh-client.ts";

describe("SSH as a way in", () => {
  let server: ApiServer;
  let client: SshClient;
  let ada: TestPerson;
  let key: SshKeyFile;
  let tree: string;
  let directory: string;

  beforeAll(async () => {
    server = await startApiServer({ env: { FORGELINE_SSH_PORT: "0" } });
    client = await createSshClient(server);
    ada = await server.person("ada");
    key = await client.keyOf(ada);
    tree = await client.git.workTree();
    const made = await server.api("POST", "/repos", {
      token: ada.token,
      body: { name: "code", private: true },
    });
    directory = server.container.platform.storage.directory(made.json.id);
    await client.git.ok(["push", "-q", client.address("ada/code"), "main"], {
      cwd: tree,
      env: client.env(key),
    });
  });
  afterAll(async () => {
    await client?.remove();
    await server?.stop();
  });

  const greeting = "Hi ada!";
  const git = (args: string[], env: Record<string, string> = {}) =>
    client.git.run(args, { cwd: tree, env: { ...client.env(key), ...env } });
  const exists = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    );
  /** Somebody listens there whom no tunnel may reach. */
  async function target() {
    let reached = 0;
    const listener = createServer((socket) => {
      reached += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    const port = (listener.address() as AddressInfo).port;
    return { port, reached: () => reached, close: () => listener.close() };
  }

  it("offers only what ssh-audit finds no fault with, and strict key exchange against Terrapin", async () => {
    expect(await offered(server.sshPort)).toEqual([
      "curve25519-sha256,curve25519-sha256@libssh.org,kex-strict-s-v00@openssh.com",
      "ssh-ed25519,rsa-sha2-512,rsa-sha2-256",
      ...Array(2).fill("aes128-gcm@openssh.com,aes256-gcm@openssh.com,aes128-ctr,aes192-ctr,aes256-ctr"),
      ...Array(2).fill("hmac-sha2-256-etm@openssh.com,hmac-sha2-512-etm@openssh.com"),
      ...Array(2).fill("none"),
    ]);
    for (const name of ["ssh-ed25519", "rsa-sha2-512", "rsa-sha2-256"]) {
      const answer = await client.ssh(key, ["-o", `HostKeyAlgorithms=${name}`, "-T", "git@localhost"]);
      expect(answer.stderr).toContain(greeting);
    }
  });

  it("gives no terminal", async () => {
    const forced = await client.ssh(key, ["-tt", "git@localhost"]);
    expect(forced.code).toBe(255);
    expect(forced.stderr).toContain("PTY allocation request failed");
    const asked = await client.ssh(key, ["-t", "git@localhost"]);
    expect(asked.code).toBe(1);
    expect(asked.stderr).toContain(greeting);
  });

  it("forwards no connection out (-W, -L, -D)", async () => {
    const there = await target();
    const direct = await client.ssh(key, ["-W", `127.0.0.1:${there.port}`, "git@localhost"]);
    expect(direct.code).toBe(255);
    expect(direct.stderr).toMatch(/open failed: administratively prohibited/);
    const local = await target();
    local.close();
    for (const option of [`-L${local.port}:127.0.0.1:${there.port}`, `-D127.0.0.1:${local.port}`]) {
      const tunnel = client.start(key, [option, "-N", "git@localhost"]);
      let said = "";
      tunnel.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
      const asking = setInterval(() => askThrough(local.port, there.port), 100);
      await expect
        .poll(() => said, { timeout: 10_000 })
        .toContain("open failed: administratively prohibited");
      clearInterval(asking);
      const ended = new Promise((resolve) => tunnel.once("exit", resolve));
      tunnel.kill();
      await ended;
    }
    expect(there.reached()).toBe(0);
    there.close();
  });

  it("listens for nobody (-R), also not at a path", async () => {
    for (const where of ["0:127.0.0.1:1", `/tmp/ssh-28-${process.pid}:127.0.0.1:1`]) {
      const words = ["-R", where, "-o", "ExitOnForwardFailure=yes", "-N", "git@localhost"];
      const answer = await client.ssh(key, words);
      expect(answer.code).toBe(255);
      expect(answer.stderr).toContain("remote port forwarding failed");
    }
  });

  it("takes no agent and no display, and opens no channel towards the client", async () => {
    const answer = await client.ssh(key, ["-A", "-X", "-v", "-T", "git@localhost"], { DISPLAY: ":9" });
    expect(answer.stderr).toContain(greeting);
    expect(answer.stderr).not.toMatch(/client_request_(?:agent|x11)|server_request_channel/i);
  });

  it("has no subsystem and runs no program but Git's", async () => {
    const sftp = await client.ssh(key, ["-s", "git@localhost", "sftp"]);
    expect(sftp.code).toBe(255);
    expect(sftp.stderr).toContain("subsystem request failed");
    for (const command of [
      "scp -t /tmp",
      "sh",
      "id",
      "git-shell",
      "git-upload-pack 'ada/code'; id",
      "git-upload-pack 'ada/code' && id",
      "git-upload-pack $(id)",
      "git-upload-pack `id`",
      "git-upload-pack ada/code id",
      "git-upload-pack --help 'ada/code'",
      "git-upload-pack '--timeout=1'",
      "git-upload-pack '/etc'",
      "git-upload-pack '../../etc/passwd'",
      "git-upload-pack '~root/x'",
      "git-upload-pack '/ada/../ada/code'",
      'git-upload-pack "ada/code"',
      "git-upload-pack 'ada/code\n'",
      "git-upload-archive",
      "git-http-backend 'ada/code'",
      "git-lfs-authenticate ada/code steal",
      "git-lfs-authenticate ada/code download; id",
      "git-lfs-transfer ada/code download",
      " git-upload-pack 'ada/code'",
    ]) {
      const answer = await client.ssh(key, ["-T", "git@localhost", command]);
      expect(answer, command).toMatchObject({ code: 128, stdout: "" });
      expect(answer.stderr, command).toMatch(/^ERROR: [A-Z][^\n]*\n$/);
      expect(answer.stderr, command).not.toMatch(/uid=/);
    }
    const copied = await run("scp", ["-O", ...keyOptions(), `${tree}/README.md`, "git@localhost:/tmp/x"]);
    expect(copied.code).not.toBe(0);
  });

  it("takes no variable of the environment but Git's protocol, and of that two values", async () => {
    const canary = `${client.git.home}/canary`;
    const set = (value: string) => client.env(key, "-o", `SetEnv='${value}'`);
    const lsRemote = (value: string, version = "0") =>
      client.git.run(["-c", `protocol.version=${version}`, "ls-remote", client.address("ada/code")], {
        env: set(value),
      });
    for (const name of ["GIT_TRACE", "GIT_TRACE_PACKET", "GIT_TRACE2", "GIT_CONFIG_PARAMETERS", "LD_PRELOAD"])
      expect((await lsRemote(`${name}=${canary}`)).code).toBe(0);
    expect(await exists(canary)).toBe(false);
    const speaks = async (value: string) => {
      const answer = await client.ssh(key, [
        "-o",
        `SetEnv=GIT_PROTOCOL=${value}`,
        "-T",
        "git@localhost",
        "git-upload-pack 'ada/code'",
      ]);
      return answer.stdout.slice(4, 13);
    };
    expect(await speaks("version=2")).toBe("version 2");
    expect(await speaks("version=1")).toBe("version 1");
    for (const value of ["version=3", "version=2:x=y", "x", "version=22"])
      expect(await speaks(value)).toMatch(/^[0-9a-f]{9}$/);
  });

  it("shows and gives no hidden ref and no commit that no ref reaches, in any version", async () => {
    const { run: runGit } = server.container.platform.git;
    const hidden = await client.git.commit(tree, { "secret.txt": "hidden\n" });
    await git(["push", "-q", client.address("ada/code"), `${hidden}:refs/heads/gone`]);
    await runGit({ directory, args: ["update-ref", "refs/internal/kept", hidden] });
    await git(["push", "-q", client.address("ada/code"), ":refs/heads/gone"]);
    for (const version of [0, 1, 2]) {
      const target = await client.git.workTree();
      const protocol = ["-C", target, "-c", `protocol.version=${version}`];
      expect((await git([...protocol, "ls-remote", client.address("ada/code")])).stdout).not.toContain(
        hidden,
      );
      const answer = await git([...protocol, "fetch", client.address("ada/code"), hidden]);
      expect(answer.code, `version ${version}`).not.toBe(0);
      expect(answer.stderr).toMatch(/not our ref|unadvertised object/);
      expect((await client.git.run(["-C", target, "cat-file", "-e", hidden])).code).not.toBe(0);
    }
    for (const name of ["refs/internal/kept", "internal/kept", hidden, "kept", "-x", "main..main"]) {
      const answer = await git(["archive", `--remote=${client.address("ada/code")}`, name]);
      expect(answer.code, name).not.toBe(0);
      expect(answer.stdout, name).toBe("");
    }
    const pushed = await git(["push", client.address("ada/code"), "main"], { GIT_TRACE_PACKET: "1" });
    expect(pushed.stderr).not.toContain("refs/internal");
    expect(pushed.stderr).not.toContain(".have");
  });

  it("takes options of git archive that say how the result looks, and no other", async () => {
    const remote = `--remote=${client.address("ada/code")}`;
    for (const option of ["--worktree-attributes", "--add-file=/etc/passwd", "--mtime=now", "--exec=x"]) {
      const answer = await client.ssh(
        key,
        ["-T", "git@localhost", "git-upload-archive 'ada/code'"],
        {},
        Buffer.from(packets([`argument ${option}\n`, "argument main\n"])),
      );
      expect(answer.stdout, option).toContain("NACK This option");
    }
    expect((await git(["archive", remote, "--format=zip", "main"])).code).toBe(0);
  });

  function keyOptions(): string[] {
    return [
      ["-F", "none"],
      ["-P", String(server.sshPort)],
      ["-i", key.file],
      ["-o", "StrictHostKeyChecking=yes"],
      ["-o", "HostKeyAlias=forgeline"],
      ["-o", `UserKnownHostsFile=${client.git.home}/known_hosts`],
    ].flat();
  }
});

function packets(lines: string[]): string {
  return `${lines.map((line) => `${(line.length + 4).toString(16).padStart(4, "0")}${line}`).join("")}0000`;
}

/** The lists of the server's first packet (RFC 4253, section 7.1), less the languages. */
async function offered(port: number): Promise<string[]> {
  const socket = connect(port, "127.0.0.1");
  socket.write("SSH-2.0-test\r\n");
  let received = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    received = Buffer.concat([received, chunk]);
    const start = received.indexOf("\r\n") + 2;
    if (start < 2 || received.length < start + 4) continue;
    if (received.length >= start + 4 + received.readUInt32BE(start)) break;
  }
  let at = received.indexOf("\r\n") + 2 + 4 + 1 + 1 + 16;
  return Array.from({ length: 8 }, () => {
    const end = at + 4 + received.readUInt32BE(at);
    const list = received.toString("latin1", at + 4, end);
    at = end;
    return list;
  });
}

/** Sends what a SOCKS proxy takes for the wish to reach the other port; for a plain tunnel it is just bytes. */
function askThrough(port: number, wished: number): void {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write(Buffer.from([4, 1, wished >> 8, wished & 0xff, 127, 0, 0, 1, 0]));
  setTimeout(() => socket.destroy(), 1_000).unref();
}

function run(program: string, args: string[]): Promise<{ code: number }> {
  return new Promise((resolve) => {
    const child = execFile(program, args, { timeout: 20_000 }, (error) =>
      resolve({ code: error ? (child.exitCode ?? 1) : 0 }),
    );
  });
}
