/** Connections that are cut at every stage of a push: what had not all arrived never happened, what had is recorded. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { Client, type ClientChannel } from "ssh2";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import { size, telling } from "../../../support/size.ts";
import { createSshClient, type SshClient, type SshKeyFile } from "../../../support/ssh-client.ts";

const zero = "0".repeat(40);

describe("A push over SSH that is cut", () => {
  let server: ApiServer;
  let client: SshClient;
  let ada: TestPerson;
  let key: SshKeyFile;
  let tree: string;
  let head: string;
  let pack: Buffer;
  let repositoryId: string;

  beforeAll(async () => {
    server = await startApiServer({ env: { FORGELINE_SSH_PORT: "0" } });
    client = await createSshClient(server);
    ada = await server.person("ada");
    key = await client.keyOf(ada);
    repositoryId = (await server.api("POST", "/repos", { token: ada.token, body: { name: "code" } })).json.id;
    tree = await client.git.workTree({
      "noise.txt": Array.from({ length: 60_000 }, (_, line) => String(Math.sin(line))).join("\n"),
    });
    head = await client.git.ok(["rev-parse", "HEAD"], { cwd: tree });
    pack = execFileSync("git", ["pack-objects", "--stdout", "--revs", "-q"], { cwd: tree, input: "HEAD\n" });
  });
  afterAll(async () => {
    await client?.remove();
    await server?.stop();
  });

  /** A push of `main` to a new branch, byte for byte. */
  const request = (branch: string) => {
    const line = `${zero} ${head} refs/heads/${branch}\0report-status\n`;
    return Buffer.concat([
      Buffer.from(`${(line.length + 4).toString(16).padStart(4, "0")}${line}0000`),
      pack,
    ]);
  };
  async function open(): Promise<{ raw: Client; stream: ClientChannel }> {
    const raw = new Client();
    raw.on("error", () => undefined);
    raw.connect({
      host: "127.0.0.1",
      port: server.sshPort,
      username: "git",
      privateKey: await readFile(key.file, "utf8"),
    });
    await once(raw, "ready");
    const stream = await new Promise<ClientChannel>((resolve, reject) =>
      raw.exec("git-receive-pack 'ada/code'", (error, made) => (error ? reject(error) : resolve(made))),
    );
    await once(stream, "data");
    stream.resume();
    return { raw, stream };
  }
  const cut = (raw: Client) => (raw as unknown as { _sock: { destroy(): void } })._sock.destroy();
  const branches = async () =>
    (await client.git.ok(["ls-remote", client.address("ada/code")], { env: client.env(key) }))
      .split("\n")
      .map((line) => line.split("refs/heads/")[1]);
  const states = () =>
    server.container.platform.db.query<{ state: string; ref: string }>(
      "select state, updates->0->>'ref' as ref from pushes where repository_id = $1",
      [repositoryId],
    );

  it.each(telling([0.001, 0.999], [0, 0.3, 0.7]))(
    "never happened, cut after %s of its bytes",
    async (part) => {
      const { raw, stream } = await open();
      const whole = request(`cut-${part}`);
      const piece = whole.subarray(0, Math.floor(whole.length * part));
      await new Promise<void>((resolve) => stream.write(piece, () => resolve()));
      cut(raw);
      await eventually(async () => (await open()).raw.end() && true);
      expect(await branches()).not.toContain(`cut-${part}`);
      expect((await states()).map(({ ref }) => ref)).not.toContain(`refs/heads/cut-${part}`);
    },
  );

  it("happened, where all of it had arrived and the client did not wait for the answer", async () => {
    const { raw, stream } = await open();
    const socket = (raw as unknown as { _sock: { end(done: () => void): void } })._sock;
    await new Promise<void>((resolve) => stream.write(request("late"), () => resolve()));
    socket.end(() => undefined);
    await eventually(async () => {
      const found = (await states()).find(({ ref }) => ref === "refs/heads/late");
      return found?.state === "recorded";
    });
    expect(await branches()).toContain("late");
  });

  it("leaves no lock and no process: the next push works", async () => {
    const env = client.env(key);
    await client.git.ok(["push", "-q", client.address("ada/code"), "main:refs/heads/after"], {
      cwd: tree,
      env,
    });
    expect(await branches()).toContain("after");
    await client.git.ok([
      "--git-dir",
      server.container.platform.storage.directory(repositoryId),
      "fsck",
      "--strict",
    ]);
  });

  it("leaves the server alive when a clone is cut", async () => {
    for (let time = 0; time < size(1, 3); time++) {
      const target = `${client.git.home}/cut-clone-${time}`;
      const words = ["git@localhost", "git-upload-pack 'ada/code'"];
      const child = client.start(key, words);
      child.stdin?.on("error", () => undefined);
      await once(child.stdout!, "data");
      child.stdin?.write(`0032want ${head}\n00000009done\n`);
      await once(child.stdout!, "data");
      child.kill("SIGKILL");
      await client.git.ok(["clone", "-q", client.address("ada/code"), target], { env: client.env(key) });
    }
  });
});
