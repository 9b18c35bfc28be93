/** How many Git exchanges there may be at a time, over both transports together, and how long one that does not move may stay. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import type { ClientRequest, IncomingMessage } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import { eventually } from "../../support/eventually.ts";
import { createSshClient, type SshClient, type SshKeyFile } from "../../support/ssh-client.ts";
import { addressWithToken, createGitClient, type GitAnswer, type GitClient } from "./git-client.ts";

let server: ApiServer;
let git: GitClient;
let ada: TestPerson;
let bob: TestPerson;
let head: string;
const held = new Set<ClientRequest>();
/** Who finds no place is refused soon, and nobody who keeps one loses it. */
const usual = { waitMs: 300, idleMs: 3_600_000 };

beforeAll(async () => {
  server = await startApiServer({
    env: {
      FORGELINE_SSH_PORT: "0",
      FORGELINE_GIT_EXCHANGES: "3",
      FORGELINE_GIT_EXCHANGES_OF_REPOSITORY: "2",
      FORGELINE_GIT_EXCHANGES_OF_USER: "1",
      FORGELINE_GIT_WAIT_MS: String(usual.waitMs),
      FORGELINE_GIT_IDLE_MS: String(usual.idleMs),
    },
  });
  git = await createGitClient(server.caFile);
  [ada, bob] = [await server.person("ada"), await server.person("bob")];
  const body = { name: "code", visibility: "public" };
  const created = await server.api("POST", "/repos", { token: ada.token, body });
  const tree = await git.workTree();
  await git.ok(["config", "core.compression", "0"], { cwd: tree });
  await writeFile(join(tree, "large"), randomBytes(24 * 1024 * 1024));
  head = await git.commit(tree, {});
  await git.ok(["push", "-q", address(ada), "main"], { cwd: tree });
  // Sent as it lies there: nothing moves while a server computes, either.
  const directory = server.container.platform.storage.directory(created.json.id);
  await git.ok(["--git-dir", directory, "-c", "pack.compression=0", "repack", "-adq"]);
  await eventually(async () => (await exchanges()).running === 0);
});
afterEach(async () => {
  for (const each of held) each.destroy();
  held.clear();
  Object.assign(server.config.gitExchanges, usual);
  await eventually(async () => (await exchanges()).running === 0);
});
afterAll(async () => {
  await git?.remove();
  await server?.stop();
});

const address = (person: TestPerson) => addressWithToken(server.webUrl, "ada/code", person.token);
/** With the token at once; otherwise Git asks as nobody first, and may. */
const list = (person: TestPerson) => {
  const header = `http.extraHeader=Authorization: Bearer ${person.token}`;
  return git.run(["-c", header, "ls-remote", `${server.webUrl}/ada/code.git`, "refs/heads/main"]);
};

async function exchanges(): Promise<{ running: number; waiting: number }> {
  const text = await server.container.platform.metrics.metrics();
  const of = (state: string) =>
    Number(new RegExp(`^forgeline_git_exchanges\\{state="${state}"\\} (\\d+)$`, "m").exec(text)?.[1]);
  return { running: of("running"), waiting: of("waiting") };
}

function fetchRequest(token?: string): ClientRequest {
  const req = request(`${server.webUrl}/ada/code.git/git-upload-pack`, {
    method: "POST",
    ca: server.ca,
    agent: false,
    headers: {
      "Content-Type": "application/x-git-upload-pack-request",
      "Git-Protocol": "version=2",
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
    },
  });
  req.on("error", () => undefined);
  held.add(req);
  return req;
}

/** Takes a place, and keeps it by not reading its pack. */
async function hold(person: TestPerson): Promise<ClientRequest> {
  const { running } = await exchanges();
  const req = fetchRequest(person.token);
  req.on("response", (response) => response.pause());
  req.end(cloneRequest());
  await eventually(async () => (await exchanges()).running === running + 1);
  return req;
}

const cloneRequest = () =>
  `${packet("command=fetch\n")}0001${packet("no-progress\n")}${packet(`want ${head}\n`)}${packet("done\n")}0000`;

/** All places of ada's are taken just before the n-th request of what the client does. */
async function refusedFrom(nth: number, args: readonly string[], cwd = git.home): Promise<GitAnswer> {
  const { exchangeSlots } = server.container.platform.exchanges;
  const enter = exchangeSlots.enter.bind(exchangeSlots);
  let entered = 0;
  const spy = vi.spyOn(exchangeSlots, "enter").mockImplementation(async (claim) => {
    entered += 1;
    if (entered === nth) await hold(ada);
    return enter(claim);
  });
  try {
    return await git.run(["-c", `http.extraHeader=Authorization: Bearer ${ada.token}`, ...args], { cwd });
  } finally {
    spy.mockRestore();
  }
}

const packet = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text;

