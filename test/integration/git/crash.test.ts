/** A server that is killed during a push: nothing acknowledged is lost, nothing is recorded twice. */
import { readdir, utimes, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { PushService, RecordedPush } from "@forgeline/server/domains/hosting/domain.ts";
import type { RefUpdate } from "@forgeline/server/platform/git/refs/ref-update.ts";
import { insertIntent } from "@forgeline/server/domains/hosting/pushes/pushes.store.ts";
import type { CrashPoint } from "@forgeline/server/platform/crash-point.ts";
import { zeroId } from "@forgeline/server/platform/git/refs/names.ts";
import { newId } from "@forgeline/server/platform/ids.ts";
import { eventually } from "../../support/eventually.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import { telling } from "../../support/size.ts";
import { createSshClient } from "../../support/ssh-client.ts";
import type { Program } from "../../support/program.ts";
import { startDoomedServer, type DoomedServer } from "./doomed-server.ts";
import { addressWithToken, createGitClient, type GitClient } from "./git-client.ts";
import { settlerOf } from "./open-pushes.ts";

// The server in this process makes people, looks and settles; the ones that die are processes of their own.
let server: ApiServer;
const platform = () => server.container.platform;
let git: GitClient;
let ada: TestPerson;
/** Settles pushes; before it records one that it has looked at, it does what is given. */
let settlerAfter: (meanwhile: () => Promise<unknown>) => PushService;
let pushReconciler: PushService;
let doomed: Program | undefined;
/** What followed from pushes, in committed transactions. */
const followed: RecordedPush[] = [];

beforeAll(async () => {
  server = await startApiServer({ env: { FORGELINE_SSH_PORT: "0" } });
  server.container.hosting.pushes.close();
  settlerAfter = (meanwhile) =>
    settlerOf(server, {
      prepare: async (push) => {
        await meanwhile();
        return async (tx) => (tx.afterCommit(() => followed.push(push)), []);
      },
    });
  pushReconciler = settlerAfter(() => Promise.resolve());
  git = await createGitClient(server.caFile);
  ada = await server.person("ada");
});
afterEach(async () => {
  await doomed?.kill();
  followed.length = 0;
});
afterAll(async () => {
  await git?.remove();
  await server?.stop();
});

async function serverThatDiesAt(point: CrashPoint): Promise<DoomedServer> {
  const started = await startDoomedServer({ server, git, token: ada.token }, point);
  doomed = started.program;
  return started;
}

async function repository(name: string): Promise<{ id: string; url: string }> {
  const { json } = await server.api("POST", "/repos", { token: ada.token, body: { name } });
  return { id: json.id, url: addressWithToken(server.webUrl, `ada/${name}`, ada.token) };
}

async function states(repositoryId: string): Promise<string[]> {
  const text = "select state from pushes where repository_id = $1 order by id";
  return (await platform().db.query<{ state: string }>(text, [repositoryId])).map(({ state }) => state);
}

/** The Git of a server that was killed may outlive it for a moment, and until then its push is not looked at. */
async function settled(repositoryId: string): Promise<string[]> {
  return eventually(async () => {
    await Promise.all([pushReconciler.settleOpen(), pushReconciler.settleOpen()]);
    const now = await states(repositoryId);
    return !now.includes("intended") && now;
  });
}

async function pushAndDie(point: CrashPoint) {
  const name = point.replaceAll(/[^a-z]/g, "-");
  const { id, url } = await repository(name);
  const { webUrl, program } = await serverThatDiesAt(point);
  const tree = await git.workTree();
  const address = addressWithToken(webUrl, `ada/${name}`, ada.token);
  const answer = await git.run(["push", address, "main"], { cwd: tree });
  expect(await program.exited()).toBeNull();
  const head = await git.ok(["rev-parse", "HEAD"], { cwd: tree });
  return { id, url, tree, head, answer };
}

describe("a server killed", () => {
  it("after the intent: nothing moved, the intent is refused, and the next push goes through", async () => {
    const { id, url, tree, answer } = await pushAndDie("push.after-intent");
    expect(answer.code).not.toBe(0);
    expect(await settled(id)).toEqual(["refused"]);
    expect(followed).toEqual([]);
    await git.ok(["push", "-q", url, "main"], { cwd: tree });
    expect(await states(id)).toEqual(["refused", "recorded"]);
  });

  it("between refs and record: the push is recorded once, with what follows", async () => {
    const { id, url, head } = await pushAndDie("push.after-refs-before-record");
    expect(await states(id)).toEqual(["intended"]);
    // Another one comes first while this one is about to record it.
    const late = settlerAfter(() => settled(id));
    await eventually(async () => {
      await late.settleOpen();
      return !(await states(id)).includes("intended");
    });
    expect(await states(id)).toEqual(["recorded"]);
    expect(followed.map((push) => push.updates.map((u) => [u.ref, u.after]))).toEqual([
      [["refs/heads/main", head]],
    ]);
    expect(await git.ok(["ls-remote", url, "refs/heads/main"])).toContain(head);
  });

  it("after the record: nothing is recorded again", async () => {
    const { id, url, tree } = await pushAndDie("push.after-record-before-answer");
    expect(await settled(id)).toEqual(["recorded"]);
    expect(followed).toEqual([]);
    await git.ok(["push", "-q", url, "main"], { cwd: tree });
    expect(await states(id)).toEqual(["recorded"]);
  });
});

/** All that follows a transport is as above, but `last` of what is looked at. */
const points = (last: number) =>
  telling<[CrashPoint, end: string[], count: number]>(
    [["push.after-refs-before-record", ["recorded"], 1]],
    [
      ["push.after-intent", ["refused"], 0],
      ["push.after-record-before-answer", ["recorded"], last],
    ],
  );

describe("a server killed during a push over SSH", () => {
  it.each(points(0))("at %s: what follows happens once, or nothing did", async (point, end, follows) => {
    const name = `ssh-${point.replaceAll(/[^a-z]/g, "-")}`;
    const { id, url } = await repository(name);
    const ssh = await createSshClient(server);
    try {
      const key = await ssh.keyOf(ada);
      const { sshPort, program } = await serverThatDiesAt(point);
      const tree = await git.workTree();
      const push = ["push", ssh.address(`ada/${name}`, sshPort), "main"];
      await git.run(push, { cwd: tree, env: ssh.env(key) });
      expect(await program.exited()).toBeNull();
      expect(await settled(id)).toEqual(end);
      expect(followed).toHaveLength(follows);
      await git.ok(["push", "-q", url, "main"], { cwd: tree });
      const head = await git.ok(["rev-parse", "HEAD"], { cwd: tree });
      expect(await git.ok(["ls-remote", url, "refs/heads/main"])).toContain(head);
    } finally {
      await ssh.remove();
    }
  });
});

describe("a server killed while it pushes for an operation of its own", () => {
  /** Resolves with whether there was an answer. */
  function putFile(webUrl: string, name: string): Promise<boolean> {
    const content = Buffer.from("x").toString("base64");
    const options = {
      method: "PUT",
      ca: server.ca,
      agent: false,
      headers: { Authorization: `Bearer ${ada.token}`, "Content-Type": "application/json" },
    };
    return new Promise((resolve) => {
      const req = request(`${webUrl}/api/v1/repos/ada/${name}/contents/x.txt`, options, () => resolve(true));
      req.on("error", () => resolve(false));
      req.end(JSON.stringify({ message: "x", content }));
    });
  }

  it.each(points(1))("at %s leaves what a push would leave", async (point, end, commits) => {
    const name = `own-${point.replaceAll(/[^a-z]/g, "-")}`;
    const { id } = await repository(name);
    const { webUrl, program } = await serverThatDiesAt(point);
    expect(await putFile(webUrl, name)).toBe(false);
    expect(await program.exited()).toBeNull();
    expect(await settled(id)).toEqual(end);
    const history = await server.api("GET", `/repos/ada/${name}/commits`, { token: ada.token });
    expect(history.json).toHaveLength(commits);
    const again = await server.api("GET", `/repos/ada/${name}/contents`, { token: ada.token });
    expect(again.json).toHaveLength(commits);
  });
});

describe("settling", () => {
  async function leftOpen(id: string, updates: RefUpdate[], atomic = false): Promise<RecordedPush> {
    const push = {
      id: newId("push"),
      repositoryId: id,
      ...({ userId: ada.id, username: "ada", cause: "push", signature: null } as const),
      options: [],
      updates,
      atomic,
      jobId: null,
      reach: "starts" as const,
    };
    expect(
      await insertIntent(platform().db, push, { ageMs: 0, maxRepositoryBytes: null, writer: "gone" }),
    ).toBe("accepted");
    return push;
  }

  it("removes locks that a killed push left, so that others can push", async () => {
    const { id, url } = await repository("locked");
    const tree = await git.workTree();
    const head = await git.ok(["rev-parse", "HEAD"], { cwd: tree });
    await leftOpen(id, [{ ref: "refs/heads/main", before: zeroId, after: head }]);
    const longAgo = new Date(Date.now() - 60_000);
    for (const name of ["HEAD.lock", "refs/heads/main.lock"]) {
      const lock = join(platform().storage.directory(id), name);
      await writeFile(lock, "");
      await utimes(lock, longAgo, longAgo);
    }
    await pushReconciler.settleOpen();
    expect(await readdir(platform().storage.directory(id))).not.toContain("HEAD.lock");
    await git.ok(["push", "-q", url, "main"], { cwd: tree });
    expect((await states(id)).filter((state) => state === "recorded")).toHaveLength(1);
  });

  it("removes locks of nobody's push before the next one needs their place", async () => {
    const { id, url } = await repository("left-locks");
    const tree = await git.workTree();
    const longAgo = new Date(Date.now() - 60_000);
    for (const name of ["HEAD.lock", "packed-refs.lock", "refs/heads/main.lock"]) {
      const lock = join(platform().storage.directory(id), name);
      await writeFile(lock, "");
      await utimes(lock, longAgo, longAgo);
    }
    await git.ok(["push", "-q", url, "main"], { cwd: tree });
    expect(await states(id)).toEqual(["recorded"]);
  });

  /** As it is when Git was killed between `one` and `two` of an atomic push. */
  async function torn(name: string) {
    const { id, url } = await repository(name);
    const tree = await git.workTree();
    const head = await git.ok(["rev-parse", "HEAD"], { cwd: tree });
    await git.ok(["push", "-q", url, "main:refs/heads/one"], { cwd: tree });
    await platform().db.query("delete from pushes where repository_id = $1", [id]);
    const refs = ["refs/heads/one", "refs/heads/two"];
    await leftOpen(
      id,
      refs.map((ref) => ({ ref, before: zeroId, after: head })),
      true,
    );
    return { id, url, tree, head, list: () => git.ok(["ls-remote", url, "refs/heads/*"]) };
  }

  it("completes an atomic push that was killed in part, and records it whole", async () => {
    const { id, head, list } = await torn("torn");
    await pushReconciler.settleOpen();
    expect(await list()).toBe(`${head}\trefs/heads/one\n${head}\trefs/heads/two`);
    expect(await states(id)).toEqual(["recorded"]);
    expect(followed.flatMap((push) => push.updates.map(({ ref }) => ref))).toEqual([
      "refs/heads/one",
      "refs/heads/two",
    ]);
  });

  it("takes an atomic push back that cannot be completed", async () => {
    const { id, url, tree, list } = await torn("taken-back");
    const other = await git.commit(tree, {});
    await git.ok(["push", "-q", url, `${other}:refs/heads/two`], { cwd: tree });
    await pushReconciler.settleOpen();
    expect(await list()).toBe(`${other}\trefs/heads/two`);
    expect(await states(id)).toEqual(["refused", "recorded"]);
    expect(followed).toEqual([]);
  });

  it("knows a move that a later push has covered", async () => {
    const { id, url } = await repository("covered");
    const tree = await git.workTree();
    const first = await git.ok(["rev-parse", "HEAD"], { cwd: tree });
    await git.ok(["push", "-q", url, "main"], { cwd: tree });
    await platform().db.query("update pushes set state = 'intended' where repository_id = $1", [id]);
    await git.commit(tree, {});
    await git.ok(["push", "-q", url, "main"], { cwd: tree });
    await pushReconciler.settleOpen();
    expect(await states(id)).toEqual(["recorded", "recorded"]);
    expect(followed[0]!.updates[0]!.after).toBe(first);
  });

  it("does not take another one's move for its own", async () => {
    const { id, url } = await repository("other");
    const tree = await git.workTree();
    const after = await git.ok(["rev-parse", "HEAD"], { cwd: tree });
    await leftOpen(id, [{ ref: "refs/heads/main", before: zeroId, after }]);
    await git.ok(["push", "-q", url, "main"], { cwd: tree });
    await pushReconciler.settleOpen();
    expect(await states(id)).toEqual(["refused", "recorded"]);
  });
});
