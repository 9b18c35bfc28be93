/** Writing files over REST: each write is a commit that is pushed like any other, or it is refused and nothing moves. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiAnswer } from "../../../support/api-server.ts";
import { startGitFixture, type GitFixture } from "./fixture.ts";

let fixture: GitFixture;

beforeAll(async () => {
  fixture = await startGitFixture();
});
afterAll(() => fixture?.stop());

const base64 = (text: string) => Buffer.from(text).toString("base64");
const send = (method: string, path: string, body: unknown, token = fixture.ada.token): Promise<ApiAnswer> =>
  fixture.server.api(method, `/repos/ada/code/contents/${path}`, { token, body });
const put = (path: string, body: Record<string, unknown> = {}, token?: string) =>
  send("PUT", path, { message: `Write ${path}`.slice(0, 80), content: base64("text\n"), ...body }, token);
const head = async (branch = "main") => (await fixture.get(`/branches/${branch}`)).json.commit.sha as string;
const inBare = (...args: string[]) => fixture.client.ok(args, { cwd: fixture.bare });

async function text(path: string, ref = "main"): Promise<string | number> {
  const { status, json } = await fixture.get(`/contents/${path}?ref=${ref}`);
  return status === 200 ? Buffer.from(json.content, "base64").toString() : status;
}

describe("PUT contents", () => {
  it("makes the first commit of an empty repository", async () => {
    expect((await put("x.txt", { branch: "other" })).json.errors[0].field).toBe("branch");
    const answer = await put("docs/first.txt", { content: base64("hello\n"), message: "Begin" });
    expect(answer.status).toBe(200);
    expect(answer.json.content).toMatchObject({ path: "docs/first.txt", name: "first.txt", size: 6 });
    expect(answer.json.commit).toMatchObject({
      message: "Begin\n",
      parents: [],
      author: { name: "ada", email: "ada@users.noreply.invalid", username: "ada" },
    });
    expect(await text("docs/first.txt")).toBe("hello\n");
    expect(await head()).toBe(answer.json.commit.sha);
    await inBare("fsck", "--strict", "--no-dangling");
  });

  it("replaces what `sha` names and refuses everything else with 409", async () => {
    const made = (await put("a.txt", { content: base64("1") })).json;
    const before = await head();
    expect((await put("a.txt")).status).toBe(409);
    expect((await put("a.txt", { sha: "1".repeat(40) })).status).toBe(409);
    expect((await put("absent.txt", { sha: made.content.sha })).status).toBe(409);
    expect(await head()).toBe(before);
    const replaced = await put("a.txt", { content: base64("2"), sha: made.content.sha });
    expect(replaced.json.commit.parents).toEqual([expect.objectContaining({ sha: before })]);
    expect(await text("a.txt")).toBe("2");
    expect((await put("a.txt", { content: base64("3"), sha: made.content.sha })).status).toBe(409);
    expect(await text("docs/first.txt")).toBe("hello\n");
  });

  it("takes an author, and keeps the caller as committer", async () => {
    const author = { name: "Zoë O'Hara", email: "zoe@example.org" };
    const { json } = await put("authored.txt", { author });
    expect(json.commit).toMatchObject({ author, committer: { name: "ada" } });
    for (const wrong of [
      { name: "a\nparent x", email: "a@b.c" },
      { name: "<a>", email: "a@b.c" },
      { name: "...", email: "a@b.c" },
      { name: "a", email: "a@b>c" },
      { name: "a", email: "none" },
      { name: "a" },
    ]) {
      const answer = await put("never.txt", { author: wrong });
      expect([wrong, answer.status]).toEqual([wrong, 422]);
      expect(answer.json.errors[0].field).toMatch(/^author/);
    }
  });

  it("keeps the mode of a program, and its bytes", async () => {
    await fixture.git("fetch", "-q", "origin");
    await fixture.git("reset", "-q", "--hard", "origin/main");
    const { tree, git, client } = fixture;
    await client.commit(tree, { "run.sh": "#!/bin/sh\n" });
    await git("update-index", "--chmod=+x", "run.sh");
    await git("commit", "-q", "-m", "x");
    await git("push", "-q", "origin", "main");
    const { sha } = (await fixture.get("/contents/run.sh")).json;
    const crlf = Buffer.from("#!/bin/sh\r\n\0\xff", "latin1");
    const answer = await put("run.sh", { sha, content: crlf.toString("base64") });
    expect(answer.json.content.executable).toBe(true);
    const raw = await fixture.download("/raw/main/run.sh");
    expect(raw.body.equals(crlf)).toBe(true);
  });

  it("writes 10 MiB, and not more", async () => {
    const bytes = Buffer.alloc(10 * 1024 * 1024, "line\n");
    const big = await put("big.bin", { content: bytes.toString("base64") });
    expect([big.status, big.json.content?.size]).toEqual([200, bytes.length]);
    const more = await put("more.bin", { content: Buffer.alloc(bytes.length + 1).toString("base64") });
    expect([more.status, more.json.errors[0].field]).toEqual([422, "content"]);
    const tooMuch = await put("more.bin", { content: "A".repeat(14 * 1024 * 1024) });
    expect(tooMuch.status).toBe(413);
  });

  it("refuses bodies that are wrong, and names the field", async () => {
    const before = await head();
    const fields = async (body: Record<string, unknown>) => {
      const answer = await put("new.txt", body);
      return [answer.status, ...answer.json.errors.map((e: { field: string }) => e.field)];
    };
    expect(await fields({ content: "not base64!" })).toEqual([422, "content"]);
    expect(await fields({ content: "QUJ" })).toEqual([422, "content"]);
    expect(await fields({ content: 7 })).toEqual([422, "content"]);
    expect(await fields({ message: " \n" })).toEqual([422, "message"]);
    expect(await fields({ message: "a\0b" })).toEqual([422, "message"]);
    expect(await fields({ message: undefined })).toEqual([422, "message"]);
    expect(await fields({ sha: "HEAD" })).toEqual([422, "sha"]);
    expect(await fields({ branch: "--exec=x" })).toEqual([422, "branch"]);
    expect(await fields({ branch: "main~1" })).toEqual([422, "branch"]);
    expect(await fields({ force: true })).toEqual([422, "force"]);
    expect((await send("PUT", "new.txt", "{")).status).toBe(400);
    expect(await head()).toBe(before);
  });

  it("refuses every path that some system reads as another one", async () => {
    const before = await head();
    for (const path of [
      "..%2fescape",
      "docs%2f..%2f..%2fescape",
      "%2fetc%2fpasswd",
      "docs//x",
      "docs/",
      ".git/config",
      ".GIT/config",
      "docs/.Git/hooks/post-receive",
      "git~1/config",
      "GIT~1",
      ".git%20./x",
      ".git::$INDEX_ALLOCATION/x",
      ".g%E2%80%8Cit/x",
      "a%5C..%5Cb",
      "a%0Ab",
      "a%09b",
      "a".repeat(256),
      `${"d/".repeat(2048)}x`,
    ]) {
      const answer = await put(path);
      expect([path.slice(0, 40), answer.status, answer.json.errors?.[0].field]).toEqual([
        path.slice(0, 40),
        422,
        "path",
      ]);
    }
    // What no text can hold names nothing, for every operation.
    expect((await put("a%00b")).status).toBe(404);
    expect(await head()).toBe(before);
    for (const path of ["-x", "--exec=x", ".gitignore", "ünï#?.txt", "a b", ":(top)x", ".github/x"]) {
      expect([path, (await put(encodeURIComponent(path))).status]).toEqual([path, 200]);
      expect([path, await text(encodeURIComponent(path))]).toEqual([path, "text\n"]);
    }
  });

  it("does not write through links, files or submodules", async () => {
    const { git, client, tree } = fixture;
    await git("fetch", "-q", "origin");
    await git("reset", "-q", "--hard", "origin/main");
    await client.ok(["update-index", "--add", "--cacheinfo", `120000,${await symlinkTo("docs")},link`], {
      cwd: tree,
    });
    await git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},module`);
    await git("commit", "-q", "-m", "links");
    await git("push", "-q", "origin", "main");
    const before = await head();
    for (const path of ["link", "link/first.txt", "module", "module/x", "docs", "a.txt/below"])
      expect([path, (await put(path, { sha: "1".repeat(40) })).json.errors?.[0].field]).toEqual([
        path,
        "path",
      ]);
    expect(await head()).toBe(before);
  });

  it("has Git check what it checks of a push", async () => {
    const evil = '[submodule "a"]\n\tpath = a\n\turl = --upload-pack=touch\n';
    const answer = await put(".gitmodules", { content: base64(evil) });
    expect([answer.status, answer.json.errors[0].field]).toEqual([422, "content"]);
    const good = '[submodule "a"]\n\tpath = a\n\turl = https://example.org/a.git\n';
    expect((await put(".gitmodules", { content: base64(good) })).status).toBe(200);
    await inBare("fsck", "--strict", "--no-dangling");
    const left = await readdir(join(fixture.bare, "objects"));
    expect(left.filter((name) => name.startsWith("tmp"))).toEqual([]);
  });

  it("lets one of two at a time win, and loses nothing", async () => {
    const answers = await Promise.all([1, 2, 3, 4].map((n) => put(`race-${n}.txt`)));
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
    expect(statuses).toContain(200);
    for (const [index, status] of statuses.entries())
      expect(await text(`race-${index + 1}.txt`)).toBe(status === 200 ? "text\n" : 404);
  });

  it("is a push: recorded, and followed by pipelines", async () => {
    const pipeline = "jobs:\n  test:\n    image: alpine\n    steps:\n      - run: echo hi\n";
    const answer = await put(".forgeline.yml", { content: base64(pipeline) });
    expect(answer.status).toBe(200);
    const runs = await fixture.get("/pipelines");
    expect(runs.json[0]).toMatchObject({
      source: "push",
      ref: "refs/heads/main",
      sha: answer.json.commit.sha,
    });
    const rows = await fixture.server.container.platform.db.query<{ state: string; updates: unknown }>(
      "select state, updates from pushes order by id desc limit 1",
    );
    const parent = answer.json.commit.parents[0].sha;
    expect(rows).toEqual([
      {
        state: "recorded",
        updates: [{ ref: "refs/heads/main", before: parent, after: answer.json.commit.sha }],
      },
    ]);
  });

  it("needs write access and an active repository", async () => {
    const before = await head();
    const eve = await fixture.server.person("eve");
    expect((await put("eve.txt", {}, eve.token)).status).toBe(404);
    const reader = await fixture.server.tokenFor(fixture.ada, ["repo:read"]);
    expect((await put("x.txt", {}, reader)).json.required_scopes).toEqual(["repo:write"]);
    const { db } = fixture.server.container.platform;
    await db.query("update repositories set visibility = 'public' where id = $1", [fixture.repositoryId]);
    expect((await put("eve.txt", {}, eve.token)).status).toBe(403);
    expect((await fixture.server.api("PUT", "/repos/ada/code/contents/x", { body: {} })).status).toBe(401);
    await db.query("update repositories set archived = true where id = $1", [fixture.repositoryId]);
    const archived = await put("x.txt");
    expect([archived.status, archived.json.error]).toEqual([403, "repository_archived"]);
    await db.query("update repositories set archived = false, visibility = 'private' where id = $1", [
      fixture.repositoryId,
    ]);
    expect(await head()).toBe(before);
  });
});

describe("DELETE contents", () => {
  it("removes the file that `sha` names, and no other", async () => {
    const { sha } = (await put("gone/now.txt")).json.content;
    const remove = (path: string, body: unknown) => send("DELETE", path, body);
    expect((await remove("gone/now.txt", { message: "x" })).json.errors[0].field).toBe("sha");
    expect((await remove("gone/now.txt", { message: "x", sha: "2".repeat(40) })).status).toBe(409);
    expect((await remove("gone", { message: "x", sha })).status).toBe(422);
    expect((await remove("gone/never.txt", { message: "x", sha })).status).toBe(404);
    const done = await remove("gone/now.txt", { message: "Remove it", sha });
    expect([done.status, done.text]).toEqual([204, ""]);
    expect(await text("gone/now.txt")).toBe(404);
    expect((await fixture.get("/contents/gone")).status).toBe(404);
    expect((await fixture.get("/commits?per_page=1")).json[0].message).toBe("Remove it\n");
    await inBare("fsck", "--strict", "--no-dangling");
  });
});

async function symlinkTo(target: string): Promise<string> {
  const { git, client, tree } = fixture;
  await client.commit(tree, { "link-text": target });
  return git("rev-parse", "HEAD:link-text");
}
