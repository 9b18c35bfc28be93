/** Pushes by the real Git over HTTPS: what arrives, what is recorded, what is refused. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import { eventually } from "../../support/eventually.ts";
import { size } from "../../support/size.ts";
import { addressWithToken, createGitClient, type GitClient } from "./git-client.ts";

let server: ApiServer;
let git: GitClient;
let ada: TestPerson;
let made = 0;

beforeAll(async () => {
  server = await startApiServer();
  git = await createGitClient(server.caFile);
  ada = await server.person("ada");
});
afterAll(async () => {
  await git?.remove();
  await server?.stop();
});

async function repository(extra: object = {}) {
  const name = `r${made++}`;
  const answer = await server.api("POST", "/repos", { token: ada.token, body: { name, ...extra } });
  expect(answer.status).toBe(201);
  return {
    id: answer.json.id as string,
    url: addressWithToken(server.webUrl, `ada/${name}`, ada.token),
    name,
  };
}

async function pushes(repositoryId: string) {
  return server.container.platform.db.query<{
    state: string;
    updates: { ref: string; before: string; after: string }[];
    options: string[];
  }>("select state, updates, options from pushes where repository_id = $1 order by id", [repositoryId]);
}

const zero = "0".repeat(40);

describe("a push", () => {
  it("moves the ref and is recorded before git ends", async () => {
    const { id, url } = await repository();
    const tree = await git.workTree();
    const head = await git.ok(["rev-parse", "HEAD"], { cwd: tree });
    await git.ok(["push", "-q", "-o", "ci.note", url, "main"], { cwd: tree });
    expect(await pushes(id)).toEqual([
      {
        state: "recorded",
        updates: [{ ref: "refs/heads/main", before: zero, after: head }],
        options: ["ci.note"],
      },
    ]);
    expect(await git.ok(["ls-remote", url, "refs/heads/main"])).toBe(`${head}\trefs/heads/main`);
  });

  it("may force, delete, and move several refs at once", async () => {
    const { id, url } = await repository();
    const tree = await git.workTree();
    await git.ok(["push", "-q", "--atomic", url, "main", "main:side", "main:refs/tags/v1"], { cwd: tree });
    await git.ok(["commit", "-q", "--amend", "-m", "other"], { cwd: tree });
    expect((await git.run(["push", "-q", url, "main"], { cwd: tree })).code).not.toBe(0);
    await git.ok(["push", "-q", "--force", url, "main"], { cwd: tree });
    await git.ok(["push", "-q", url, ":side"], { cwd: tree });
    const recorded = await pushes(id);
    expect(recorded.map((push) => [push.state, push.updates.length])).toEqual([
      ["recorded", 3],
      ["recorded", 1],
      ["recorded", 1],
    ]);
    expect(recorded[2]!.updates[0]).toMatchObject({ ref: "refs/heads/side", after: zero });
  });

  it("of the first branch makes it the default one, which a clone checks out", async () => {
    const defaultOf = async (name: string) =>
      (await server.api("GET", `/repos/ada/${name}`, { token: ada.token })).json.default_branch;
    const tree = await git.workTree();
    const first = await repository();
    const said = await git.run(["push", first.url, "main:develop", "main:master", "main:refs/tags/v1"], {
      cwd: tree,
    });
    expect(said.stderr).toContain("The default branch is now master");
    expect(await defaultOf(first.name)).toBe("master");
    await git.ok(["clone", "-q", first.url, `${git.home}/first`]);
    expect(await git.ok(["-C", `${git.home}/first`, "symbolic-ref", "HEAD"])).toBe("refs/heads/master");
    const text = "select actor_username, details from audit_log where action = 'repo.settings_change'";
    expect(await server.container.platform.db.query(text)).toEqual([
      { actor_username: "ada", details: { changes: { default_branch: { from: "main", to: "master" } } } },
    ]);
    await git.ok(["push", "-q", first.url, "main:later"], { cwd: tree });
    expect(await defaultOf(first.name)).toBe("master");

    const chosen = await repository({ default_branch: "trunk" });
    await git.ok(["push", "-q", chosen.url, "main:master"], { cwd: tree });
    expect(await defaultOf(chosen.name)).toBe("trunk");
    const usual = await repository();
    await git.ok(["push", "-q", usual.url, "main:master", "main"], { cwd: tree });
    expect(await defaultOf(usual.name)).toBe("main");
  });

  it("records only what moved when a part of it is refused by Git", async () => {
    const { id, url } = await repository();
    const tree = await git.workTree();
    await git.ok(["push", "-q", url, "main"], { cwd: tree });
    const after = await git.commit(tree, {});
    // A branch cannot lie below another one: Git refuses this name and moves the other.
    const answer = await git.run(["push", "-q", url, "main", "main:refs/heads/main/below"], { cwd: tree });
    expect(answer.code).not.toBe(0);
    const recorded = await pushes(id);
    expect(recorded).toHaveLength(2);
    expect(recorded[1]!.state).toBe("recorded");
    expect(recorded[1]!.updates).toHaveLength(1);
    expect(recorded[1]!.updates[0]!.after).toBe(after);
  });

  it("of two clients at once: one wins a ref, and both tell the truth", async () => {
    const { id, url } = await repository();
    const tree = await git.workTree();
    await git.ok(["push", "-q", url, "main"], { cwd: tree });
    const others = await Promise.all(
      [0, 1, 2].map(async (n) => {
        const clone = `${git.home}/race-${n}`;
        await git.ok(["clone", "-q", url, clone]);
        await git.commit(clone, { "n.txt": String(n) });
        return clone;
      }),
    );
    const answers = await Promise.all(others.map((cwd) => git.run(["push", url, "main"], { cwd })));
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1);
    const recorded = (await pushes(id)).filter((push) => push.state === "recorded");
    expect(recorded).toHaveLength(2);
    expect((await pushes(id)).filter((push) => push.state === "intended")).toEqual([]);
  });

  it("of two clients that make the same move at once is told once", async () => {
    const { id, url } = await repository();
    const tree = await git.workTree();
    await git.ok(["push", "-q", url, "main"], { cwd: tree });
    await git.commit(tree, { "n.txt": "n" });
    const names = Array.from({ length: size(2, 6) }, (_, n) => `same-${n}`);
    await git.ok(["push", "-q", url, ...names.map((name) => `main~1:refs/heads/${name}`)], { cwd: tree });
    const twice = (args: string[]) =>
      Promise.all([0, 1].map(() => git.run(["push", "-q", url, ...args], { cwd: tree })));
    for (const name of names) {
      await twice([`main:${name}`]);
      await twice([`:${name}`]);
    }
    // A raced push that Git refused may wait for the other one to be recorded.
    const told = await eventually(async () => {
      const all = await pushes(id);
      return all.every(({ state }) => state !== "intended") && all;
    });
    const moves = told.filter(({ state }) => state === "recorded").flatMap(({ updates }) => updates);
    for (const name of names) expect(moves.filter(({ ref }) => ref === `refs/heads/${name}`)).toHaveLength(3);
  });

  it("that deletes what is not there tells nobody", async () => {
    const { id, url } = await repository();
    const tree = await git.workTree();
    await git.ok(["push", "-q", url, "main"], { cwd: tree });
    expect((await git.run(["push", url, ":refs/tags/never"], { cwd: tree })).code).toBe(0);
    expect((await pushes(id)).map(({ state }) => state)).toEqual(["recorded", "refused"]);
  });

  it("of many refs is taken whole", async () => {
    const { id, url } = await repository();
    const tree = await git.workTree();
    const refs = Array.from({ length: 300 }, (_, n) => `main:refs/heads/many/b${n}`);
    await git.ok(["push", "-q", "--atomic", url, ...refs], { cwd: tree });
    expect((await pushes(id))[0]!.updates).toHaveLength(300);
  });

  it("of many megabytes passes through", async () => {
    const { url } = await repository();
    const tree = await git.workTree({ "big.bin": randomBytes(size(4, 16) * 1024 * 1024).toString("base64") });
    await git.ok(["-c", "http.postBuffer=65536", "push", "-q", url, "main"], { cwd: tree });
    await git.ok(["clone", "-q", url, `${git.home}/big`]);
    expect(await git.ok(["-C", `${git.home}/big`, "rev-parse", "HEAD:big.bin"])).toBe(
      await git.ok(["rev-parse", "HEAD:big.bin"], { cwd: tree }),
    );
  });
});

describe("a push is refused", () => {
  const names = [
    "refs/heads/--exec=x",
    "refs/tags/-v",
    "refs/internal/x",
    "refs/heads/refs/heads/main",
    "refs/heads/HEAD",
    `refs/heads/${"a".repeat(40)}`,
    `refs/heads/${"ü".repeat(126)}`,
    `refs/heads/${"some-directory/".repeat(70)}x`,
  ];
  it("for a name that no ref may have, and nothing of it moves", async () => {
    const { id, url } = await repository();
    const tree = await git.workTree();
    for (const name of names) {
      const answer = await git.run(["push", url, "HEAD:refs/heads/good", `HEAD:${name}`], { cwd: tree });
      expect([name, answer.code === 0]).toEqual([name, false]);
      // Why, in words.
      expect(answer.stderr).toContain(`remote: ${name}: `);
    }
    expect(await git.ok(["ls-remote", url])).toBe("");
    expect(await pushes(id)).toEqual([]);
  });

  it("with the last of many lines being bad", async () => {
    const { url } = await repository();
    const tree = await git.workTree();
    const refs = Array.from({ length: 200 }, (_, n) => `main:refs/heads/a${n}`);
    const answer = await git.run(["push", url, ...refs, "main:refs/heads/--exec=x"], { cwd: tree });
    expect(answer.stderr).toContain("must not start with '-'");
    expect(await git.ok(["ls-remote", url])).toBe("");
  });

  it("when the default branch would go", async () => {
    const { url } = await repository();
    const tree = await git.workTree();
    await git.ok(["push", "-q", url, "main"], { cwd: tree });
    const answer = await git.run(["push", url, ":main"], { cwd: tree });
    expect(answer.stderr).toContain("the default branch cannot be deleted");
  });

  it("when the repository is archived", async () => {
    const { id, url } = await repository();
    await server.container.platform.db.query("update repositories set archived = true where id = $1", [id]);
    const answer = await git.run(["push", url, "main"], { cwd: await git.workTree() });
    expect(answer.stderr).toContain("archived");
    expect(await pushes(id)).toEqual([]);
  });

  it("when objects are malformed", async () => {
    const { url } = await repository();
    const tree = await git.workTree();
    const { execFileSync } = await import("node:child_process");
    const blob = await git.ok(["rev-parse", "HEAD:README.md"], { cwd: tree });
    const entry = Buffer.concat([Buffer.from("100644 .git\0"), Buffer.from(blob, "hex")]);
    const hash = (type: string, input: Buffer) =>
      execFileSync("git", ["hash-object", "-w", "--literally", "-t", type, "--stdin"], { cwd: tree, input })
        .toString()
        .trim();
    const commit = await git.ok(["commit-tree", hash("tree", entry), "-m", "bad"], { cwd: tree });
    const answer = await git.run(["push", url, `${commit}:refs/heads/bad`], { cwd: tree });
    expect(answer.code).not.toBe(0);
    expect(await git.ok(["ls-remote", url])).toBe("");
  });
});

describe("a client that goes away", () => {
  it("in the middle of sending leaves nothing behind", async () => {
    const { id, name } = await repository();
    const { request } = await import("node:https");
    const closed = await new Promise<string>((resolve) => {
      const req = request(`${server.webUrl}/ada/${name}.git/git-receive-pack`, {
        method: "POST",
        ca: server.ca,
        headers: {
          authorization: `Bearer ${ada.token}`,
          "content-type": "application/x-git-receive-pack-request",
          "content-length": "1000000",
        },
      });
      req.on("error", () => resolve("error"));
      const line = `${zero} ${"a".repeat(40)} refs/heads/main\0report-status`;
      req.write(`${(line.length + 4).toString(16).padStart(4, "0")}${line}0000PACK`, () => req.destroy());
    });
    expect(closed).toBe("error");
    const objects = `${server.container.platform.storage.directory(id)}/objects`;
    const { readdir } = await import("node:fs/promises");
    await eventually(async () => (await readdir(objects)).sort().join() === "info,pack");
    expect(await pushes(id)).toEqual([]);
  });
});

it("a push over the size limit is refused, and leaves nothing", async () => {
  const small = await startApiServer({ beside: server, env: { FORGELINE_MAX_PUSH_BYTES: "200000" } });
  try {
    const { id, name } = await repository();
    const tree = await git.workTree({ "big.bin": randomBytes(400_000).toString("base64") });
    const url = addressWithToken(small.webUrl, `ada/${name}`, ada.token);
    const settings = { cwd: tree, env: { GIT_SSL_CAINFO: small.caFile } };
    const answer = await git.run(["push", url, "main"], settings);
    expect(answer.code).not.toBe(0);
    expect(answer.stderr).toContain("maximum allowed size");
    expect(await pushes(id)).toEqual([]);
    await git.ok(["push", "-q", url, "HEAD:refs/heads/main"], { ...settings, cwd: await git.workTree() });
  } finally {
    await small.stop();
  }
});
