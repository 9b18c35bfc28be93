/** Floods of packets and of connections over SSH: they wait, or are cut off, and nobody else does. */
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { Client } from "ssh2";
import { afterEach, describe, expect, it } from "vitest";
import {
  startApiServer,
  type ApiServer,
  type ApiServerOptions,
  type TestPerson,
} from "../../../support/api-server.ts";
import { telling } from "../../../support/size.ts";
import { createSshClient, type SshClient, type SshKeyFile } from "../../../support/ssh-client.ts";
import { openRawSession, packets, rekey, sendPacket, socketOf } from "../../../support/ssh-packets.ts";

describe("Floods over SSH", () => {
  let server: ApiServer;
  let client: SshClient;
  let ada: TestPerson;
  let key: SshKeyFile;
  let sockets: Socket[];

  async function start(options: ApiServerOptions = {}): Promise<void> {
    server = await startApiServer({ ...options, env: { FORGELINE_SSH_PORT: "0", ...options.env } });
    client = await createSshClient(server);
    ada = await server.person("ada");
    key = await client.keyOf(ada);
    sockets = [];
    await server.api("POST", "/repos", { token: ada.token, body: { name: "code", readme: true } });
  }
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    await client?.remove();
    await server?.stop();
  });

  const waits = { timeout: 30_000 };
  const greet = (by = key) => client.ssh(by, ["-T", "git@localhost"]);

  /** Through its handshake, and its login where it has one. */
  async function rawClient(login?: SshKeyFile): Promise<Client> {
    const raw = new Client();
    raw.on("error", () => undefined);
    const identity = login
      ? { privateKey: await readFile(login.file, "utf8") }
      : { authHandler: () => undefined };
    const options = { host: "127.0.0.1", port: server.sshPort, username: "git", ...identity };
    raw.connect(options as Parameters<Client["connect"]>[0]);
    sockets.push(socketOf(raw));
    await (login ? once(raw, "ready") : once(raw, "handshake"));
    return raw;
  }
  function plainSocket(localAddress = "127.0.0.1"): Socket {
    const socket = connect({ port: server.sshPort, host: "127.0.0.1", localAddress });
    sockets.push(socket.on("error", () => undefined));
    return socket;
  }
  async function metric(name: string): Promise<number> {
    const lines = (await server.container.platform.metrics.metrics()).split("\n");
    return Number(lines.find((line) => line.startsWith(`${name} `))?.split(" ")[1] ?? 0);
  }
  const flooded = () => metric('forgeline_ssh_connections_total{result="flooded"}');
  const held = (what: "packets" | "connection") => metric(`forgeline_ssh_held_back_total{what="${what}"}`);
  const repeat = (times: number, work: () => void) => {
    for (let n = 0; n < times; n++) work();
  };

  it("cuts off who sends more than a login takes, whatever it is", async () => {
    await start({ sshLimits: { farewellMs: 300 } });
    const kinds = [
      packets.ignore,
      // Of no kind.
      Buffer.from([200]),
      packets.globalRequest("none", true),
      packets.channelOpen("session"),
    ];
    for (const [at, packet] of kinds.entries()) {
      const raw = await rawClient();
      const closed = once(raw, "close");
      repeat(1_000, () => sendPacket(raw, packet));
      await closed;
      await expect.poll(flooded, waits).toBe(at + 1);
    }
    const raw = await rawClient();
    const closed = once(raw, "close");
    // New keys.
    void rekey(raw);
    await closed;
    await expect.poll(flooded, waits).toBe(kinds.length + 1);
    expect((await greet()).stderr).toContain("Hi ada!");
  });

  it("cuts off who never ends their first line, and packets before the first keys", async () => {
    await start({ sshLimits: { farewellMs: 300 } });
    const line = plainSocket();
    line.resume();
    const [ended] = [once(line, "close"), await once(line, "connect")];
    for (let n = 0; n < 200 && !line.destroyed; n++) {
      line.write(Buffer.alloc(4_000, "a"));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await ended;
    await expect.poll(flooded, waits).toBe(1);
    const plain = plainSocket();
    plain.resume();
    // Unencrypted: a length, 4 bytes of padding, IGNORE with nothing in it.
    const ignore = Buffer.from([0, 0, 0, 12, 6, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    plain.write(Buffer.concat([Buffer.from("SSH-2.0-x\r\n"), ...Array<Buffer>(500).fill(ignore)]));
    await once(plain, "close");
    await expect.poll(flooded, waits).toBe(2);
    expect((await greet()).stderr).toContain("Hi ada!");
  });

  it("reads no packet beyond 35,000 bytes, before the first keys or after", async () => {
    await start();
    for (const length of ["ffffffff", "00040000", "000088b9"]) {
      const socket = plainSocket();
      socket.resume();
      socket.write(Buffer.concat([Buffer.from("SSH-2.0-x\r\n"), Buffer.from(length, "hex")]));
      await once(socket, "close");
      const raw = await rawClient(key);
      const closed = once(raw, "close");
      socketOf(raw).write(Buffer.from(length, "hex"));
      await closed;
    }
  });

  const tight = { beforeLogin: { packets: 200, bytes: 65_536 }, ofConnection: { burst: 500, perSecond: 5 } };

  const slowed = telling<[what: string, packet: Buffer]>(
    [
      ["one byte of data", packets.data(0, Buffer.from("x"))],
      ["ignored messages", packets.ignore],
    ],
    [
      ["wider windows", packets.windowAdjust(0, 1)],
      ["variables", packets.env(0, "A", "b")],
    ],
  );
  it.each(slowed)("slows down who has logged in, and nobody else: %s", async (_what, packet) => {
    await start({ sshLimits: { packets: { ...tight, ofUser: { burst: 5_000, perSecond: 500 } } } });
    const raw = await rawClient(key);
    await openRawSession(raw, "git-receive-pack 'ada/code'");
    repeat(2_000, () => sendPacket(raw, packet));
    await expect.poll(() => held("packets"), waits).toBeGreaterThan(0);
    expect(socketOf(raw).closed).toBe(false);
    expect((await greet()).stderr).toContain("Hi ada!");
    expect(await flooded()).toBe(0);
  });

  it("has one budget for all connections and keys of a user", async () => {
    const ofConnection = { burst: 10_000, perSecond: 1_000 };
    await start({ sshLimits: { packets: { ...tight, ofConnection, ofUser: { burst: 500, perSecond: 5 } } } });
    const other = await client.keyOf(await server.person("bob"));
    for (const each of [key, await client.keyOf(ada)]) {
      const raw = await rawClient(each);
      repeat(400, () => sendPacket(raw, packets.ignore));
    }
    await expect.poll(() => held("packets"), waits).toBeGreaterThan(0);
    expect((await greet(other)).stderr).toContain("Hi bob!");
  });

  it("slows down who asks for new keys again and again", async () => {
    const ofConnection = { burst: 500, perSecond: 5 };
    await start({ sshLimits: { packets: { ...tight, ofConnection, ofUser: ofConnection } } });
    const raw = await rawClient(key);
    for (let n = 0; n < 3; n++) await rekey(raw);
    repeat(200, () => sendPacket(raw, packets.ignore));
    await expect.poll(() => held("packets"), waits).toBeGreaterThan(0);
  });

  it("holds back nothing of a large push and clone, which pay in bytes", async () => {
    const ofConnection = { burst: 250, perSecond: 1 };
    await start({ sshLimits: { packets: { ...tight, ofConnection, ofUser: ofConnection } } });
    const tree = await client.git.workTree();
    await client.git.commit(tree, { "large.bin": largeText() });
    const env = client.env(key);
    const address = client.address("ada/code");
    await client.git.ok(["push", "-q", address, "main:refs/heads/large"], { cwd: tree, env });
    await client.git.ok(["clone", "-q", "--bare", address, `${client.git.home}/clone`], { env });
    expect(await held("packets")).toBe(0);
  });

  const scarce = { burst: 2, perSecond: 0.001 };
  const plenty = { burst: 100, perSecond: 10 };

  it("lets so many connections of one address begin that do not log in; others wait unread", async () => {
    await start({ sshLimits: { handshakes: { ofAddress: scarce, strangers: plenty, known: plenty } } });
    for (let n = 0; n < 2; n++) expect(await heard(plainSocket("127.0.0.20"))).toContain("SSH-2.0-Forgeline");
    let isAnswered = false;
    plainSocket("127.0.0.20").on("data", () => (isAnswered = true));
    await expect.poll(() => held("connection"), waits).toBe(1);
    for (let n = 0; n < 5; n++) expect((await greet()).stderr).toContain("Hi ada!");
    expect(isAnswered).toBe(false);
  });

  it("lets floods of strangers from many addresses keep nobody out who was here before", async () => {
    await start({ sshLimits: { handshakes: { ofAddress: plenty, strangers: scarce, known: plenty } } });
    expect((await greet()).stderr).toContain("Hi ada!");
    for (const n of [20, 21]) expect(await heard(plainSocket(`127.0.0.${n}`))).toContain("SSH-2.0-");
    plainSocket("127.0.0.22");
    await expect.poll(() => held("connection"), waits).toBe(1);
    expect((await greet()).stderr).toContain("Hi ada!");
  });
});

async function heard(socket: Socket): Promise<string> {
  const [chunk] = (await once(socket, "data")) as [Buffer];
  return chunk.toString("latin1");
}

/** Of no pattern, so that it stays large. */
function largeText(): string {
  let state = 1;
  const next = () => (state = (state * 48_271) % 0x7fffffff).toString(36);
  return Array.from({ length: 300_000 }, next).join("");
}
