/** Files and directories over REST: what is shown, how names are spelled, and what must not be reachable. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bigBytes, binary, pushAwkwardContent, startGitFixture, type GitFixture } from "./fixture.ts";

let fixture: GitFixture;
let first: string;

beforeAll(async () => {
  fixture = await startGitFixture();
});
afterAll(() => fixture?.stop());

const get = (path: string, headers?: Record<string, string>) => fixture.get(path, headers);

describe("an empty repository", () => {
  it("has an empty top directory and nothing else", async () => {
    const root = await get("/contents");
    expect([root.status, root.json]).toEqual([200, []]);
    for (const path of ["/commits", "/branches", "/tags"])
      expect([path, (await get(path)).json]).toEqual([path, []]);
    for (const path of ["/contents?ref=main", "/contents/README.md", "/raw/main/README.md", "/tarball/main"])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });
});

describe("contents", () => {
  beforeAll(async () => {
    ({ first } = await pushAwkwardContent(fixture));
  });

  it("of a file are base64 with its addresses", async () => {
    const { json, status } = await get("/contents/src/deep/a%20b.txt");
    expect(status).toBe(200);
    expect(json).toMatchObject({
      type: "file",
      path: "src/deep/a b.txt",
      name: "a b.txt",
      size: 14,
      encoding: "base64",
      lfs: null,
      executable: false,
    });
    expect(Buffer.from(json.content, "base64").toString()).toBe("one\nTWO\nthree\n");
    expect(json.sha).toBe(await fixture.git("rev-parse", "main:src/deep/a b.txt"));
    const raw = await fixture.server.api("GET", json.download_url.slice(fixture.server.baseUrl.length), {
      token: fixture.ada.token,
    });
    expect(raw.text).toBe("one\nTWO\nthree\n");
    const again = await fixture.server.api("GET", json.url.slice(fixture.server.baseUrl.length), {
      token: fixture.ada.token,
    });
    expect(again.json).toEqual({ ...json, url: again.json.url });
  });

  it("follow the ref: branch with a slash, tag, full name, commit", async () => {
    const text = async (ref: string) => {
      const { json, status } = await get(`/contents/src/deep/a%20b.txt?ref=${encodeURIComponent(ref)}`);
      return status === 200 ? Buffer.from(json.content, "base64").toString() : status;
    };
    expect(await text("feature/x")).toContain("TWO");
    for (const ref of ["v1.0", "light", "refs/tags/v1.0", first])
      expect([ref, await text(ref)]).toEqual([ref, "one\ntwo\nthree\n"]);
    for (const ref of [
      "nope",
      "main~1",
      "main^{tree}",
      "HEAD",
      "--output=/tmp/x",
      "-h",
      first.slice(0, 8),
      "main:src",
      "",
    ])
      expect([ref, await text(ref)]).toEqual([ref, 404]);
  });

  it("of a directory are an array, folders first, without content", async () => {
    const { json } = await get("/contents");
    const names = json.map((entry: { type: string; name: string }) => `${entry.type} ${entry.name}`);
    expect(names).toEqual([
      "directory src",
      "file README.md",
      "file big.txt",
      "symlink escape",
      "file film.mov",
      "file image.bin",
      "symlink inside",
      "submodule module",
      "file other.txt",
      "file page.html",
    ]);
    expect(json[0]).not.toHaveProperty("content");
    expect(json[2].size).toBe(bigBytes);
    const src = await get("/contents/src/");
    expect(src.status).toBe(404);
    const listed = (await get("/contents/src")).json as { name: string; executable: boolean }[];
    expect(listed.find((entry) => entry.name === "run.sh")?.executable).toBe(true);
    const odd = listed.find((entry) => entry.name.startsWith("ün"))! as unknown as { url: string };
    const shown = await fixture.server.api("GET", odd.url.slice(fixture.server.baseUrl.length), {
      token: fixture.ada.token,
    });
    expect([shown.status, shown.json.name]).toEqual([200, "ünï#?%20.txt"]);
  });

  it("of links, submodules and LFS pointers are what they are, and nothing is followed", async () => {
    const link = await get("/contents/escape");
    expect(link.json).toMatchObject({ type: "symlink", target: "/etc/passwd", download_url: null });
    expect((await get("/raw/main/escape")).text).toBe("/etc/passwd");
    expect((await get("/contents/inside/run.sh")).status).toBe(404);
    expect((await get("/raw/main/inside/run.sh")).status).toBe(404);
    expect((await get("/contents/module")).json).toMatchObject({
      type: "submodule",
      sha: "1".repeat(40),
      size: 0,
    });
    expect((await get("/contents/module/x")).status).toBe(404);
    expect((await get("/contents/film.mov")).json.lfs).toEqual({
      oid: `sha256:${"a".repeat(64)}`,
      size: 123456,
    });
  });

  it("of a file over 10 MiB come without content but with a download", async () => {
    const { json } = await get("/contents/big.txt");
    expect(json).not.toHaveProperty("content");
    expect(json).toMatchObject({
      size: bigBytes,
      download_url: expect.stringContaining("/raw/main/big.txt"),
    });
    const raw = await get("/raw/main/big.txt");
    expect([raw.text.length, raw.headers["content-length"]]).toEqual([bigBytes, String(bigBytes)]);
    const head = await fixture.server.api("HEAD", "/repos/ada/code/raw/main/big.txt", {
      token: fixture.ada.token,
    });
    expect([head.status, head.headers["content-length"], head.text]).toEqual([200, String(bigBytes), ""]);
  });

  it("refuse paths that name nothing, however they are spelled", async () => {
    for (const path of [
      "..%2f..%2fetc%2fpasswd",
      "%2e%2e/README.md",
      "src/..%5c..%5cx",
      "/README.md",
      "src//run.sh",
      "README.md%00",
      "README.md%0Acontents%20HEAD",
      ".git/config",
      "%ff",
      "a".repeat(4100),
      ":(top)README.md",
      "--output=x",
    ]) {
      expect([path, (await get(`/contents/${path}`)).status]).toEqual([path, 404]);
      expect([path, (await get(`/raw/main/${path}`)).status]).toEqual([path, 404]);
    }
  });

  it("answer 304 until the file changes, and never to another viewer", async () => {
    const path = "/contents/README.md";
    const seen = await get(path);
    const headers = { "if-none-match": String(seen.headers["etag"]) };
    expect((await get(path, headers)).status).toBe(304);
    const token = await fixture.server.tokenFor(fixture.ada, ["repo:read"]);
    const other = await fixture.server.api("GET", `/repos/ada/code${path}`, { token, headers });
    expect(other.status).toBe(200);
    await fixture.client.commit(fixture.tree, { "unrelated.txt": "1" });
    await fixture.git("push", "-q", "origin", "main");
    expect((await get(path, headers)).status).toBe(304);
    await fixture.client.commit(fixture.tree, { "README.md": "# changed\n" });
    await fixture.git("push", "-q", "origin", "main");
    expect((await get(path, headers)).status).toBe(200);
  });
});

describe("raw files", () => {
  it("never run in a browser", async () => {
    const page = await get("/raw/main/page.html");
    expect(page.headers).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("sandbox"),
    });
    const image = await fixture.download("/raw/main/image.bin");
    expect(image.headers["content-type"]).toBe("application/octet-stream");
    expect(image.body.equals(binary)).toBe(true);
  });

  it("take a ref with slashes encoded or literal", async () => {
    for (const ref of ["feature%2Fx", "feature/x", "refs/heads/feature/x", "refs%2Fheads%2Ffeature%2Fx"])
      expect([ref, (await get(`/raw/${ref}/src/deep/a%20b.txt`)).text]).toEqual([ref, "one\nTWO\nthree\n"]);
    // What a branch begins with may read like the id of a commit.
    const likeId = `${"a".repeat(40)}/x`;
    await fixture.git("push", "-q", "origin", `feature/x:refs/heads/${likeId}`);
    expect((await get(`/raw/${likeId}/src/deep/a%20b.txt`)).text).toBe("one\nTWO\nthree\n");
    await fixture.git("push", "-q", "origin", `:refs/heads/${likeId}`);
    expect((await get("/raw/feature/src/run.sh")).status).toBe(404);
    expect((await get("/raw/main/src")).status).toBe(404);
  });

  it("and everything else are hidden with the repository", async () => {
    const eve = await fixture.server.person("eve");
    const paths = [
      "contents",
      "contents/README.md",
      "raw/main/README.md",
      "tarball/main",
      "zipball/main",
      "commits",
      "branches",
      "tags",
    ];
    for (const path of [
      ...paths,
      "branches/main",
      `commits/${first}`,
      "compare/v1.0...main",
      "blame/main/README.md",
    ]) {
      for (const auth of [{}, { token: eve.token }]) {
        const hidden = await fixture.server.api("GET", `/repos/ada/code/${path}`, auth);
        const absent = await fixture.server.api("GET", `/repos/ada/none/${path}`, auth);
        expect([path, hidden.status, hidden.text]).toEqual([path, 404, absent.text]);
      }
    }
  });
});
