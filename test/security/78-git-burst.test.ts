/** Row 78: requests that make Git work, many at once, start no more processes than the settings say, whoever asks. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { request } from "node:https";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ProcessStarter } from "@forgeline/server/platform/processes/process-starter.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../support/api-server.ts";
import { eventually } from "../support/eventually.ts";
import { burstHistory, burstPath } from "../support/git-burst.ts";
import { manyRequests } from "../support/many-requests.ts";
import { shareStarter } from "../support/share-starter.ts";
import { createSshClient } from "../support/ssh-client.ts";
import { addressWithToken, createGitClient } from "../integration/git/git-client.ts";

const limits = { inAll: 3, ofRepository: 3, ofUser: 2, readers: 1 };
let server: ApiServer;
let ada: TestPerson;
let bob: TestPerson;
/** Of the programs that the server started: how many run, and how many there were at most. */
const programs = { running: 0, max: 0 };

/** Counts exactly, also those that end within a millisecond. */
function countedStarter(): ProcessStarter {
  const starter = shareStarter();
  return {
    async start(order) {
      programs.running += 1;
      programs.max = Math.max(programs.max, programs.running);
      const child = await starter.start(order);
      void child.exited.then(() => (programs.running -= 1));
      return child;
    },
    close: () => starter.close(),
  };
}

beforeAll(async () => {
  server = await startApiServer({
    env: {
      FORGELINE_GIT_QUESTIONS: String(limits.inAll),
      FORGELINE_GIT_QUESTIONS_OF_REPOSITORY: String(limits.ofRepository),
      FORGELINE_GIT_QUESTIONS_OF_USER: String(limits.ofUser),
      // Fewer than wait for Git below: those keep no other request of theirs waiting.
      FORGELINE_REQUESTS_AT_ONCE: "4",
    },
    starter: countedStarter(),
  });
  [ada, bob] = [await server.person("ada"), await server.person("bob")];
  const body = { name: "code", visibility: "public" };
  const { json } = await server.api("POST", "/repos", { token: ada.token, body });
  const directory = server.container.platform.storage.directory(json.id);
  execFileSync("git", ["--git-dir", directory, "fast-import", "--quiet"], { input: burstHistory() });
});
afterAll(() => server?.stop());

async function metric(name: string, of = server): Promise<number> {
  const text = await of.container.platform.metrics.metrics();
  const line = text.split("\n").find((each) => each.startsWith(`${name} `));
  return Number(line?.split(" ").at(-1) ?? 0);
}
const questions = (state: string) => metric(`forgeline_git_questions{state="${state}"}`);

describe("a burst of blame, history and comparisons", () => {
  it("starts as many processes as one user may have, and every answer is clear", async () => {
    programs.max = programs.running;
    const { send, close } = manyRequests(server, { atOnce: 24 });
    const headers = { Authorization: `Bearer ${ada.token}` };
    const paths = Array.from({ length: 24 }, (_, n) => burstPath("ada/code", n));
    const answers = await Promise.all(paths.map((path) => send("GET", path, headers)));
    close();
    expect(programs.max).toBeLessThanOrEqual(limits.ofUser + limits.readers);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.filter((each) => each.status !== 503 || each.headers["retry-after"] !== "10")).toEqual([]);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(await questions("running")).toBe(0);
  });

  it("of one user leaves room for another, whose question goes first", async () => {
    const { send, close } = manyRequests(server, { atOnce: 16 });
    const adas = { Authorization: `Bearer ${ada.token}` };
    let answered = 0;
    const burst = Array.from({ length: 16 }, (_, n) =>
      send("GET", burstPath("ada/code", n), adas).then(() => (answered += 1)),
    );
    await eventually(async () => (await questions("waiting")) > 0);
    const other = await server.api("GET", burstPath("ada/code", 1), { token: bob.token });
    expect([other.status, answered < 16]).toEqual([200, true]);
    await Promise.all(burst);
    close();
  });

  it("leaves the queue when its clients go away", async () => {
    const calls = Array.from({ length: 24 }, (_, n) => {
      const headers = { Authorization: `Bearer ${ada.token}` };
      const options = { ca: server.ca, agent: false as const, headers };
      const call = request(`${server.baseUrl}${burstPath("ada/code", n)}`, options);
      call.on("error", () => undefined);
      call.end();
      return call;
    });
    await eventually(async () => (await questions("waiting")) > 5);
    const before = await metric("forgeline_git_question_wait_seconds_count");
    for (const call of calls) call.destroy();
    await eventually(async () => (await questions("waiting")) + (await questions("running")) === 0);
    // What was started meanwhile is what ran when they went, not what waited.
    expect((await metric("forgeline_git_question_wait_seconds_count")) - before).toBeLessThan(24);
  });
});

