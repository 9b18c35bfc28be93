/** Branches, tags, commits, comparisons and blame over REST. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pushAwkwardContent, startGitFixture, type GitFixture } from "./fixture.ts";

interface ChangedFile {
  path: string;
  previous_path: string | null;
  status: string;
  patch: string | null;
}

interface BlameRange {
  start_line: number;
  end_line: number;
  commit: string;
}

let fixture: GitFixture;
let first: string;
let merge: string;

beforeAll(async () => {
  fixture = await startGitFixture();
  ({ first, merge } = await pushAwkwardContent(fixture));
});
afterAll(() => fixture?.stop());

const get = (path: string, headers?: Record<string, string>) => fixture.get(path, headers);

describe("branches and tags", () => {
  it("are listed by name and by page", async () => {
    const all = await get("/branches");
    expect(all.json.map((b: { name: string }) => b.name)).toEqual(["feature/x", "main"]);
    expect(all.json[1]).toMatchObject({
      id: "refs/heads/main",
      default: true,
      protected: false,
      commit: { sha: merge },
    });
    const second = await get("/branches?per_page=1&page=2");
    expect(second.json.map((b: { name: string }) => b.name)).toEqual(["main"]);
    expect(second.headers).toMatchObject({ "x-total-count": "2", "x-total-pages": "2" });
    expect((await get("/branches?page=9")).json).toEqual([]);
    expect((await get("/branches?name=feature/x")).json).toEqual([all.json[0]]);
    expect((await get("/branches?name=v1.0")).json).toEqual([]);
    const tags = await get("/tags");
    expect(tags.json.map((t: { name: string }) => t.name)).toEqual(["light", "v1.0"]);
    expect(tags.json[0]).toMatchObject({ message: null, tagger: null, sha: first });
    expect(tags.json[1]).toMatchObject({
      message: "The first\n\nrelease\n",
      commit: { sha: first },
      tagger: { name: "Ada" },
    });
    expect((await get("/tags/v1.0")).json).toEqual(tags.json[1]);
  });

  it("are found by name, slashes literal or encoded", async () => {
    for (const name of ["feature/x", "feature%2Fx"])
      expect([name, (await get(`/branches/${name}`)).json.name]).toEqual([name, "feature/x"]);
    for (const name of [
      "feature",
      "v1.0",
      "x",
      "refs/heads/main",
      "--exec=x",
      "-h",
      "main%00",
      "a".repeat(2000),
    ])
      expect([name, (await get(`/branches/${name}`)).status]).toEqual([name, 404]);
  });

  it("answer 304 while nothing moved", async () => {
    for (const path of [
      "/branches",
      "/branches/main",
      "/tags",
      "/tags/v1.0",
      "/commits",
      `/commits/${first}`,
      "/compare/v1.0...main",
      "/blame/main/README.md",
    ]) {
      const { headers, status } = await get(path);
      expect([path, status]).toEqual([path, 200]);
      const again = await get(path, { "if-none-match": String(headers["etag"]) });
      expect([path, again.status, again.text]).toEqual([path, 304, ""]);
    }
  });

  it("survive names that look like options, planted past our own judging", async () => {
    await fixture.client.ok(["update-ref", "refs/heads/--exec=x", first], { cwd: fixture.bare });
    await fixture.client.ok(["update-ref", "refs/internal/hidden", merge], { cwd: fixture.bare });
    const names = (await get("/branches")).json.map((b: { name: string }) => b.name);
    expect(names).toEqual(["--exec=x", "feature/x", "main"]);
    for (const path of [
      "/commits?ref=--exec%3Dx",
      "/tarball/--exec=x",
      "/contents?ref=--exec%3Dx",
      "/compare/--exec=x...main",
      "/blame/--exec=x/README.md",
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    for (const ref of ["refs/internal/hidden", "internal/hidden"])
      for (const path of [
        `/commits?ref=${ref}`,
        `/contents?ref=${ref}`,
        `/tarball/${ref}`,
        `/commits/${ref}`,
      ])
        expect([path, (await get(path)).status]).toEqual([path, 404]);
    await fixture.client.ok(["update-ref", "-d", "refs/heads/--exec=x"], { cwd: fixture.bare });
  });
});

describe("commits", () => {
  const messages = async (query: string) =>
    (await get(`/commits${query}`)).json.map((c: { message: string }) => c.message.trim());

  it("are listed from a ref, newest first, by page", async () => {
    const all = await messages("");
    expect([all.length, all[0], all.at(-1)]).toEqual([5, "Merge feature/x", "first"]);
    expect(await messages("?ref=v1.0")).toEqual(["Add ünï content", "first"]);
    const page = await get("/commits?per_page=2&page=2");
    expect(page.headers["x-total-count"]).toBe("5");
    expect(page.json.length).toBe(2);
    expect((await get("/commits?per_page=2&page=50")).json).toEqual([]);
  });

  it("are filtered by path, author and time, and filters are text", async () => {
    expect(await messages("?path=src/deep")).toEqual(["Shout", "Add ünï content"]);
    expect(await messages("?path=src/deep/a%20b.txt&ref=main")).toEqual(["Shout", "Add ünï content"]);
    for (const path of [
      "s*",
      "nope",
      "../x",
      "/etc/passwd",
      "src//deep",
      "./src",
      ":(top)src",
      "--all",
      "a".repeat(4096),
    ])
      expect([path, await messages(`?path=${encodeURIComponent(path)}`)]).toEqual([path, []]);
    expect((await messages("?path=")).length).toBe(5);
    expect((await messages("?since=0001-01-01T00:00:00Z&until=9999-12-31T23:59:59Z")).length).toBe(5);
    expect(await messages("?until=1969-01-01T00:00:00Z")).toEqual([]);
    expect((await messages("?author=ADA@example")).length).toBe(5);
    expect(await messages("?author=A.a")).toEqual([]);
    expect(await messages("?author=--output%3Dx")).toEqual([]);
    expect((await messages("?since=2020-01-01T00:00:00Z")).length).toBe(5);
    expect(await messages("?until=2020-01-01T00:00:00Z")).toEqual([]);
    for (const query of ["?since=yesterday", "?author=a%0Ab", "?author=", "?page=0", "?colour=1"])
      expect([query, (await get(`/commits${query}`)).status]).toEqual([query, 400]);
    for (const query of ["?ref=nope", "?ref=main..light", "?ref=", "?ref=%00"])
      expect([query, [400, 404].includes((await get(`/commits${query}`)).status)]).toEqual([query, true]);
  });

  it("name their people, and the user who has the address", async () => {
    const { db } = fixture.server.container.platform;
    await db.query(
      "insert into user_emails (id, user_id, email, verified_at) values ('eml_1', $1, 'ADA@example.org', now())",
      [fixture.ada.id],
    );
    const { json } = await get(`/commits/${merge}`);
    expect(json).toMatchObject({
      sha: merge,
      verified: false,
      author: { name: "Ada", email: "ada@example.org", username: "ada" },
      url: `${fixture.server.baseUrl}/repos/ada/code/commits/${merge}`,
    });
    expect(json.parents.length).toBe(2);
  });

  it("show what they changed, against the first parent or nothing", async () => {
    const { json } = await get(`/commits/${merge}`);
    expect(json.files).toEqual([
      expect.objectContaining({ path: "src/deep/a b.txt", status: "modified", additions: 1, deletions: 1 }),
    ]);
    expect(json.files[0].patch).toBe("@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three");
    const root = await get(`/commits/${first}`);
    const byPath = new Map<string, ChangedFile>(root.json.files.map((f: ChangedFile) => [f.path, f]));
    expect(byPath.get("image.bin")).toMatchObject({ binary: true, patch: null, additions: null });
    expect(byPath.get("src/ünï#?%20.txt")).toMatchObject({ status: "added", patch: "@@ -0,0 +1 @@\n+odd" });
    expect(byPath.get("big.txt")).toMatchObject({ patch: null });
    expect(byPath.get("src/run.sh")).toMatchObject({ additions: 1, patch: "@@ -0,0 +1 @@\n+#!/bin/sh" });
  });

  it("that no ref reaches are absent by id, everywhere", async () => {
    await fixture.git("checkout", "-q", "-b", "leak");
    const leaked = await fixture.client.commit(fixture.tree, { "secret.txt": "s3cret\n" }, "Leak");
    await fixture.git("push", "-q", "origin", "leak");
    expect((await get(`/commits/${leaked}`)).status).toBe(200);
    await fixture.git("push", "-q", "origin", ":leak");
    await fixture.git("checkout", "-q", "main");
    for (const path of [
      `/commits/${leaked}`,
      `/commits?ref=${leaked}`,
      `/contents/secret.txt?ref=${leaked}`,
      `/raw/${leaked}/secret.txt`,
      `/tarball/${leaked}`,
      `/zipball/${leaked}`,
      `/compare/main...${leaked}`,
      `/blame/${leaked}/secret.txt`,
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    const tree = await fixture.git("rev-parse", `${leaked}^{tree}`);
    expect((await get(`/commits/${tree}`)).status).toBe(404);
  });
});

describe("compare", () => {
  it("tells ahead, behind and what changed since the merge base", async () => {
    const { json } = await get("/compare/feature%2Fx...main");
    expect(json).toMatchObject({ status: "ahead", ahead_by: 2, behind_by: 0 });
    expect(json.commits.map((c: { message: string }) => c.message.trim())).toEqual([
      "Merge feature/x",
      "Other",
    ]);
    expect(json.files.map((f: { path: string }) => f.path)).toEqual(["other.txt"]);
    expect((await get("/compare/main...feature/x")).json).toMatchObject({
      status: "behind",
      ahead_by: 0,
      behind_by: 2,
      files: [],
    });
    expect((await get("/compare/main...main")).json.status).toBe("identical");
  });

  it("follows renames and changes of type, with each patch at its file", async () => {
    const { git, tree } = fixture;
    await git("checkout", "-q", "-b", "moves", "v1.0");
    await git("mv", "src/deep/a b.txt", "src/moved.txt");
    await git("rm", "-q", "inside");
    await writeFile(join(tree, "inside"), "a file now\n");
    await writeFile(join(tree, "zz.txt"), "diff --git a/fake b/fake\n@@ -1 +1 @@\n");
    await fixture.client.commit(tree, { "README.md": "# code\nmore\n" }, "Move");
    await git("push", "-q", "origin", "moves");
    await git("checkout", "-q", "main");
    const { json } = await get("/compare/main...moves");
    expect(json.status).toBe("diverged");
    const shown = json.files.map((f: ChangedFile) => [f.path, f.status, f.previous_path, f.patch]);
    expect(shown).toEqual([
      ["README.md", "modified", null, "@@ -1 +1,2 @@\n # code\n+more"],
      ["inside", "type_changed", null, expect.stringContaining("+a file now")],
      ["src/moved.txt", "renamed", "src/deep/a b.txt", ""],
      ["zz.txt", "added", null, "@@ -0,0 +1,2 @@\n+diff --git a/fake b/fake\n+@@ -1 +1 @@"],
    ]);
  });

  it("works without common history", async () => {
    const { git } = fixture;
    await git("checkout", "-q", "--orphan", "alone");
    await git("rm", "-rfq", ".");
    await fixture.client.commit(fixture.tree, { "only.txt": "x\n" }, "Alone");
    await git("push", "-q", "origin", "alone");
    await git("checkout", "-q", "-f", "main");
    const { json, status } = await get("/compare/light...alone");
    expect([status, json.status, json.merge_base_commit, json.ahead_by]).toEqual([200, "diverged", null, 1]);
  });

  it("refuses what is no pair", async () => {
    for (const pair of [
      "main",
      "main..light",
      "main...",
      "...main",
      "main...nope",
      "main...light...main",
      "--exec=x...main",
    ])
      expect([pair, (await get(`/compare/${pair}`)).status]).toEqual([pair, 404]);
  });
});

describe("blame", () => {
  it("names the commit of each line, through merges", async () => {
    const { json } = await get("/blame/main/src/deep/a%20b.txt");
    const shout = await fixture.git("rev-parse", "feature/x");
    expect(json.ranges.map((r: BlameRange) => [r.start_line, r.end_line, r.commit])).toEqual([
      [1, 1, first],
      [2, 2, shout],
      [3, 3, first],
    ]);
    expect(json.commits.map((c: { sha: string }) => c.sha).sort()).toEqual([first, shout].sort());
    const moved = await get("/blame/moves/src/moved.txt");
    expect(moved.json.ranges).toEqual([
      { start_line: 1, end_line: 3, commit: first, path: "src/deep/a b.txt" },
    ]);
  });

  it("takes text files only", async () => {
    for (const path of ["image.bin", "big.txt"])
      expect([path, (await get(`/blame/main/${path}`)).status]).toEqual([path, 422]);
    for (const path of ["src", "escape", "module", "nope", "--contents=/etc/passwd"])
      expect([path, (await get(`/blame/main/${path}`)).status]).toEqual([path, 404]);
  });
});
