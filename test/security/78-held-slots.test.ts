/**
 * Row 78: places of Git are held by who lets Git work. Who does not read or send yields to who waits; and nobody has all of them, under
 * however many keys.
 */
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import type { ClientRequest } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { addressWithToken } from "../integration/git/git-client.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../support/api-server.ts";
import { eventually } from "../support/eventually.ts";
import { packet, zeroId } from "../support/git-packets.ts";
import { createRawGit, fetchOf, type RawGit } from "../support/raw-git.ts";
import { createSshClient, type SshClient } from "../support/ssh-client.ts";

const places = 4;
let server: ApiServer;
let ssh: SshClient;
let ada: TestPerson;
let bob: TestPerson;
let raw: RawGit;
let head: string;
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
  raw = createRawGit(server, { fullName: "ada/code", ssh, key: await ssh.keyOf(ada) });
  const body = { name: "code", visibility: "public" };
  const { json } = await server.api("POST", "/repos", { token: ada.token, body });
  const tree = await ssh.git.workTree();
  await ssh.git.ok(["config", "core.compression", "0"], { cwd: tree });
  await writeFile(join(tree, "large"), randomBytes(24 * 1024 * 1024));
  head = await ssh.git.commit(tree, {});
  await ssh.git.ok(["push", "-q", addressWithToken(server.webUrl, "ada/code", ada.token), "main"], {
    cwd: tree,
  });
  const directory = server.container.platform.storage.directory(json.id);
  await ssh.git.ok(["--git-dir", directory, "-c", "pack.compression=0", "repack", "-adq"]);
});
afterEach(async () => {
  raw.endAll();
  server.config.gitExchanges.pace.graceMs = usualGraceMs;
  await eventually(async () => (await running()) === 0);
});
afterAll(async () => {
  await ssh?.remove();
  await server?.stop();
});

const running = () => raw.metric('forgeline_git_exchanges{state="running"}');
const endedAsSlow = () => raw.metric("forgeline_git_exchanges_ended_as_slow_total");
const ofAda = () => ({ Authorization: `Bearer ${ada.token}` });
const closed = (call: ClientRequest) => new Promise<void>((resolve) => call.once("close", () => resolve()));

/** Asks for all of the repository and reads nothing. */
function readsNothing(headers = {}): ClientRequest {
  const call = raw.rpc("upload-pack", headers);
  call.on("response", (response) => response.pause());
  call.end(fetchOf(head));
  return call;
}

/** Begins a push and sends no more of it. */
function sendsNothing(): ClientRequest {
  const call = raw.rpc("receive-pack", ofAda());
  call.write(packet(`${zeroId} ${head} refs/heads/other\0 report-status\n`));
  return call;
}

describe("who does not go on", () => {
  it.each([
    ["reads nothing over HTTPS", async () => void readsNothing()],
    ["does not send its push over HTTPS", async () => void sendsNothing()],
    ["downloads an archive and reads nothing", async () => archiveUnread()],
    [
      "asks for nothing over SSH",
      async () => void (await raw.silent(await raw.connection(), "git-upload-pack 'ada/code'")),
    ],
    [
      "does not send its push over SSH",
      async () => void (await raw.silent(await raw.connection(), "git-receive-pack 'ada/code'")),
    ],
  ])("keeps its place until somebody else waits for it: %s", async (_what, hold) => {
    server.config.gitExchanges.pace.graceMs = 500;
    for (let n = 0; n < places; n += 1) await hold();
    await eventually(async () => (await running()) === places);
    const before = await endedAsSlow();
    expect((await raw.lists(bob)).stdout).toContain(head);
    expect(await endedAsSlow()).toBeGreaterThan(before);
  });

  it("loses nothing that it sends slowly while nobody waits", async () => {
    server.config.gitExchanges.pace.graceMs = 1;
    const call = readsNothing();
    await eventually(async () => (await running()) === 1);
    expect((await raw.lists(bob)).stdout).toContain(head);
    expect(call.destroyed).toBe(false);
  });

  it("and is gone before it is known what it may holds nothing", async () => {
    const body = gzipSync(packet(`${zeroId} ${head} refs/heads/other\0 report-status\n`));
    const { authorizer } = server.container.policy;
    const authorize = authorizer.authorizeRepository.bind(authorizer);
    const asked = vi.spyOn(authorizer, "authorizeRepository");
    try {
      for (let n = 0; n < places; n += 1) {
        const call = raw.rpc("receive-pack", { ...ofAda(), "Content-Encoding": "gzip" });
        const left = closed(call);
        asked.mockImplementationOnce(async (...given) => {
          call.destroy();
          await left;
          // The server has heard of it when it answers what came later.
          for (let times = 0; times < 2; times += 1) await server.api("GET", "/meta");
          return authorize(...given);
        });
        call.end(body);
        await left;
      }
      await eventually(
        () => asked.mock.settledResults.filter(({ type }) => type === "fulfilled").length === places,
      );
    } finally {
      asked.mockRestore();
    }
    await eventually(async () => (await running()) === 0);
    expect((await raw.lists(bob)).stdout).toContain(head);
  });

  it("has moved nothing where its push is ended", async () => {
    server.config.gitExchanges.pace.graceMs = 1;
    const calls = Array.from({ length: places }, () => sendsNothing());
    await eventually(async () => (await running()) === places);
    const all = calls.map(closed);
    expect((await raw.lists(bob)).stdout).toContain(head);
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
  raw.opened.push(call);
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
      expect(refused.stderr).toContain("This account, including the keys and jobs of its repositories");
      expect((await raw.lists(bob)).stdout).toContain(head);
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
      expect(refused.stderr).toContain("as many anonymous Git operations");
      expect((await raw.lists(bob)).stdout).toContain(head);
    } finally {
      Object.assign(server.config.gitExchanges, { ofStrangers: places, waitMs: 50_000 });
    }
  });
});
