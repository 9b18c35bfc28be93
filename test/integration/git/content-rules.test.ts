/** What a push may not hold: files above the limit, and secrets of ours; over Git and over REST. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApiServer, type ApiServer, type TestPerson } from "../../support/api-server.ts";
import { eventually } from "../../support/eventually.ts";
import { addressWithToken, createGitClient, type GitClient } from "./git-client.ts";

let server: ApiServer;
let git: GitClient;
let ada: TestPerson;
let root: TestPerson;
let made = 0;

beforeAll(async () => {
  const env = {
    FORGELINE_MAX_FILE_BYTES: String(64 * 1024),
    FORGELINE_MAX_REPOSITORY_BYTES: String(512 * 1024),
  };
  server = await startApiServer({ env });
  git = await createGitClient(server.caFile);
  ada = await server.person("ada");
  root = await server.person("root", { isAdmin: true });
});
afterAll(async () => {
  await git?.remove();
  await server?.stop();
});

async function pushedRepository() {
  const name = `c${made++}`;
  await server.api("POST", "/repos", { token: ada.token, body: { name } });
  const url = addressWithToken(server.webUrl, `ada/${name}`, ada.token);
  const tree = await git.workTree();
  await git.ok(["push", "-q", url, "main"], { cwd: tree });
  const tip = () => git.ok(["ls-remote", url, "refs/heads/main"]);
  return { name, url, tree, tip };
}

const random = (bytes: number) =>
  Array.from({ length: bytes }, (_, i) =>
    String.fromCharCode(33 + ((i * 7919 + made * 31 + (i >> 3)) % 90)),
  ).join("");

describe("a file above the limit", () => {
  it("refuses the push, names the file, and leaves nothing; also when a later commit takes it out", async () => {
    const { url, tree, tip } = await pushedRepository();
    const before = await tip();
    await git.commit(tree, { "video.bin": random(70 * 1024), small: "x" });
    const refused = await git.run(["push", url, "main"], { cwd: tree });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("remote: video.bin has 0.1 MiB");
    expect(refused.stderr).toContain("store them in Git LFS");
    await rm(join(tree, "video.bin"));
    await git.commit(tree, {}, "gone");
    expect((await git.run(["push", url, "main"], { cwd: tree })).stderr).toContain("video.bin");
    expect(await tip()).toBe(before);
    await git.ok(["reset", "-q", "--hard", "HEAD~2"], { cwd: tree });
    await git.commit(tree, { "exact.bin": random(64 * 1024) });
    await git.ok(["push", "-q", url, "main"], { cwd: tree });
  });

  it("is found in a large push, which Git keeps as a pack", async () => {
    const { url, tree, tip } = await pushedRepository();
    const before = await tip();
    const many = Object.fromEntries(
      Array.from({ length: 150 }, (_, i) => [`f${String(i)}`, `${String(i)}\n`]),
    );
    await git.commit(tree, { ...many, "big.bin": random(80 * 1024) });
    expect((await git.run(["push", url, "main"], { cwd: tree })).stderr).toContain("big.bin has 0.1 MiB");
    expect(await tip()).toBe(before);
  });
});

describe("a token of this instance", () => {
  it("refuses the push and names file, line and kind; with the push option it passes and is in the audit log", async () => {
    const { name, url, tree, tip } = await pushedRepository();
    const before = await tip();
    await git.commit(tree, { "deploy.env": `A=1\nTOKEN=${ada.token}\n` });
    const refused = await git.run(["push", url, "main"], { cwd: tree });
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("remote: deploy.env:2 is an access token");
    expect(refused.stderr).toContain("git push -o forgeline.allow-secrets");
    expect(refused.stderr).not.toContain(ada.token.slice(8, 40));
    expect(await tip()).toBe(before);
    await git.ok(["push", "-q", "-o", "forgeline.allow-secrets", url, "main"], { cwd: tree });
    const { json } = await server.api("GET", "/admin/audit-log?action=push.override", { token: root.token });
    expect(json[0]).toMatchObject({
      details: { rule: "secrets", places: ["deploy.env:2"] },
      target: { name: `ada/${name}` },
    });
  });

  it("is none when its checksum does not fit", async () => {
    const { url, tree } = await pushedRepository();
    await git.commit(tree, { example: `${ada.token.slice(0, -8)}00000000` });
    await git.ok(["push", "-q", url, "main"], { cwd: tree });
  });

  it("is found in a message of a commit, too", async () => {
    const { url, tree } = await pushedRepository();
    await git.commit(tree, { a: "1" }, `use ${ada.token}`);
    expect((await git.run(["push", url, "main"], { cwd: tree })).stderr).toContain("is an access token");
  });

  it("is refused over REST, and passes when the caller says so", async () => {
    const { name } = await pushedRepository();
    const put = (extra: object) =>
      server.api("PUT", `/repos/ada/${name}/contents/token`, {
        token: ada.token,
        body: { message: "add", content: Buffer.from(`x ${ada.token}`).toString("base64"), ...extra },
      });
    const refused = await put({});
    expect(refused.status).toBe(422);
    expect(refused.json.errors[0]).toMatchObject({ field: "content", code: "secret" });
    expect((await put({ allow_secrets: true })).status).toBe(200);
    const { json } = await server.api("GET", "/admin/audit-log?action=push.override", { token: root.token });
    expect(json[0]).toMatchObject({ details: { places: ["token:1"] } });
  });
});

describe("a repository that is as large as it may be", () => {
  it("takes no new content, and refs still go", async () => {
    const { name, url, tree } = await pushedRepository();
    await git.ok(["push", "-q", url, "main:side"], { cwd: tree });
    await server.container.platform.db.query(
      `update repository_measurements set git_bytes = 600000, due_at = 'infinity'
       where repository_id = (select id from repositories where name = $1)`,
      [name],
    );
    await git.commit(tree, { more: "1" });
    const refused = await git.run(["push", url, "main"], { cwd: tree });
    expect(refused.stderr).toContain("remote: The repository has reached the size limit.");
    await git.ok(["push", "-q", url, ":side"], { cwd: tree });
    await eventually(async () => !(await git.ok(["ls-remote", url])).includes("side"));
  });
});
