/**
 * Row 78: places of Git are held by who lets Git work. Who has not said what they want holds none; who does not read or send yields
 * to who waits; and nobody has all of them, under however many keys.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import type { ClientRequest } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { Client, type ClientChannel } from "ssh2";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { addressWithToken } from "../integration/git/git-client.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../support/api-server.ts";
import { eventually } from "../support/eventually.ts";
import { delimiter, flush, packet, zeroId } from "../support/git-packets.ts";
import { createSshClient, type SshClient, type SshKeyFile } from "../support/ssh-client.ts";

const places = 4;
let server: ApiServer;
let ssh: SshClient;
let ada: TestPerson;
let bob: TestPerson;
let key: SshKeyFile;
let tree: string;
let head: string;
const opened: { destroy(): unknown }[] = [];
const usualGraceMs = 3_600_000;

beforeAll(async () => {
  server = await startApiServer({
    env: {
      FORGELINE_SSH_PORT: "0",
      FORGELINE_GIT_EXCHANGES: String(places),
      FORGELINE_GIT_EXCHANGES_OF_REPOSITORY: String(places),
      FORGELINE_GIT_EXCHANGES_OF_USER: String(places),
      FORGELINE_GIT_EXCHANGES_OF_ACCOUNT: String(places),
      FORGELINE_GIT_EXCHANGES_OF_STRANGERS: String(places),
      FORGELINE_LIMIT_GIT: "100000",
    },
  });
  server.config.gitExchanges.pace.graceMs = usualGraceMs;
  ssh = await createSshClient(server);
  [ada, bob] = [await server.person("ada"), await server.person("bob")];
  key = await ssh.keyOf(ada);
  const body = { name: "code", visibility: "public" };
  const { json } = await server.api("POST", "/repos", { token: ada.token, body });
  tree = await ssh.git.workTree();
  await ssh.git.ok(["config", "core.compression", "0"], { cwd: tree });
  await writeFile(join(tree, "large"), randomBytes(24 * 1024 * 1024));
  head = await ssh.git.commit(tree, {});
  await ssh.git.ok(["push", "-q", addressWithToken(server.webUrl, "ada/code", ada.token), "main"], {
    cwd: tree,
  });
  const directory = server.container.storage.directory(json.id);
  await ssh.git.ok(["--git-dir", directory, "-c", "pack.compression=0", "repack", "-adq"]);
});
afterEach(async () => {
  for (const each of opened.splice(0)) each.destroy();
  server.config.gitExchanges.pace.graceMs = usualGraceMs;
  await eventually(async () => (await running()) === 0);
});
afterAll(async () => {
  await ssh?.remove();
  await server?.stop();
});

async function metric(name: string): Promise<number> {
  const text = await server.container.metrics.metrics();
  const line = text.split("\n").find((each) => each.startsWith(`${name} `));
  return Number(line?.split(" ").at(-1) ?? Number.NaN);
}
const running = () => metric('forgeline_git_exchanges{state="running"}');
const bodyBytes = () => metric("forgeline_http_body_bytes");

function rpc(service: "upload-pack" | "receive-pack", headers: Record<string, string> = {}): ClientRequest {
  const call = request(`${server.webUrl}/ada/code.git/git-${service}`, {
    method: "POST",
    ca: server.ca,
    agent: false,
    headers: {
      "Content-Type": `application/x-git-${service}-request`,
      ...(service === "upload-pack" && { "Git-Protocol": "version=2" }),
      ...headers,
    },
  });
  call.on("error", () => undefined);
  opened.push(call);
  return call;
}
const ofAda = () => ({ Authorization: `Bearer ${ada.token}` });
const closed = (call: ClientRequest) => new Promise<void>((resolve) => call.once("close", () => resolve()));

/** Asks for all of the repository and reads nothing. */
function readsNothing(headers = {}): ClientRequest {
  const call = rpc("upload-pack", headers);
  call.on("response", (response) => response.pause());
  call.end(
    Buffer.concat([packet("command=fetch\n"), delimiter, packet(`want ${head}\n`), packet("done\n"), flush]),
  );
  return call;
}

/** Begins a push and sends no more of it. */
function sendsNothing(): ClientRequest {
  const call = rpc("receive-pack", ofAda());
  call.write(packet(`${zeroId} ${head} refs/heads/other\0 report-status\n`));
  return call;
}

async function connection(): Promise<Client> {
  const raw = new Client();
  raw.on("error", () => undefined);
  raw.connect({
    host: "127.0.0.1",
    port: server.sshPort,
    username: "git",
    privateKey: await readFile(key.file, "utf8"),
  });
  await once(raw, "ready");
  opened.push({ destroy: () => raw.destroy() });
  return raw;
}

/** What a client gets that asks for a command and says nothing then. */
function silent(raw: Client, command: string, env = {}): Promise<ClientChannel> {
  return new Promise((resolve, reject) =>
    raw.exec(command, { env }, (error, channel) => {
      if (error) return reject(error);
      channel.once("data", () => resolve(channel));
    }),
  );
}

const lists = (person: TestPerson) => {
  const header = `http.extraHeader=Authorization: Bearer ${person.token}`;
  return ssh.git.run(["-c", header, "ls-remote", `${server.webUrl}/ada/code.git`, "refs/heads/main"]);
};

