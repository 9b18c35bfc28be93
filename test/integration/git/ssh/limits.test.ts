/** What SSH clients may take: operations, failed logins, connections, time; and what a stop and a cut leave behind. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { Client, type ClientChannel } from "ssh2";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  startApiServer,
  type ApiServer,
  type ApiServerOptions,
  type TestPerson,
} from "../../../support/api-server.ts";
import { createSshClient, type SshClient, type SshKeyFile } from "../../../support/ssh-client.ts";

describe("Limits of SSH", () => {
  let server: ApiServer;
  let client: SshClient;
  let ada: TestPerson;
  let key: SshKeyFile;

  async function start(options: ApiServerOptions = {}): Promise<void> {
    server = await startApiServer({ ...options, env: { FORGELINE_SSH_PORT: "0", ...options.env } });
    client = await createSshClient(server);
    ada = await server.person("ada");
    key = await client.keyOf(ada);
    await server.api("POST", "/repos", { token: ada.token, body: { name: "code", readme: true } });
  }
  afterEach(async () => {
    await client?.remove();
    await server?.stop();
  });

  const lsRemote = () => client.git.run(["ls-remote", client.address("ada/code")], { env: client.env(key) });
  const greet = (by: SshKeyFile) => client.ssh(by, ["-T", "git@localhost"]);
  /** Speaks SSH without the real client's manners. */
  async function rawClient(): Promise<Client> {
    const raw = new Client();
    raw.on("error", () => undefined);
    const privateKey = await readFile(key.file, "utf8");
    raw.connect({ host: "127.0.0.1", port: server.sshPort, username: "git", privateKey });
    await once(raw, "ready");
    return raw;
  }
  /** Resolves with what the server said when it closes the connection. */
  async function silent(say = ""): Promise<string> {
    const socket = connect(server.sshPort, "127.0.0.1");
    socket.on("error", () => undefined);
    if (say) socket.write(say);
    let heard = "";
    socket.on("data", (chunk: Buffer) => (heard += chunk.toString("latin1")));
    await once(socket, "close");
    return heard;
  }

  const openConnections = async () => {
    const text = await server.container.platform.metrics.metrics();
    return Number(/^forgeline_ssh_connections (\d+)$/m.exec(text)?.[1]);
  };

  it("counts operations with those over HTTPS", async () => {
    await start({ env: { FORGELINE_LIMIT_GIT: "3" } });
    for (let time = 0; time < 2; time++) expect((await lsRemote()).code).toBe(0);
    const address = `//ada/code.git/info/refs?service=git-upload-pack`;
    expect((await server.api("GET", address, { token: ada.token })).status).toBe(200);
    const answer = await lsRemote();
    expect(answer.code).toBe(128);
    expect(answer.stderr).toContain("ERROR: The rate limit is exceeded.");
    expect((await server.api("GET", address, { token: ada.token })).status).toBe(429);
  });

  it("counts whatever is asked, and looks for no key once there is nothing left", async () => {
    await start({ env: { FORGELINE_LIMIT_GIT: "3" } });
    const raw = await rawClient();
    expect(await wordsOf(await execOn(raw, "nonsense"))).toContain("ERROR: Only git clone");
    expect(await wordsOf(await execOn(raw, "git-upload-pack 'ada/none'"))).toContain("not found");
    expect((await greet(key)).stderr).toContain("Hi ada!");
    const finds = vi.spyOn(server.container.accounts.keyHolders, "find");
    for (const command of [
      "nonsense",
      "git-upload-pack 'ada/code'",
      "git-lfs-authenticate ada/code download",
    ])
      expect(await wordsOf(await execOn(raw, command))).toContain("ERROR: The rate limit is exceeded.");
    expect(finds).not.toHaveBeenCalled();
    expect((await greet(key)).stderr).toContain("ERROR: The rate limit is exceeded.");
  });

  it("turns an address away whose logins fail too often", async () => {
    await start({ env: { FORGELINE_LIMIT_AUTH: "3" } });
    const stranger = await client.makeKey();
    for (let time = 0; time < 4; time++)
      expect((await greet(stranger)).stderr).toContain("Permission denied");
    await expect.poll(async () => (await greet(key)).stderr, { timeout: 30_000 }).not.toContain("Hi ada!");
    expect(await silent()).toContain("Too many connections or failed logins");
  });

  it("ends who does not log in, and who tries too many keys", async () => {
    // Long enough for who does, on a busy machine.
    await start({ sshLimits: { loginMs: 2_000, maxKeys: 1 } });
    const said = ["", "SSH-2.0-nobody\r\n", "GET / HTTP/1.1\r\n\r\n"];
    for (const heard of await Promise.all(said.map(silent))) expect(heard).toMatch(/^SSH-2\.0-Forgeline\r\n/);
    const [first, second] = [await client.makeKey(), await client.makeKey()];
    const answer = await client.ssh(first, ["-i", second.file, "-i", key.file, "-T", "git@localhost"]);
    expect(answer.code).toBe(255);
    expect((await greet(key)).stderr).toContain("Hi ada!");
  });

  it("has so many connections, of one address and in all, and so many commands on one", async () => {
    await start({ sshLimits: { maxOfAddress: 2, maxCommands: 2 } });
    const raw = await rawClient();
    const commands = await Promise.allSettled([1, 2, 3].map(() => execOn(raw, "git-upload-pack 'ada/code'")));
    expect(commands.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    const second = await rawClient();
    expect(await silent()).toContain("Too many connections");
    raw.end();
    second.end();
    await expect.poll(async () => (await lsRemote()).code, { timeout: 30_000 }).toBe(0);
  });

  it("ends the oldest of the address that has most of those who do not log in, for one who may", async () => {
    await start({ sshLimits: { maxConnections: 8 } });
    const held = ["127.0.0.20", "127.0.0.21", "127.0.0.20"].flatMap((localAddress) => {
      const socket = connect({ port: server.sshPort, host: "127.0.0.1", localAddress });
      return [socket.on("error", () => undefined).resume()];
    });
    await expect.poll(openConnections, { timeout: 30_000 }).toBe(3);
    const last = connect({ port: server.sshPort, host: "127.0.0.1", localAddress: "127.0.0.21" }).resume();
    await expect.poll(openConnections, { timeout: 30_000 }).toBe(4);
    expect((await greet(key)).stderr).toContain("Hi ada!");
    expect([...held, last].map(({ closed }) => closed)).toEqual([true, false, false, false]);
    for (const socket of [...held, last]) socket.destroy();
  });

  it("ends a command on which nothing moves, and a connection that is not used", async () => {
    await start({ sshLimits: { idleMs: 300, unusedMs: 300 } });
    for (const use of [
      (raw: Client) => raw.exec("git-upload-pack 'ada/code'", () => undefined),
      (raw: Client) => raw.exec("git-receive-pack 'ada/code'", () => undefined),
      () => undefined,
    ]) {
      const raw = await rawClient();
      use(raw);
      await once(raw, "close");
    }
    expect((await lsRemote()).code).toBe(0);
  });

  it("survives clients that end before they ask, or never ask, and lets go of them", async () => {
    await start({ sshLimits: { unusedMs: 300, farewellMs: 300 } });
    const raw = await rawClient();
    const protocol = (raw as unknown as { _protocol: RawProtocol })._protocol;
    const exec = protocol.exec.bind(protocol);
    protocol.exec = (channel, command, wantReply) => {
      protocol.channelEOF(channel);
      exec(channel, command, wantReply);
    };
    raw.exec("git-upload-pack 'ada/code'", () => undefined);
    await once(raw, "close");
    const silentSession = await rawClient();
    (silentSession as unknown as { _protocol: RawProtocol })._protocol.session(0, 1_000, 1_000);
    await once(silentSession, "close");
    const halfOpen = await rawClient();
    const socket = (halfOpen as unknown as { _sock: Socket })._sock;
    socket.pause();
    await expect.poll(openConnections, { timeout: 30_000 }).toBe(0);
    socket.destroy();
    expect((await lsRemote()).code).toBe(0);
  });

  it("lets commands end when it stops, and begin where none was yet, and takes no other", async () => {
    await start({ sshLimits: { leaveMs: 500 } });
    const raw = await rawClient();
    const idle = await rawClient();
    const beginning = await rawClient();
    const stream = await execOn(raw, "git-upload-pack 'ada/code'");
    const [gone, done] = [once(idle, "close"), once(beginning, "close")];
    let closed = false;
    const closing = server.sshServer?.close(20_000).then(() => (closed = true));
    const begun = await execOn(beginning, "git-upload-pack 'ada/code'");
    begun.resume();
    begun.end("0000");
    // It is told to go only after it could take in all that it was told.
    expect((await once(begun, "exit"))[0]).toBe(0);
    await expect(execOn(beginning, "git-upload-pack 'ada/code'")).rejects.toThrow("open failure");
    await Promise.all([gone, done]);
    expect(await silent()).toContain("Too many connections");
    await expect(execOn(raw, "git-upload-pack 'ada/code'")).rejects.toThrow("open failure");
    expect(closed).toBe(false);
    const exited = once(stream, "exit");
    stream.resume();
    stream.end("0000");
    expect(await exited).toEqual([0]);
    await closing;
  });

  it("cuts what has not ended when its time to stop is over", async () => {
    await start();
    const raw = await rawClient();
    await execOn(raw, "git-receive-pack 'ada/code'");
    const cut = once(raw, "close");
    await server.sshServer?.close(50);
    await cut;
  });

  it("shows how many connections and commands there were", async () => {
    await start({ sshLimits: { loginMs: 2_000 } });
    await lsRemote();
    await silent("SSH-2.0-x\r\n\r\n");
    await expect
      .poll(() => server.container.platform.metrics.metrics(), { timeout: 30_000 })
      .toMatch(/forgeline_ssh_connections_total\{result="logged_in"\} 1/);
    const text = await server.container.platform.metrics.metrics();
    expect(text).toMatch(/forgeline_ssh_connections_total\{result="not_logged_in"\} 1/);
    expect(text).toMatch(/forgeline_ssh_command_seconds_count\{[^}]*program="upload-pack"[^}]*\} 1/);
  });
});

interface RawProtocol {
  exec(channel: number, command: string, wantReply: boolean): void;
  channelEOF(channel: number): void;
  session(channel: number, window: number, packet: number): void;
}

async function wordsOf(channel: ClientChannel): Promise<string> {
  let words = "";
  channel.stderr.on("data", (chunk: Buffer) => (words += chunk.toString()));
  channel.resume();
  await once(channel, "close");
  return words;
}

function execOn(raw: Client, command: string): Promise<ClientChannel> {
  return new Promise((resolve, reject) =>
    raw.exec(command, (error, stream) => (error ? reject(error) : resolve(stream))),
  );
}