describe("Git exchanges at a time", () => {
  it("of one user: one more waits, and goes on when there is a place", async () => {
    server.config.gitExchanges.waitMs = 3_600_000;
    const first = await hold(ada);
    const listed = list(ada);
    await eventually(async () => (await exchanges()).waiting === 1);
    first.destroy();
    expect((await listed).stdout).toContain(head);
  });

  it("of one user: one more is refused after its time to wait, others are not", async () => {
    await hold(ada);
    const refused = await list(ada);
    expect(refused.code).toBe(128);
    expect(refused.stderr).toContain("remote: You have reached the limit of concurrent Git operations");
    expect(refused.stderr).toContain("503");
    expect((await list(bob)).stdout).toContain(head);
  });

  it("of one repository: a stranger is refused, and told when to come again", async () => {
    await hold(ada);
    await hold(bob);
    const answer = await server.api("POST", "//ada/code.git/git-upload-pack", {
      headers: { "Content-Type": "application/x-git-upload-pack-request", "Git-Protocol": "version=2" },
      body: "0000",
    });
    expect(answer.status).toBe(503);
    expect(answer.headers["retry-after"]).toBe("10");
    expect(answer.headers["content-type"]).toContain("text/plain");
    expect(answer.text).toContain("This repository has reached its limit");
    const text = await server.container.platform.metrics.metrics();
    expect(text).toMatch(/forgeline_git_exchanges_refused_total\{full="repository"\} \d/);
  });

  it("a pushing user's place is the same", async () => {
    await hold(ada);
    const tree = await git.workTree();
    const refused = await git.run(["push", address(ada), "main:refs/heads/other"], { cwd: tree });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("remote: You have reached the limit of concurrent Git operations");
  });
});

describe("a refusal in the middle of an exchange", () => {
  const url = () => `${server.webUrl}/ada/code.git`;
  /** As metrics have them. */
  const refusals = async () => {
    const line = /_count\{method="POST",route="git",status="503"\} (\d+)/;
    return Number(line.exec(await server.container.platform.metrics.metrics())?.[1] ?? 0);
  };

  it.each([
    [0, 2],
    [2, 3],
  ])("of a fetch in version %i, request %i, is shown with its reason", async (version, nth) => {
    const directory = join(git.home, `v${version}-${nth}`);
    const before = await refusals();
    const refused = await refusedFrom(nth, ["-c", `protocol.version=${version}`, "clone", url(), directory]);
    expect([refused.code, refused.stderr]).toEqual([
      128,
      expect.stringContaining("remote error: You have reached the limit of concurrent Git operations"),
    ]);
    await eventually(async () => (await refusals()) === before + 1);
  });

  it.each([
    ["small", 10],
    ["long", 2_000_000],
  ])("of a %s push is shown with its reason, for each ref", async (_what, bytes) => {
    const tree = await git.workTree();
    await writeFile(join(tree, "more"), randomBytes(bytes));
    await git.commit(tree, {});
    const refs = ["main:refs/heads/one", "main:refs/tags/two"];
    const refused = await refusedFrom(2, ["push", url(), ...refs], tree);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("remote: You have reached the limit of concurrent Git operations");
    expect(refused.stderr).toMatch(/! \[remote rejected\] main -> one \(unavailable\)/);
    expect(refused.stderr).toMatch(/! \[remote rejected\] main -> two \(unavailable\)/);
    const after = await list(bob);
    expect(after.stdout).toContain(head);
  });
});

describe("over SSH", () => {
  let ssh: SshClient;
  let key: SshKeyFile;
  beforeAll(async () => {
    ssh = await createSshClient(server);
    key = await ssh.keyOf(ada);
  });
  afterAll(() => ssh?.remove());

  it("places are shared with HTTPS, and a refusal is one line", async () => {
    const first = await hold(ada);
    const listing = () => ssh.git.run(["ls-remote", ssh.address("ada/code")], { env: ssh.env(key) });
    const refused = await listing();
    expect(refused.code).toBe(128);
    expect(refused.stderr.split("\n")[0]).toMatch(
      /^ERROR: You have reached the limit of concurrent Git operations .* finished\.\r?$/,
    );
    first.destroy();
    await eventually(async () => (await exchanges()).running === 0);
    expect((await listing()).stdout).toContain(head);
  });
});

describe("a client that does not move", () => {
  beforeEach(() => {
    server.config.gitExchanges.idleMs = 2_000;
  });

  it("and does not send the rest of its request has no place, and is cut", async () => {
    const req = fetchRequest(ada.token);
    req.write("0014command=ls-refs\n");
    await new Promise((resolve) => req.once("close", resolve));
    expect((await exchanges()).running).toBe(0);
  });

  it("and does not read its pack loses its place, and Git ends", async () => {
    const req = fetchRequest(ada.token);
    req.end(cloneRequest());
    const [response] = (await once(req, "response")) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    const broken = new Promise<boolean>((resolve) => {
      response.once("error", () => resolve(true));
      response.once("end", () => resolve(!response.complete));
    });
    response.pause();
    expect((await exchanges()).running).toBe(1);
    await eventually(async () => (await exchanges()).running === 0, { timeoutMs: 40_000 });
    response.resume();
    expect(await broken).toBe(true);
  });
});