describe("who has not said what they want", () => {
  it("holds no place over HTTPS, and has as much memory as all of their requests may", async () => {
    const mib = 1024 * 1024;
    const asked = Buffer.concat([packet("command=fetch\n"), delimiter]);
    const have = packet(`have ${zeroId}\n`);
    const count = Math.floor((16 * mib - asked.length) / have.length);
    const packed = gzipSync(Buffer.concat([asked, Buffer.alloc(count * have.length, have)]));
    const calls = Array.from({ length: 5 }, () => rpc("upload-pack", { "Content-Encoding": "gzip" }));
    const refusals: number[] = [];
    for (const call of calls) {
      call.on("response", (response) => refusals.push(response.statusCode ?? 0));
      call.write(packed.subarray(0, -64));
    }
    await eventually(async () => (await bodyBytes()) > 32 * mib && refusals.length > 0);
    expect(refusals.every((status) => status === 429)).toBe(true);
    expect(await bodyBytes()).toBeLessThanOrEqual(64 * mib);
    expect(await running()).toBe(0);
    for (const call of calls) call.destroy();
    await eventually(async () => (await bodyBytes()) === 0);
  });

  it("holds no place over SSH, on however many connections and commands", async () => {
    for (let n = 0; n < 2; n += 1) {
      const raw = await connection();
      for (let command = 0; command < places; command += 1)
        await silent(raw, "git-upload-pack 'ada/code'", { GIT_PROTOCOL: "version=2" });
    }
    expect(await running()).toBe(0);
    expect((await lists(ada)).stdout).toContain(head);
  });

  it("has memory for requests over SSH as over HTTPS", async () => {
    const raw = await connection();
    const channel = await silent(raw, "git-upload-pack 'ada/code'", { GIT_PROTOCOL: "version=2" });
    const begun = packet("x".repeat(60_000));
    for (let n = 0; n < 20; n += 1) channel.write(begun);
    await eventually(async () => (await bodyBytes()) >= 1_200_000);
    raw.destroy();
    await eventually(async () => (await bodyBytes()) === 0);
  });
});

describe("who does not go on", () => {
  it.each([
    ["reads nothing over HTTPS", async () => void readsNothing()],
    ["does not send its push over HTTPS", async () => void sendsNothing()],
    ["downloads an archive and reads nothing", async () => archiveUnread()],
    [
      "asks for nothing over SSH",
      async () => void (await silent(await connection(), "git-upload-pack 'ada/code'")),
    ],
    [
      "does not send its push over SSH",
      async () => void (await silent(await connection(), "git-receive-pack 'ada/code'")),
    ],
  ])("keeps its place until somebody else waits for it: %s", async (_what, hold) => {
    server.config.gitExchanges.pace.graceMs = 500;
    for (let n = 0; n < places; n += 1) await hold();
    await eventually(async () => (await running()) === places);
    const before = await metric("forgeline_git_exchanges_ended_as_slow_total");
    expect((await lists(bob)).stdout).toContain(head);
    expect(await metric("forgeline_git_exchanges_ended_as_slow_total")).toBeGreaterThan(before);
  });

  it("loses nothing that it sends slowly while nobody waits", async () => {
    server.config.gitExchanges.pace.graceMs = 1;
    const call = readsNothing();
    await eventually(async () => (await running()) === 1);
    expect((await lists(bob)).stdout).toContain(head);
    expect(call.destroyed).toBe(false);
  });

  it("has moved nothing where its push is ended", async () => {
    server.config.gitExchanges.pace.graceMs = 1;
    const calls = Array.from({ length: places }, () => sendsNothing());
    await eventually(async () => (await running()) === places);
    const all = calls.map(closed);
    expect((await lists(bob)).stdout).toContain(head);
    await Promise.race(all);
    const branches = await server.api("GET", "/repos/ada/code/branches", { token: ada.token });
    expect(branches.json.map(({ name }: { name: string }) => name)).toEqual(["main"]);
  });
});

function archiveUnread(): void {
  const call = request(`${server.baseUrl}/repos/ada/code/tarball/main`, { ca: server.ca, agent: false });
  call.on("error", () => undefined);
  call.on("response", (response) => response.pause());
  call.end();
  opened.push(call);
}

describe("one account", () => {
  it("leaves places to others, with its own name and all deploy keys of its repositories", async () => {
    Object.assign(server.config.gitExchanges, { ofAccount: places - 1 });
    try {
      const deployKey = await ssh.makeKey();
      const body = { title: "machine", key: deployKey.line };
      const added = await server.api("POST", "/repos/ada/code/deploy-keys", { token: ada.token, body });
      expect(added.status).toBe(201);
      for (let n = 0; n < places - 1; n += 1) readsNothing(ofAda());
      await eventually(async () => (await running()) === places - 1);
      Object.assign(server.config.gitExchanges, { waitMs: 300 });
      const refused = await ssh.git.run(["ls-remote", ssh.address("ada/code")], { env: ssh.env(deployKey) });
      expect(refused.stderr).toContain("As many Git operations of this account");
      expect((await lists(bob)).stdout).toContain(head);
    } finally {
      Object.assign(server.config.gitExchanges, { ofAccount: places, waitMs: 50_000 });
    }
  });

  it("that nobody has, all strangers together, leaves places to who has one", async () => {
    Object.assign(server.config.gitExchanges, { ofStrangers: places - 1, waitMs: 300 });
    try {
      for (let n = 0; n < places - 1; n += 1) readsNothing();
      await eventually(async () => (await running()) === places - 1);
      const refused = await ssh.git.run(["ls-remote", `${server.webUrl}/ada/code.git`]);
      expect(refused.stderr).toContain("without a login");
      expect((await lists(bob)).stdout).toContain(head);
    } finally {
      Object.assign(server.config.gitExchanges, { ofStrangers: places, waitMs: 50_000 });
    }
  });
});