describe("with one place of each kind", () => {
  let narrow: ApiServer;
  beforeAll(async () => {
    const places = ["EXCHANGES", "QUESTIONS", "BACKGROUND"].map((name) => [`FORGELINE_GIT_${name}`, "1"]);
    const env = { FORGELINE_SSH_PORT: "0", ...Object.fromEntries(places) };
    narrow = await startApiServer({ env });
  });
  afterAll(() => narrow?.stop());

  it("nothing waits for itself: pushes whose hooks ask Git, clones, comparisons, archives, writes, forks", async () => {
    const [cyd, dee] = [await narrow.person("cyd"), await narrow.person("dee")];
    const git = await createGitClient(narrow.caFile);
    const ssh = await createSshClient(narrow);
    const get = (path: string) => narrow.api("GET", path, { token: cyd.token });
    const post = (path: string, body: unknown, { token } = cyd) =>
      narrow.api("POST", path, { token, body }).then(({ status }) => status);
    try {
      expect(await post("/repos", { name: "code", visibility: "public" })).toBe(201);
      expect(await post("/repos/cyd/code/branch-protections", { pattern: "main" })).toBe(201);
      const tree = await git.workTree();
      const env = ssh.env(await ssh.keyOf(cyd));
      await git.ok(["push", "-q", addressWithToken(narrow.webUrl, "cyd/code", cyd.token), "main"], {
        cwd: tree,
      });
      const before = await metric("forgeline_git_background_wait_seconds_count", narrow);
      await git.commit(tree, { more: "more\n" });
      await ssh.git.ok(["push", "-q", ssh.address("cyd/code"), "main", "main:side"], { cwd: tree, env });
      await ssh.git.ok(["clone", "-q", ssh.address("cyd/code"), join(git.home, "clone")], { env });
      // In the older protocol, a commit that no ref names makes the server ask Git while the client speaks.
      const shallow = join(git.home, "shallow");
      await ssh.git.ok(["clone", "-q", "--depth=1", ssh.address("cyd/code"), shallow], { env });
      const first = (await git.ok(["rev-parse", "main~"], { cwd: tree })).trim();
      const oldFetch = ["-c", "protocol.version=0", "fetch", "-q", "origin", first];
      await ssh.git.ok(oldFetch, { cwd: shallow, env });
      // Over SSH, too, what Git is asked belongs to the place of who asks.
      expect(await metric("forgeline_git_background_wait_seconds_count", narrow)).toBe(before);
      const reads = ["compare/main...side", "blame/main/more", "commits?path=more", "tarball/main"];
      const answers = await Promise.all(reads.map((path) => get(`/repos/cyd/code/${path}`)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const content = Buffer.from("text").toString("base64");
      const body = { message: "write", content, branch: "side" };
      const written = await narrow.api("PUT", "/repos/cyd/code/contents/new", { token: cyd.token, body });
      expect(written.status).toBe(200);
      expect(await post("/repos/cyd/code/forks", {}, dee)).toBe(201);
      await eventually(async () => (await narrow.api("GET", "/repos/dee/code/commits")).json?.length === 2);
    } finally {
      await ssh.remove();
      await git.remove();
    }
  });
});
